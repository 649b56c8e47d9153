// SPDX-License-Identifier: Apache-2.0
// What an inference keeps from one iteration to the next changes nothing.

#include "soft/inference.hpp"
#include "soft/random_case.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

struct TrainedOutcome {
    std::vector<float> target;
    std::vector<float> d_alpha;
    bool operator==(const TrainedOutcome&) const = default;
};

TrainedOutcome run(soft::Inference<float>& inference, const std::vector<float>& alpha,
                   const soft::DenseInstance<float>& instance, int steps) {
    inference.forward(alpha.data(), instance, steps);
    TrainedOutcome outcome{inference.target(), std::vector<float>(alpha.size(), 0)};
    const std::vector<float> d_target(outcome.target.size(), 1);
    inference.backward(outcome.d_alpha.data(), d_target.data());
    return outcome;
}

TEST(Inference, GivesWhatAFreshOneGivesAfterOtherScoresInstancesAndSteps) {
    Random random(41);
    int differ = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Options options = exact_options();
        options.layers = 2;
        if (trial % 3 == 2) {
            options.skip_pairs = options.skip_gradients = 1e-3;
        }
        const RandomCase c =
            random_case(shape(trial % 2 == 0 ? "R0" : "R*"), options, random, {.max_constants = 9});
        soft::Inference<float> used(c.hierarchy, c.protorules, c.options);
        TrainedOutcome before;
        for (int i = 0; i < 8; ++i) {
            RandomCase other = c;
            if (i % 4 == 3) {  // other sizes, other predicates without facts
                other.instance = random_instance(c.inputs, c.hierarchy.target_arity,
                                                 2 + random.below(8), false, random);
            }
            const soft::DenseInstance<float> instance = other.dense<float>();
            std::vector<float> alpha(c.hierarchy.slots.size() *
                                     static_cast<std::size_t>(c.hierarchy.predicates()));
            for (float& score : alpha) {
                score = static_cast<float>(random.uniform(0.001, 1));
            }
            for (float& score : alpha) {  // now and then a pair that does not count at all
                score = i % 4 == 2 && random.chance(0.1) ? 0 : score;
            }
            const int steps = i % 4 == 1 ? c.steps + 1 : c.steps;
            soft::Inference<float> fresh(c.hierarchy, c.protorules, c.options);
            const TrainedOutcome expected = run(fresh, alpha, instance, steps);
            ASSERT_EQ(run(used, alpha, instance, steps), expected)
                << "run " << i << ", " << c.describe();
            differ += expected == before ? 0 : 1;
            before = expected;
        }
    }
    EXPECT_GT(differ, 400);
}

}  // namespace
}  // namespace hri
