// SPDX-License-Identifier: Apache-2.0
#include "learn/synthetic_negatives.hpp"

#include "hri/evaluate.hpp"
#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

/// Three generations and a half, and three of those who descend from each other.
Problem few_ancestors() {
    Problem problem;
    problem.name = "ancestors";
    problem.schema = make_schema({{.name = "father", .arity = 2}, {.name = "mother", .arity = 2}},
                                 {.name = "ancestor", .arity = 2});
    Instance instance;
    instance.schema = problem.schema;
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
    const std::optional<Problem> both = learning::add_unrelated_constants(problem);
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
    problem.schema = make_schema({{.name = "parent", .arity = 2}, {.name = "male", .arity = 1}},
                                 {.name = "dad", .arity = 1});
    Instance family;
    family.schema = problem.schema;
    family.constants = 3;
    family.names = {"a", "stranger 3", "c"};
    family.facts = {{{0, 1}, {1, 2}}, {{0}, {1}}};
    family.labels = {Label::positive, Label::positive, Label::unlabelled};
    problem.training.instances = {family};
    const std::optional<Problem> both = learning::add_unrelated_constants(problem);
    ASSERT_TRUE(both);
    const Instance& instance = both->training.instances.at(0);
    EXPECT_EQ(instance.facts, family.facts);
    EXPECT_EQ(instance.names, (std::vector<std::string>{"a", "stranger 3", "c", "stranger 3'"}));
    EXPECT_EQ(instance.labels, (std::vector<Label>{Label::positive, Label::positive,
                                                   Label::unlabelled, Label::negative}));
    const Report report = learn(problem, {}, {.time_limit = 0, .max_work = 100'000});
    EXPECT_TRUE(report.fits);
    EXPECT_NE(to_text(report.program), "dad(X) <- True\n");
}

TEST(Strangers, ComeOnlyWherePositiveExamplesStandAlone) {
    Problem problem = few_ancestors();
    std::vector<Label>& labels = problem.training.instances[0].labels;
    std::fill_n(labels.begin(), 4, Label::negative);
    EXPECT_FALSE(learning::add_unrelated_constants(problem)) << "as many negative examples";
    labels.assign(81, Label::positive);
    EXPECT_FALSE(learning::add_unrelated_constants(problem)) << "every atom has a label";
    problem.training = make_problem(find_task("grandparent")).training;
    EXPECT_FALSE(learning::add_unrelated_constants(problem)) << "a generator knows every label";
}

TEST(Strangers, RepeatWhatIsAroundPositiveExamplesOfManyConstants) {
    Problem problem = few_ancestors();
    Instance& large = problem.training.instances[0];
    const Instance small = large;
    large.reset(100, Label::unlabelled);
    for (std::size_t p = 0; p < 2; ++p)
        for (const Fact& fact : small.facts[p])
            large.facts[p].push_back({50 + fact.first, 50 + fact.second});
    large.labels[100 * 50 + 57] = large.labels[100 * 56 + 58] = Label::positive;
    const Instance both = learning::add_unrelated_constants(problem)->training.instances.at(0);
    EXPECT_EQ(both.constants, 132);
    EXPECT_EQ(both.facts[0].size(), 6U) << "all that is said of the nine";
    EXPECT_EQ(both.facts[1].size(), 10U);
    EXPECT_EQ(both.count(Label::negative), 2 * 100 * 32);
}

TEST(Strangers, WithFactsOfTheirOwnAreNoneWhereNothingRelatesConstants) {
    Problem problem;
    problem.schema = make_schema({{.name = "strong", .arity = 1}, {.name = "weak", .arity = 1}},
                                 {.name = "beats", .arity = 2});
    Instance instance;
    instance.schema = problem.schema;
    instance.constants = 5;
    instance.facts = {{{0}, {1}}, {{2}, {3}}};
    instance.labels.assign(25, Label::unlabelled);
    for (const int atom : {2, 3, 7, 8})
        instance.labels[static_cast<std::size_t>(atom)] = Label::positive;
    problem.training.instances = {instance};
    EXPECT_EQ(learning::add_unrelated_constants(problem)->training.instances.at(0).constants, 6);
    const Report report = learn(problem, {}, {.time_limit = 0, .max_work = 200'000});
    EXPECT_TRUE(report.fits);
    EXPECT_EQ(to_text(report.program), "beats(X,Y) <- strong(X) & weak(Y)\n");
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
