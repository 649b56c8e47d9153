// SPDX-License-Identifier: Apache-2.0
#include "hri/why_not.hpp"

#include "hri/data.hpp"

#include "learn/evidence.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

Problem shop() {
    InMemoryData data;
    data.name = "shop";
    data.facts = {{{"sold", 3}, {"a", "x", "1", "b", "y", "2", "c", "x", "3"}, {1, 1, 1}},
                  {{"red", 1}, {"a", "b"}, {1, 1}}};
    data.positive = {{{"deal", 3}, {"a", "x", "1", "c", "x", "3"}, {1, 1}}};
    data.negative = {{{"deal", 3}, {"b", "y", "2"}, {1}}};
    return make_problem(data);
}

Problem family() {
    InMemoryData data;
    data.name = "family";
    data.facts = {{{"parent", 2}, {"a", "b", "b", "c", "c", "d"}, {1, 1, 1}}};
    data.positive = {{{"grandparent", 2}, {"a", "c", "b", "d"}, {1, 1}}};
    data.negative = {{{"grandparent", 2}, {"a", "b", "a", "d"}, {1, 1}}};
    return make_problem(data);
}

TEST(WhyNot, ListsWhatARuleMissesAndCoversWrongly) {
    const WhyNot answer = why_not("grandparent(X,Y) <- parent(X,Y)", family());
    EXPECT_EQ(answer.missed, (std::vector<std::string>{"grandparent(a,c)", "grandparent(b,d)"}));
    EXPECT_EQ(answer.wrong, (std::vector<std::string>{"grandparent(a,b)"}));
    EXPECT_EQ(answer.rule.score.false_negatives, 2);
    EXPECT_FALSE(answer.learned.has_value());
}

TEST(WhyNot, CountsRulesOfWidePredicatesRowByRow) {
    const Problem problem = shop();
    const Program program = parse_program(
        "deal(X,Y,Z) :- sold(X,Y,Z), red(X).\ndeal(X,Y,Z) :- sold(X,Y,Z), \\+ red(X).");
    EXPECT_TRUE(learning::needs_database(program, problem));
    const auto rows = learning::covered_rows(program, *problem.database);
    ASSERT_EQ(rows.size(), 3U);
    const auto evidence = learning::evidence_of(rows, 2);
    EXPECT_EQ(evidence[0].positives, 1);
    EXPECT_EQ(evidence[0].negatives, 1);
    EXPECT_EQ(evidence[1].positives, 1);
    EXPECT_EQ(evidence[1].only, 1);
    EXPECT_FALSE(learning::needs_database(
        parse_program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y)."), family()));
}

TEST(WhyNot, ComparesWithTheLearnedProgram) {
    const Program learned = parse_program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).");
    const WhyNot answer = why_not("grandparent(X,Y) :- parent(X,Y).", family(), &learned);
    ASSERT_TRUE(answer.learned && answer.together);
    EXPECT_EQ(answer.learned->score.false_negatives + answer.learned->score.false_positives, 0);
    EXPECT_EQ(answer.together->score.false_positives, 1);
    EXPECT_GT(answer.together->bits, answer.learned->bits);
    EXPECT_NE(answer.reasons.back().find("adds nothing"), std::string::npos);
}

TEST(WhyNot, JudgesTargetsOfThreeArgumentsOnTheDatabase) {
    const WhyNot answer = why_not("deal(X,Y,Z) :- sold(X,Y,Z), red(X)", shop());
    EXPECT_EQ(answer.missed, (std::vector<std::string>{"deal(c,x,3)"}));
    EXPECT_EQ(answer.wrong, (std::vector<std::string>{"deal(b,y,2)"}));
    const WhyNot right = why_not("deal(X,x,Z) :- sold(X,x,Z)", shop());
    EXPECT_TRUE(right.missed.empty() && right.wrong.empty());
}

TEST(WhyNot, NamesPredicatesThatTheDataLack) {
    const WhyNot answer = why_not("grandparent(X,Y) :- parnt(X,Z), parent(Z,Y)", family());
    ASSERT_EQ(answer.unknown.size(), 1U);
    EXPECT_EQ(answer.unknown[0].name, "parnt/2");
    EXPECT_EQ(answer.unknown[0].nearest, "parent");
}

TEST(WhyNot, RefusesAnotherTarget) {
    EXPECT_THROW(why_not("uncle(X,Y) :- parent(X,Y)", family()), Error);
    EXPECT_THROW(why_not("grandparent(X,Y) :- parent(X", family()), Error);
}

}  // namespace
}  // namespace hri
