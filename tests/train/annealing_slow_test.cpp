// SPDX-License-Identifier: Apache-2.0

// What annealing again brings.

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "train/annealing.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(Annealing, SucceedsWhereOnceIsNotEnough) {
    const Problem problem = make_problem(find_task("two-children"));
    Options options;
    options.iterations = 1000;
    int once = 0;
    int several = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed, Random::kCheck);
        options.annealing_cycles = 1;
        once += training::succeeds_on_fresh(train(problem, options, {.seed = seed}).model, problem,
                                            random);
        options.annealing_cycles = 20;
        several += train(problem, options, {.seed = seed}).stop_reason == StopReason::fits;
    }
    EXPECT_LT(once, 9);
    EXPECT_GE(several, 9);
}

}  // namespace
}  // namespace hri
