// SPDX-License-Identifier: Apache-2.0
#include "search/head_connected.hpp"

#include "hri/evaluate.hpp"
#include "hri/learn.hpp"

#include "learn/program_scorer.hpp"
#include "support/swi_prolog.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

const std::vector<PredicateSymbol> kInputs = {
    {.name = "has_car", .arity = 2}, {.name = "long", .arity = 1}, {.name = "size", .arity = 2}};

/// A train with a car, long or not, of a size that others share.
Instance train(const std::string& name, bool is_long) {
    Instance instance;
    instance.schema = make_schema(kInputs, {.name = "f", .arity = 1});
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
    EXPECT_TRUE(search::is_head_connected(parse_program("f(X) :- has_car(X,Y), long(Y).")));
    EXPECT_FALSE(search::is_head_connected(parse_program("f(X) :- long(Y).")));
    EXPECT_FALSE(search::is_head_connected(parse_program("f(X) :- has_car(X,Y), long(Z).")));
    EXPECT_TRUE(search::is_head_connected(parse_program("f(X,Y) :- long(X), long(Y).")));
    EXPECT_FALSE(search::is_head_connected(
        parse_program("f(X) :- g(X,Y), long(Y). g(X,Y) :- long(X), long(Y).")))
        << "the invented predicate links nothing";
    EXPECT_TRUE(search::is_head_connected(
        parse_program("f(X) :- g(X,Y), long(Y). g(X,Y) :- size(X,Z), size(Y,Z).")));
}

TEST(Link, PutsInstancesSideBySideAndSharesValues) {
    const std::vector<Instance> pairs = search::paired_instances(trains(), 1);
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
    const std::vector<Instance> pairs = search::paired_instances(instances, 1);
    const search::HeadConnector connector(kInputs, instances, pairs);
    EXPECT_EQ(to_text(connector.connected(parse_program("f(X) :- long(Y)."))),
              "f(X) <- has_car(X,Y) & long(Y)\n");
}

TEST(Link, LeavesLinkedProgramsAndThoseWithoutALinkAlone) {
    const std::vector<Instance> instances = trains();
    const Program fine = parse_program("f(X) :- has_car(X,Y), size(Y,Z), size(U,Z), long(U).");
    const std::vector<Instance> pairs = search::paired_instances(instances, 1);
    const search::HeadConnector connector(kInputs, instances, pairs);
    EXPECT_EQ(to_text(connector.connected(fine)), to_text(fine));
    const Program hopeless = parse_program("f(X) :- long(Y).");
    const search::HeadConnector without({{.name = "long", .arity = 1}}, instances, pairs);
    EXPECT_EQ(to_text(without.connected(hopeless)), to_text(hopeless));
}

TEST(Link, IsNotMadeByScoring) {
    Problem problem;
    problem.schema = make_schema(kInputs, {.name = "f", .arity = 1});
    problem.training.instances = trains();
    const learning::ProgramScorer scorer(problem, 0);
    const Program loose = parse_program("f(X) :- long(Y).");
    const Alternative judged = scorer.judge(loose);
    EXPECT_EQ(to_text(judged.program), to_text(loose));
    EXPECT_FALSE(judged.fits) << "it is wrong of two trains side by side";
}

TEST(Link, IsWhatLearningFromSplitDataGives) {
    Problem problem;
    problem.name = "trains";
    problem.schema = make_schema(kInputs, {.name = "f", .arity = 1});
    problem.training.instances = trains();
    const Report report = learn(problem, {}, {.time_limit = 0, .max_work = 200'000});
    EXPECT_TRUE(report.fits);
    EXPECT_EQ(to_text(report.program), "f(X) <- has_car(X,Y) & long(Y)\n");
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem));
}

}  // namespace
}  // namespace hri
