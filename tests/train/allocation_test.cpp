// SPDX-License-Identifier: Apache-2.0
// After the first iteration, training allocates nothing.

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "support/allocations.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace hri {
namespace {

/// How often operator new was called between the first and the last of `iterations`.
long allocations_after_the_first(const Problem& problem, Options options) {
    options.iterations = 150;
    std::vector<long> counts;
    counts.reserve(1000);
    TrainSettings settings;
    settings.progress = [&](const Progress&) { counts.push_back(test::allocations); };
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
