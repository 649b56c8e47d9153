// SPDX-License-Identifier: Apache-2.0
#include "learn/constraints.hpp"

#include "hri/data.hpp"
#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include <gmock/gmock.h>

namespace hri::learning {
namespace {

/// A family as data: fixed instances of the built-in task.
Problem family() {
    Problem problem = make_problem(find_task("grandparent"));
    Random random(3, Random::kData);
    for (int i = 0; i < 4; ++i) {
        Instance instance;
        problem.training.generate(random, instance);
        problem.training.instances.push_back(instance);
    }
    problem.training.generate = {};
    return problem;
}

LearnSettings quick() {
    LearnSettings settings;
    settings.strategy = Strategy::search;
    settings.time_limit = 0;
    settings.max_work = 1'000'000;
    return settings;
}

/// Whether a veto of the rule or the literal meets the clause.
bool vetoes(const Constraints& constraints, const std::string& clause) {
    const Program program = parse_program(clause);
    return !Vetoes(program.vocabulary[program.target], constraints).allow(program);
}

TEST(Constraints, VetoedRulesAreComparedUpToNamesAndOrder) {
    const auto same = [](const std::string& rule, const std::string& clause) {
        return vetoes({.vetoed_rules = {rule}}, clause);
    };
    EXPECT_TRUE(same("p(X,Y) :- q(X,Z), r(Z,Y).", "p(A,B) :- r(C,B), q(A,C)."));
    EXPECT_FALSE(same("p(X,Y) :- q(X,Z), r(Z,Y).", "p(X,Y) :- q(Y,Z), r(Z,X)."));
    EXPECT_TRUE(same("p(X) :- q(X,U), q(V,X), r(U,V).", "p(X) :- q(B,X), r(A,B), q(X,A)."));
    EXPECT_FALSE(same("p(X) :- q(X).", "p(X) :- \\+ q(X)."));
    EXPECT_FALSE(same("p(X) :- q(X).", "p(X) :- q(X), r(X)."));
    EXPECT_FALSE(same("p(X,Y) :- q(X,Y).", "p(X,X) :- q(X,X)."));
    EXPECT_TRUE(same("p(X) :- q(X,a).", "p(Y) :- q(Y,a)."));
    EXPECT_FALSE(same("p(X) :- q(X,a).", "p(Y) :- q(Y,b)."));
}

TEST(Constraints, AVetoMeetsWhatInventedPredicatesStandFor) {
    const char* invented = "p(X,Y) :- a(X,Z), a(Z,Y).\na(X,Y) :- q(X,Y).\na(X,Y) :- r(X,Y).";
    EXPECT_TRUE(vetoes({.vetoed_rules = {"p(X,Y) :- q(X,Z), r(Z,Y)."}}, invented));
    EXPECT_FALSE(vetoes({.vetoed_rules = {"p(X,Y) :- q(X,Z), s(Z,Y)."}}, invented));
    EXPECT_TRUE(vetoes({.vetoed_literals = {"p(X,Y) :- r(X,Z)."}}, invented));
    EXPECT_TRUE(vetoes({.vetoed_literals = {"other(X,Y) :- r(X,Y)."}}, invented));
    // The rule with what it calls: under other names, in other words, but not in part.
    const Constraints whole = {
        .vetoed_rules = {"p(X,Y) :- b(X,Z), b(Z,Y). b(X,Y) :- q(X,Y). b(X,Y) :- r(X,Y)."}};
    EXPECT_TRUE(vetoes(whole, invented));
    EXPECT_TRUE(vetoes(whole,
                       "p(X,Y) :- q(X,Z), q(Z,Y). p(X,Y) :- q(X,Z), r(Z,Y). "
                       "p(X,Y) :- r(X,Z), q(Z,Y). p(X,Y) :- r(X,Z), r(Z,Y)."));
    EXPECT_FALSE(vetoes(whole, "p(X,Y) :- q(X,Z), a(Z,Y).\na(X,Y) :- q(X,Y).\na(X,Y) :- r(X,Y)."));
    const char* recursive = "p(X,Y) :- a(X,Y).\na(X,Y) :- q(X,Y).\na(X,Y) :- q(X,Z), a(Z,Y).";
    EXPECT_TRUE(vetoes({.vetoed_rules = {"p(X,Y) :- q(X,Z), q(Z,Y)."}}, recursive));
    EXPECT_FALSE(vetoes({.vetoed_rules = {"p(X,Y) :- r(X,Y)."}}, recursive));
}

TEST(Constraints, AVetoedLiteralMeetsEveryRuleThatHasIt) {
    const auto has = [](const std::string& literal, const std::string& clause) {
        return vetoes({.vetoed_literals = {literal}}, clause);
    };
    EXPECT_TRUE(has("p(X,Y) :- r(Z,Y).", "p(A,B) :- q(A,C), r(C,B)."));
    EXPECT_FALSE(has("p(X,Y) :- r(Z,Y).", "p(A,B) :- q(A,C), r(B,C)."));
    EXPECT_FALSE(has("p(X,Y) :- r(Z,Y).", "p(A,B) :- r(A,B)."));  // Z is none of the head
    EXPECT_TRUE(has("p(X,Y) :- r(X,Y).", "p(A,B) :- q(A), r(A,B)."));
    EXPECT_TRUE(has("p(X,Y) :- q(X,Z), r(Z,Y).", "p(A,B) :- s(A), r(C,B), q(A,C)."));
    EXPECT_FALSE(has("p(X,Y) :- q(X,Z), r(Z,Y).", "p(A,B) :- r(D,B), q(A,C), s(C,D)."));
    EXPECT_THROW(vetoes({.vetoed_literals = {"p(a)."}}, "p(X) :- q(X)."), Error);
    EXPECT_THROW(vetoes({.vetoed_literals = {"p(X :- q(X)."}}, "p(X) :- q(X)."), Error);
}

TEST(Constraints, AVetoedRuleIsReplacedByAnotherThatFits) {
    const Problem problem = family();
    const Report before = learn(problem, {}, quick());
    ASSERT_TRUE(before.fits);
    LearnSettings settings = quick();
    const Program& program = before.program;
    std::string first = to_prolog({program.vocabulary, program.target, {program.rules.front()}});
    settings.constraints.vetoed_rules = {first};
    const Report after = learn(problem, {}, settings);
    EXPECT_TRUE(after.fits) << to_text(after.program);
    EXPECT_TRUE(Vetoes(problem.target(), settings.constraints).allow(after.program))
        << to_text(after.program);
}

TEST(Constraints, AVetoedPredicateIsNotUsed) {
    const Problem problem = family();
    LearnSettings settings = quick();
    settings.max_work = 200'000;
    settings.constraints.vetoed_predicates = {"mother/2"};
    const Report report = learn(problem, {}, settings);
    EXPECT_THAT(to_text(report.program), testing::Not(testing::HasSubstr("mother")));
    settings.constraints.vetoed_predicates = {"moter/2"};
    EXPECT_THROW(learn(problem, {}, settings), Error);
}

/// What was sold was also made; red goods are liked.
Problem shop() {
    InMemoryData data;
    data.name = "shop";
    data.facts = {{{"sold", 3}, {"s", "a", "x", "s", "b", "y", "t", "c", "z"}, {1, 1, 1}},
                  {{"made", 3}, {"s", "a", "x", "s", "b", "y", "t", "c", "z"}, {1, 1, 1}},
                  {{"red", 1}, {"a", "c"}, {1, 1}}};
    data.positive = {{{"likes", 1}, {"x", "z"}, {1, 1}}};
    data.negative = {{{"likes", 1}, {"y"}, {1}}};
    return make_problem(data);
}

LearnSettings clauses() {
    LearnSettings settings;
    settings.strategy = Strategy::clauses;
    settings.time_limit = 0;
    settings.max_work = 300'000;
    return settings;
}

TEST(Constraints, AVetoedWidePredicateIsNotUsedAndTheOthersAre) {
    LearnSettings settings = clauses();
    settings.constraints.vetoed_predicates = {"sold/3"};
    const Report report = learn(shop(), {}, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    EXPECT_THAT(to_text(report.program), testing::Not(testing::HasSubstr("sold")));
    EXPECT_THAT(to_text(report.program), testing::HasSubstr("made"));
}

TEST(Constraints, RulesAndLiteralsOfWidePredicatesAreVetoed) {
    const Problem problem = shop();
    const std::string first = to_prolog(learn(problem, {}, clauses()).program);
    for (const Constraints& constraints :
         {Constraints{.vetoed_rules = {first}},
          Constraints{.vetoed_literals = {"likes(C) :- sold(S,G,C)."}},
          Constraints{.vetoed_literals = {"likes(C) :- sold(S,G,C).", "likes(C) :- made(S,s,C).",
                                          "likes(C) :- red(G)."}}}) {
        for (const Strategy strategy : {Strategy::clauses, Strategy::portfolio}) {
            LearnSettings settings = clauses();
            settings.strategy = strategy;
            settings.constraints = constraints;
            const Report report = learn(problem, {}, settings);
            EXPECT_TRUE(report.fits) << to_text(report.program);
            EXPECT_TRUE(Vetoes(problem.target(), constraints).allow(report.program))
                << to_text(report.program);
        }
    }
}

TEST(Constraints, ARuleOfWidePredicatesIsPinned) {
    const Problem problem = shop();
    for (const char* pinned :
         {"likes(C) :- made(t,G,C).", "likes(C) :- sold(S,G,C), red(G)."}) {  // a part, and all
        LearnSettings settings = clauses();
        settings.constraints.pinned = pinned;
        const Report report = learn(problem, {}, settings);
        EXPECT_TRUE(report.fits) << to_text(report.program);
        EXPECT_EQ(report.training.positives, 2);
        EXPECT_EQ(report.evidence.size(), report.program.rules.size());
        EXPECT_FALSE(Vetoes(problem.target(), {.vetoed_rules = {pinned}}).allow(report.program))
            << to_text(report.program);
    }
}

TEST(Constraints, AVetoedRecursiveClauseIsNotLearned) {
    InMemoryData data;
    data.name = "path";
    data.facts = {{{"edge", 2}, {"a", "b", "b", "c", "c", "d", "d", "e"}, {1, 1, 1, 1}}};
    data.positive = {
        {{"path", 2}, {"a", "b", "a", "c", "a", "d", "a", "e", "b", "e"}, {1, 1, 1, 1, 1}}};
    data.negative = {{{"path", 2},
                      {"b", "a", "e", "a", "d", "b", "a", "a", "b", "b", "c", "b"},
                      {1, 1, 1, 1, 1, 1}}};
    Problem problem = make_problem(data);
    auto database = std::make_shared<Database>(*problem.database);
    database->bias.recursion = true;
    problem.database = database;
    LearnSettings settings = clauses();
    const Report free = learn(problem, {}, settings);
    ASSERT_TRUE(free.fits && is_recursive(free.program)) << to_text(free.program);
    settings.constraints.vetoed_literals = {"path(X,Y) :- path(Z,Y)."};
    const Report report = learn(problem, {}, settings);
    EXPECT_TRUE(Vetoes(problem.target(), settings.constraints).allow(report.program))
        << to_text(report.program);
}

TEST(Constraints, APinnedRuleStaysAndTheRestIsLearned) {
    const Problem problem = family();
    LearnSettings settings = quick();
    settings.constraints.pinned = "grandparent(X,Y) :- father(X,Z), father(Z,Y).";
    const Report report = learn(problem, {}, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    EXPECT_FALSE(Vetoes(problem.target(), {.vetoed_rules = {settings.constraints.pinned}})
                     .allow(report.program));
    for (const char* wrong :
         {"father(X,Y) :- mother(X,Y).", "grandparent(X,Y) :- father(X,Z), fathr(Z,Y).",
          "grandparent(X,Y) :- father(X,Z), mother(Z,Y). father(X,Y) :- mother(X,Y).",
          "other(X,Y) :- mother(X,Y)."}) {
        settings.constraints.pinned = wrong;
        EXPECT_THROW(learn(problem, {}, settings), Error) << wrong;
    }
}

TEST(Constraints, PinnedRulesBringPredicatesOfTheirOwn) {
    const Problem problem = family();
    LearnSettings settings = quick();
    settings.constraints.pinned =
        "grandparent(X,Y) :- aux1(X,Z), father(Z,Y). aux1(X,Y) :- father(X,Y). "
        "aux1(X,Y) :- mother(X,Y).";
    const Report report = learn(problem, {}, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    EXPECT_EQ(report.training.false_positives, 0) << to_text(report.program);
}

TEST(Constraints, NamesOfPinnedRulesDoNotMeetThoseOfTheLearner) {
    const Program learned = parse_program("p(X,Y) :- a(X,Y), a(Y,X). a(X,Y) :- q(X,Y).");
    const Program pinned =
        parse_program("p(X,Y) :- a(X,Y), a_1(Y,X). a(X,Y) :- r(X,Y). a_1(X,Y) :- s(X,Y).");
    EXPECT_EQ(to_prolog(with_pinned(learned, pinned)),
              to_prolog(parse_program("p(X,Y) :- a_2(X,Y), a_1(Y,X). a_2(X,Y) :- r(X,Y). "
                                      "a_1(X,Y) :- s(X,Y). p(X,Y) :- a(X,Y), a(Y,X). "
                                      "a(X,Y) :- q(X,Y).")));
}

}  // namespace
}  // namespace hri::learning
