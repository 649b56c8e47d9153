// SPDX-License-Identifier: Apache-2.0
// After the first iteration, training allocates nothing.

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace {

std::atomic<long> allocations = 0;

}  // namespace

// Not inlined: g++ 12 would see a free() of what a new made, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hri {
namespace {

/// How often operator new was called between the first and the last of `iterations`.
long allocations_after_the_first(const Problem& problem, Options options) {
    options.iterations = 150;
    std::vector<long> counts;
    counts.reserve(1000);
    TrainSettings settings;
    settings.progress = [&](const Progress&) { counts.push_back(allocations); };
    train(problem, options, settings);
    return counts.back() - counts[1];
}

TEST(Training, AllocatesNothingAfterTheFirstIteration) {
    for (const Task& task : all_tasks()) {
        // One fixed instance: what a generator allocates is its own affair.
        Problem problem = make_problem(task);
        if (!problem.training.fixed()) {
            Random random(0, Random::kData);
            Instance scratch;
            problem.training.instances = {problem.training.draw(0, random, scratch)};
        }
        Options options;
        options.layers = 2;
        options.train_steps = task.train_steps;
        EXPECT_EQ(allocations_after_the_first(problem, options), 0) << task.name;
        options.skip_pairs = options.skip_gradients = 0;
        EXPECT_EQ(allocations_after_the_first(problem, options), 0) << task.name << ", exact";
    }
}

}  // namespace
}  // namespace hri
