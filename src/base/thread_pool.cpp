// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.hpp"

#include "base/flush.hpp"

#include <chrono>

namespace hri::base {

namespace {

// Work follows work within microseconds, and waking a thread takes longer than that: so the first
// moments are waited through, giving way to whoever else wants the core.
constexpr std::chrono::microseconds kAwake{50};

/// Until the value is another one; the value then.
std::uint32_t changed(const std::atomic<std::uint32_t>& value, std::uint32_t from) {
    const auto asleep = std::chrono::steady_clock::now() + kAwake;
    while (value.load(std::memory_order_acquire) == from) {
        if (std::chrono::steady_clock::now() < asleep)
            std::this_thread::yield();
        else
            value.wait(from, std::memory_order_acquire);
    }
    return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadPool::~ThreadPool() {
    left_.store(kStop, std::memory_order_release);
    left_.notify_all();
}

void ThreadPool::run(int count, Call call, const void* work) {
    if (count <= 0)
        return;
    // They inherit how this thread rounds and flushes, so that they compute the same bits.
    while (static_cast<int>(helpers_.size()) + 1 < size_)
        helpers_.emplace_back([this] { help(); });
    call_ = call;
    work_ = work;
    count_ = static_cast<std::uint32_t>(count);
    open_.store(count_, std::memory_order_relaxed);
    left_.store(count_, std::memory_order_release);
    left_.notify_all();
    take();
    for (std::uint32_t open = open_.load(std::memory_order_acquire); open != 0;)
        open = changed(open_, open);
}

// Does what nobody has taken yet. Somebody who comes late finds nothing left, and nobody waits for
// him.
void ThreadPool::take() {
    std::uint32_t left = left_.load(std::memory_order_relaxed);
    while (left != 0 && left != kStop) {
        if (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acquire,
                                         std::memory_order_relaxed))
            continue;
        call_(work_, static_cast<int>(count_ - left));
        if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            open_.notify_one();
        left = left_.load(std::memory_order_relaxed);
    }
}

void ThreadPool::help() {
    const FlushSubnormals flush;  // as the thread that it helps
    while (changed(left_, 0) != kStop)
        take();
}

}  // namespace hri::base
