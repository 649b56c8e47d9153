// SPDX-License-Identifier: Apache-2.0
#include "learn/link.hpp"

#include "hri/learn.hpp"
#include "hri/symbolic.hpp"
#include "hri/tasks.hpp"

#include "support/swi_prolog.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

const std::vector<PredicateSymbol> kInputs = {
    {.name = "has_car", .arity = 2}, {.name = "long", .arity = 1}, {.name = "size", .arity = 2}};

/// A train with a car, long or not, of a size that others share.
Instance train(const std::string& name, bool is_long) {
    Instance instance;
    instance.constants = 3;
    instance.names = {name, name + "car", "3"};
    instance.facts = {{{.first = 0, .second = 1}}, {}, {{.first = 1, .second = 2}}};
    if (is_long)
        instance.facts[1].push_back({.first = 1});
    instance.labels = {is_long ? Label::positive : Label::negative, Label::unlabelled,
                       Label::unlabelled};
    return instance;
}

std::vector<Instance> trains() {
    return {train("a", true), train("b", false), train("c", true), train("d", false)};
}

TEST(Link, KnowsWhetherVariablesHangTogether) {
    EXPECT_TRUE(is_linked(parse_program("f(X) :- has_car(X,Y), long(Y).")));
    EXPECT_FALSE(is_linked(parse_program("f(X) :- long(Y).")));
    EXPECT_FALSE(is_linked(parse_program("f(X) :- has_car(X,Y), long(Z).")));
    EXPECT_TRUE(is_linked(parse_program("f(X,Y) :- long(X), long(Y).")));
    EXPECT_FALSE(is_linked(parse_program("f(X) :- g(X,Y), long(Y). g(X,Y) :- long(X), long(Y).")))
        << "the invented predicate links nothing";
    EXPECT_TRUE(
        is_linked(parse_program("f(X) :- g(X,Y), long(Y). g(X,Y) :- size(X,Z), size(Y,Z).")));
}

TEST(Link, PutsInstancesSideBySideAndSharesValues) {
    const std::vector<Instance> pairs = opposite_pairs(trains(), 1);
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].names, (std::vector<std::string>{"a", "acar", "3", "b", "bcar"}));
    EXPECT_EQ(pairs[0].facts[0], (std::vector<Fact>{{0, 1}, {3, 4}}));
    EXPECT_EQ(pairs[0].facts[2], (std::vector<Fact>{{1, 2}, {4, 2}}));
    EXPECT_EQ(pairs[0].labels[0], Label::positive);
    EXPECT_EQ(pairs[0].labels[3], Label::negative);
    EXPECT_EQ(pairs[0].count(Label::unlabelled), 3);
}

TEST(Link, AddsTheAtomThatKeepsAProgramRightOfTheWhole) {
    const std::vector<Instance> instances = trains();
    const std::vector<Instance> pairs = opposite_pairs(instances, 1);
    EXPECT_EQ(to_text(linked(parse_program("f(X) :- long(Y)."), kInputs, instances, pairs)),
              "f(X) <- has_car(X,Y) & long(Y)\n");
}

TEST(Link, LeavesLinkedProgramsAndThoseWithoutALinkAlone) {
    const std::vector<Instance> instances = trains();
    const Program fine = parse_program("f(X) :- has_car(X,Y), size(Y,Z), size(U,Z), long(U).");
    EXPECT_EQ(to_text(linked(fine, kInputs, instances, {})), to_text(fine));
    const Program hopeless = parse_program("f(X) :- long(Y).");
    EXPECT_EQ(to_text(linked(hopeless, {{.name = "long", .arity = 1}}, {}, {})), to_text(hopeless));
}

