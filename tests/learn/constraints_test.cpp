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

std::string canonical(const std::string& text) {
    const Program program = parse_program(text);
    return canonical_clause(program, program.rules.front());
}

TEST(Constraints, ClausesAreComparedUpToNamesAndOrder) {
    EXPECT_EQ(canonical("p(X,Y) :- q(X,Z), r(Z,Y)."), canonical("p(A,B) :- r(C,B), q(A,C)."));
    EXPECT_NE(canonical("p(X,Y) :- q(X,Z), r(Z,Y)."), canonical("p(X,Y) :- q(Y,Z), r(Z,X)."));
    EXPECT_EQ(canonical("p(X) :- q(X,U), q(V,X), r(U,V)."),
              canonical("p(X) :- q(B,X), r(A,B), q(X,A)."));
    EXPECT_NE(canonical("p(X) :- q(X)."), canonical("p(X) :- \\+ q(X)."));
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
    EXPECT_FALSE(has_vetoed_clause(after.program, canonical_clauses({first})))
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

TEST(Constraints, AVetoedWidePredicateIsNotUsedAndTheOthersAre) {
    InMemoryData data;
    data.name = "shop";
    data.facts = {{{"sold", 3}, {"s", "a", "x", "s", "b", "y", "t", "c", "z"}, {1, 1, 1}},
                  {{"made", 3}, {"s", "a", "x", "s", "b", "y", "t", "c", "z"}, {1, 1, 1}},
                  {{"red", 1}, {"a", "c"}, {1, 1}}};
    data.positive = {{{"likes", 1}, {"x", "z"}, {1, 1}}};
    data.negative = {{{"likes", 1}, {"y"}, {1}}};
    const Problem problem = make_problem(data);
    LearnSettings settings;
    settings.strategy = Strategy::clauses;
    settings.time_limit = 0;
    settings.max_work = 300'000;
    settings.constraints.vetoed_predicates = {"sold/3"};
    const Report report = learn(problem, {}, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    EXPECT_THAT(to_text(report.program), testing::Not(testing::HasSubstr("sold")));
    EXPECT_THAT(to_text(report.program), testing::HasSubstr("made"));
}

TEST(Constraints, APinnedRuleStaysAndTheRestIsLearned) {
    const Problem problem = family();
    LearnSettings settings = quick();
    settings.constraints.pinned = "grandparent(X,Y) :- father(X,Z), father(Z,Y).";
    const Report report = learn(problem, {}, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    EXPECT_TRUE(has_vetoed_clause(report.program, {canonical(settings.constraints.pinned)}));
    settings.constraints.pinned = "father(X,Y) :- mother(X,Y).";
    EXPECT_THROW(learn(problem, {}, settings), Error);
}

}  // namespace
}  // namespace hri::learning
