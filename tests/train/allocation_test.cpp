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

/// How often operator new was called between the first and the last of the iterations, by any
/// thread.
long allocations_after_the_first(const Problem& problem, Options options, int iterations = 150,
                                 int threads = 1) {
    options.iterations = iterations;
    std::vector<long> counts;
    counts.reserve(1000);
    TrainSettings settings;
    settings.threads = threads;
    settings.progress = [&](const Progress&) { counts.push_back(test::allocations); };
    train(problem, options, settings);
    return counts.back() - counts.front();
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

TEST(Training, AllocatesNothingAfterTheFirstIterationWhereThreadsShareAStep) {
    Problem problem = make_problem(find_task("grandparent"), {.training = 64});
    Random random(0, Random::kData);
    Instance scratch;
    problem.training.instances = {problem.training.draw(0, random, scratch)};
    ASSERT_EQ(problem.training.instances.front().constants, 64);
    Options options;
    options.layers = 2;
    EXPECT_EQ(allocations_after_the_first(problem, options, 20, 3), 0);
    options.skip_pairs = options.skip_gradients = 0;
    EXPECT_EQ(allocations_after_the_first(problem, options, 5, 3), 0);
}

}  // namespace
}  // namespace hri