TEST(Link, IsWhatLearningFromSplitDataGives) {
    Problem problem;
    problem.name = "trains";
    problem.inputs = kInputs;
    problem.target = {.name = "f", .arity = 1};
    problem.training.instances = trains();
    const Report report = learn(problem, {}, {.time_limit = 0, .max_work = 200'000});
    EXPECT_TRUE(report.fits);
    EXPECT_EQ(to_text(report.program), "f(X) <- has_car(X,Y) & long(Y)\n");
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem));
}

/// Three generations and a half, and three of those who descend from each other.
Problem few_ancestors() {
    Problem problem;
    problem.name = "ancestors";
    problem.inputs = {{.name = "father", .arity = 2}, {.name = "mother", .arity = 2}};
    problem.target = {.name = "ancestor", .arity = 2};
    Instance instance;
    instance.constants = 9;
    instance.facts = {{{0, 2}, {2, 4}, {4, 7}}, {{1, 2}, {3, 4}, {5, 7}, {6, 3}, {4, 8}}};
    std::sort(instance.facts[1].begin(), instance.facts[1].end());
    instance.labels.assign(81, Label::unlabelled);
    for (const auto& [x, y] : {std::pair{0, 7}, {6, 8}, {5, 7}, {1, 4}})
        instance.labels[static_cast<std::size_t>(9 * x + y)] = Label::positive;
    problem.training.instances = {instance};
    return problem;
}

TEST(Strangers, AreNotRelatedToAnybody) {
    const Problem problem = few_ancestors();
    const std::optional<Problem> both = with_strangers(problem);
    ASSERT_TRUE(both);
    const Instance& instance = both->training.instances.at(0);
    EXPECT_EQ(instance.constants, 18);
    EXPECT_EQ(instance.facts[0],
              (std::vector<Fact>{{0, 2}, {2, 4}, {4, 7}, {9, 11}, {11, 13}, {13, 16}}));
    EXPECT_EQ(instance.count(Label::positive), 4);
    EXPECT_EQ(instance.count(Label::negative), 2 * 9 * 9);
    EXPECT_EQ(instance.labels[0 * 18 + 9], Label::negative);
    EXPECT_EQ(instance.labels[9 * 18 + 16], Label::unlabelled);
}

TEST(Strangers, OfSingleConstantsHaveNoFacts) {
    Problem problem;
    problem.inputs = kInputs;
    problem.target = {.name = "f", .arity = 1};
    problem.training.instances = {train("a", true), train("b", true)};
    const std::optional<Problem> both = with_strangers(problem);
    ASSERT_TRUE(both);
    const Instance& instance = both->training.instances.at(1);
    EXPECT_EQ(instance.facts, problem.training.instances[1].facts);
    EXPECT_EQ(instance.labels, (std::vector<Label>{Label::positive, Label::unlabelled,
                                                   Label::unlabelled, Label::negative}));
}

TEST(Strangers, ComeOnlyWherePositiveExamplesStandAlone) {
    Problem problem = few_ancestors();
    std::vector<Label>& labels = problem.training.instances[0].labels;
    std::fill_n(labels.begin(), 4, Label::negative);
    EXPECT_FALSE(with_strangers(problem)) << "as many negative examples";
    labels.assign(81, Label::positive);
    EXPECT_FALSE(with_strangers(problem)) << "labels for most atoms";
    problem.training = make_problem(find_task("grandparent")).training;
    EXPECT_FALSE(with_strangers(problem)) << "a generator knows every label";
}

TEST(Strangers, MakeAProgramOfAFewPositiveExamples) {
    const Problem problem = few_ancestors();
    const Report report = learn(problem, {}, {.time_limit = 0, .max_work = 1'000'000});
    EXPECT_TRUE(report.fits);
    EXPECT_EQ(report.training.negatives, 0) << "strangers are no examples";
    EXPECT_EQ(report.training.positives, 4);
    EXPECT_EQ(to_text(report.program),
              "ancestor(X,Y) <- (ancestor(X,Z) & ancestor(Z,Y)) | father(X,Y) | mother(X,Y)\n");
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem));
}

}  // namespace
}  // namespace hri
