// SPDX-License-Identifier: Apache-2.0
#include "hri/several_targets.hpp"

#include "hri/compositions.hpp"
#include "hri/customers.hpp"

#include "search/clauses/learn_clauses.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

/// A chain of parents: ancestors' ends are asked, and a relation that needs ancestors.
TEST(LearnTogether, UsesOneTargetInTheRulesOfAnother) {
    InMemoryData data;
    NamedTuples parent{{"parent", 2}, {}, {}};
    NamedTuples likes{{"likes", 2}, {}, {}};
    const auto add = [](NamedTuples& to, const std::string& x, const std::string& y) {
        to.cells.insert(to.cells.end(), {x, y});
        to.values.push_back(1);
    };
    NamedTuples far{{"far", 2}, {}, {}};
    NamedTuples no_far = far;
    NamedTuples fond{{"fond", 2}, {}, {}};
    NamedTuples no_fond = fond;
    for (int family = 0; family < 12; ++family) {
        const auto person = [&](int i) {
            return "p" + std::to_string(family) + "_" + std::to_string(i);
        };
        for (int i = 0; i < 4; ++i)
            add(parent, person(i), person(i + 1));
        add(likes, person(4), person(5));
        for (int i = 0; i < 3; ++i) {
            add(far, person(i), person(i + 2));
            add(no_far, person(i + 2), person(i));
        }
        add(no_far, person(0), person(1));
        add(fond, person(2), person(5));
        add(no_fond, person(0), person(5));
        add(no_fond, person(1), person(5));
        add(no_fond, person(5), person(2));
    }
    data.facts = {parent, likes};
    data.positive = {far, fond};
    data.negative = {no_far, no_fond};
    std::vector<Problem> problems;
    for (const char* target : {"far", "fond"}) {
        InMemoryData one = data;
        one.target = PredicateSymbol{target, 2};
        problems.push_back(make_problem(one));
    }
    const std::vector<TargetReport> learned = learn_together(problems, {}, {.time_limit = 20});
    ASSERT_EQ(learned.size(), 2U);
    EXPECT_EQ(to_text(learned[0].report.program), "far(X,Y) <- parent(X,Z) & parent(Z,Y)\n");
    EXPECT_EQ(to_text(learned[1].report.program), "fond(X,Y) <- likes(Z,Y) & far(X,Z)\n");
    EXPECT_TRUE(learned[0].report.fits);
    EXPECT_TRUE(learned[1].report.fits);
}

TEST(KinshipStories, GiveEachStoryOneRelationOfEighteen) {
    const InMemoryData stories =
        kinship_stories({.shortest = 4, .longest = 10, .stories = 70, .seed = 3});
    std::size_t positives = 0;
    std::size_t negatives = 0;
    for (const NamedTuples& tuples : stories.positive)
        positives += tuples.values.size();
    for (const NamedTuples& tuples : stories.negative)
        negatives += tuples.values.size();
    EXPECT_EQ(kinship_targets().size(), 18U);
    EXPECT_EQ(positives, 70U);
    EXPECT_EQ(negatives, 70U * 17U);
    EXPECT_THROW(kinship_stories({.shortest = 3, .longest = 2}), Error);
}

TEST(Customers, HaveARuleOverTwoTablesAndANumber) {
    const Problem problem = make_problem(customer_data({.customers = 300, .seed = 4}));
    const search::ClauseResult result =
        search::learn_clauses(*problem.database, {.max_tests = 30'000});
    const Problem unseen = make_problem(customer_data({.customers = 1'000, .seed = 5}));
    const Score score =
        search::score_on_examples(result.program, *unseen.database, unseen.database->examples);
    EXPECT_GE(score.accuracy, 0.99) << to_text(result.program);
}

}  // namespace
}  // namespace hri
