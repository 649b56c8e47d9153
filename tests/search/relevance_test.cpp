// SPDX-License-Identifier: Apache-2.0
#include "search/relevance.hpp"

#include "hri/tasks.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace hri {
namespace {

Instance four_constants(std::vector<Fact> facts, std::vector<Label> labels) {
    Instance instance;
    instance.constants = 4;
    instance.facts.push_back(std::move(facts));
    instance.labels = std::move(labels);
    return instance;
}

constexpr Label kYes = Label::positive;
constexpr Label kNo = Label::negative;

TEST(Relevance, OfAnInputThatIsTheTargetIsTheRootOfTheNumberOfLabels) {
    const Instance instance = four_constants({{.first = 0}, {.first = 2}}, {kYes, kNo, kYes, kNo});
    const std::vector<double> z = search::relevance({{.name = "p", .arity = 1}}, 1, {instance});
    ASSERT_EQ(z.size(), 1U);
    EXPECT_NEAR(z[0], std::sqrt(4.0), 1e-12);
}

TEST(Relevance, IsTheSameForTheNegationAndNothingForAnIndependentInput) {
    const std::vector<Label> labels = {kYes, kNo, kYes, kNo};
    EXPECT_NEAR(search::relevance({{.name = "p", .arity = 1}}, 1,
                                  {four_constants({{.first = 1}, {.first = 3}}, labels)})[0],
                2.0, 1e-12);
    EXPECT_NEAR(search::relevance({{.name = "p", .arity = 1}}, 1,
                                  {four_constants({{.first = 0}, {.first = 1}}, labels)})[0],
                0.0, 1e-12);
}

TEST(Relevance, SeesAConverseInATargetOfTwoArguments) {
    Instance instance = four_constants({{.first = 1, .second = 0}, {.first = 2, .second = 3}}, {});
    instance.labels.assign(16, kNo);
    instance.labels[0 * 4 + 1] = kYes;
    instance.labels[3 * 4 + 2] = kYes;
    EXPECT_NEAR(search::relevance({{.name = "p", .arity = 2}}, 2, {instance})[0], std::sqrt(16.0),
                1e-12);
    instance.labels[5] = Label::unlabelled;
    EXPECT_NEAR(search::relevance({{.name = "p", .arity = 2}}, 2, {instance})[0], std::sqrt(15.0),
                1e-12);
}

TEST(Relevance, OfEdgesToAColouringStandsOutAmongAHundredIrrelevantInputs) {
    const Problem problem = with_distractors(make_problem(find_task("graph-coloring")), 100, 1);
    Random random(1);
    std::vector<Instance> instances(300);
    for (Instance& instance : instances)
        problem.training.generate(random, instance);
    const std::vector<double> z =
        search::relevance(problem.inputs(), problem.target().arity, instances);
    const auto edge = std::find_if(problem.inputs().begin(), problem.inputs().end(),
                                   [](const PredicateSymbol& s) { return s.name == "edge"; });
    EXPECT_EQ(std::max_element(z.begin(), z.end()) - z.begin(), edge - problem.inputs().begin());
}

}  // namespace
}  // namespace hri
