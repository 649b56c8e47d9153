// SPDX-License-Identifier: Apache-2.0
// What inference computes in which step, as a value that can be printed.

#include "soft/inference.hpp"
#include "soft/random_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri {
namespace {

using testing::HasSubstr;

/// The printed schedule over p(X,Y), where all candidates of a slot have the score 0.5.
std::string schedule_of(const std::string& rules, const Options& options, int steps) {
    const ProtoRules protorules = parse_protorules(rules);
    const std::vector<PredicateSymbol> inputs = {{"p", 2}};
    const Hierarchy hierarchy = make_hierarchy(protorules, inputs, 2, options);
    Instance instance = make_instance(make_schema(inputs, {"t", 2}), 3);
    instance.facts[0].push_back({0, 1, 1.0F});
    soft::DenseInstance<float> dense;
    soft::make_dense(dense, instance, soft::columns_of(inputs, inputs), inputs, 2);
    const std::vector<float> alpha(hierarchy.slots.size() * hierarchy.arity.size(), 0.5F);
    soft::Inference<float> inference(hierarchy, protorules, options);
    inference.forward_only(alpha.data(), dense, steps);
    return to_text(inference.schedule());
}

Options two_layers(Recursivity recursivity) {
    Options options = exact_options();
    options.layers = 2;
    options.last_layer = LastLayer::all;
    options.recursivity = recursivity;
    return options;
}

// Predicates: True p0, False p1, the input p2, then an auxiliary for each layer with its rule.
const char* const kChain = "C: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)\n";

TEST(Schedule, ComputesAPairOnceAfterBothSidesHaveConverged) {
    EXPECT_EQ(schedule_of(kChain, two_layers(Recursivity::none), 3),
              "3 steps\n"
              "p3 converges after step 1\n"
              "p4 converges after step 2\n"
              "step 0 needs none computes none\n"
              "step 1 needs r0 computes r0\n"
              "step 2 needs r1 computes r1\n"
              "step 3 needs r1 computes none\n"
              "p2 p2 join once in step 1: r0 0.25 r1 0.25\n"
              "p0 p0 column once in step 1: r0 0.25 r1 0.25\n"
              "p2 p0 column once in step 1: r0 0.25 r1 0.25\n"
              "p0 p2 row once in step 1: r0 0.25 r1 0.25\n"
              "p2 p3 join once in step 2: r1 0.25\n"
              "p3 p2 join once in step 2: r1 0.25\n"
              "p3 p3 join once in step 2: r1 0.25\n"
              "p3 p0 column once in step 2: r1 0.25\n"
              "p0 p3 row once in step 2: r1 0.25\n");
}

TEST(Schedule, ComputesAPairInEveryStepWhereARuleReadsItself) {
    const std::string text = schedule_of(kChain, two_layers(Recursivity::full), 3);
    EXPECT_THAT(text, HasSubstr("p3 does not converge\n"));
    EXPECT_THAT(text, HasSubstr("step 3 needs r1 computes r1\n"));
    EXPECT_THAT(text, HasSubstr("p2 p2 join once in step 1: r0 0.25 r1 0.25\n"));
    EXPECT_THAT(text, HasSubstr("p3 p3 join in every step from 2 on: r0 0.25 r1 0.25\n"));
}

TEST(Schedule, HasAllRulesInAllStepsWhereStepsHaveNoEnd) {
    const std::string text = schedule_of(kChain, two_layers(Recursivity::none), -1);
    EXPECT_THAT(text, HasSubstr("steps until nothing changes\np3 does not converge\n"));
    EXPECT_THAT(text, HasSubstr("step 0 needs r0 r1 computes r0 r1\n"));
    EXPECT_THAT(text, HasSubstr("p2 p3 join in every step from 2 on: r1 0.25\n"));
}

}  // namespace
}  // namespace hri
