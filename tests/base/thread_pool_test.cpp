// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace hri {
namespace {

TEST(ThreadPool, DoesEveryPieceOfWorkOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        base::ThreadPool crew(threads);
        for (int round = 0; round < 2000; ++round) {
            std::vector<int> done(static_cast<std::size_t>(round % 17), 0);
            crew.each(round % 17, [&](int i) { done[static_cast<std::size_t>(i)] += i + 1; });
            std::vector<int> expected(done.size());
            std::iota(expected.begin(), expected.end(), 1);
            ASSERT_EQ(done, expected) << threads << " threads, round " << round;
        }
    }
}

TEST(ThreadPool, ReadsWhatTheWorkBeforeHasWritten) {
    base::ThreadPool crew(3);
    std::vector<int> now(50, 0);
    std::vector<int> next(50);
    for (int round = 0; round < 500; ++round) {
        crew.each(50, [&](int i) {
            const auto k = static_cast<std::size_t>(i);
            next[k] = now[k] + now[(k + 1) % 50] + 1;
        });
        now.swap(next);
        for (int& value : now) {
            value %= 1000;
        }
    }
    EXPECT_EQ(std::set<int>(now.begin(), now.end()).size(), 1U);
}

TEST(ThreadPool, WorksOnSeveralThreadsAtOnce) {
    base::ThreadPool crew(3);
    std::atomic<int> here{0};
    crew.each(3, [&](int) {  // each waits for the two others
        ++here;
        while (here < 3) {
            std::this_thread::yield();
        }
    });
    EXPECT_EQ(here, 3);
}

TEST(ThreadPool, WakesUpAfterALongPause) {
    base::ThreadPool crew(2);
    for (int round = 0; round < 3; ++round) {
        std::atomic<int> here{0};
        crew.each(2, [&](int) {
            ++here;
            while (here < 2) {
                std::this_thread::yield();
            }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

TEST(ThreadPool, StartsNoThreadBeforeThereIsWork) {
    base::ThreadPool crew(4);
    EXPECT_FALSE(crew.has_started());
    crew.each(0, [](int) {});
    EXPECT_FALSE(crew.has_started());
    crew.each(1, [](int) {});
    EXPECT_TRUE(crew.has_started());
}

}  // namespace
}  // namespace hri
