// SPDX-License-Identifier: Apache-2.0
// Memory grows with steps x predicates x n^2, and not with pairs of predicates.

#include "hri/random.hpp"
#include "hri/train.hpp"

#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>

namespace hri {
namespace {

/// Sparse random facts, and labels for one atom in a hundred.
Problem large_problem(int inputs, int constants) {
    Problem problem;
    problem.name = "large";
    Random random(1);
    std::vector<PredicateSymbol> symbols;
    for (int i = 0; i < inputs; ++i) {
        symbols.push_back({"p" + std::to_string(i), 2});
    }
    problem.schema = make_schema(std::move(symbols), {"target", 2});
    Instance instance = make_instance(problem.schema, constants);
    for (auto& facts : instance.facts) {
        for (int x = 0; x < constants; ++x) {
            facts.push_back({x, random.below(constants), 1.0F});
        }
    }
    for (Label& label : instance.labels) {
        if (random.chance(0.01)) {
            label = random.chance(0.5) ? Label::positive : Label::negative;
        }
    }
    problem.training.instances = {std::move(instance)};
    return problem;
}

TEST(Memory, ThirtyPredicatesOverThreeHundredConstantsTakeLessThanAGigabyte) {
    const Problem problem = large_problem(13, 300);
    Options options;
    options.iterations = 2;
    options.train_steps = 4;
    const TrainResult result = train(problem, options, {.threads = 2});
    EXPECT_GE(result.model.hierarchy.predicates(), 30);
    rusage usage{};
    ASSERT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    RecordProperty("peak_megabytes", static_cast<int>(usage.ru_maxrss / 1024));
    EXPECT_LT(usage.ru_maxrss, 1'000'000);  // kilobytes
}

}  // namespace
}  // namespace hri
