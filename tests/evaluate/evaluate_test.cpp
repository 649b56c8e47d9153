// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bits/compiled_program.hpp"
#include "evaluate/naive_evaluator.hpp"
#include "support/random_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::naive_evaluate;
using test::ProgramSpace;
using test::random_instance;
using test::random_program;
using testing::ElementsAre;

const std::vector<PredicateSymbol> kGraph{{"edge", 2}, {"mark", 1}, {"rain", 0}};

// 0 -> 1 -> 2 -> 3, mark(3)
Instance path() {
    Instance instance = make_instance(make_schema(kGraph), 4);
    instance.facts = {{{0, 1}, {1, 2}, {2, 3}}, {{3, 0}}, {}};
    return instance;
}

Truth run(const std::string& program, int steps = kToFixpoint) {
    return evaluate(parse_program(program), path(), steps);
}

TEST(Evaluate, RunsRecursionToItsFixpoint) {
    EXPECT_THAT(run("t(X,Y) :- edge(X,Y). t(X,Y) :- edge(X,Z), t(Z,Y)."),
                ElementsAre(0, 1, 1, 1,  //
                            0, 0, 1, 1,  //
                            0, 0, 0, 1,  //
                            0, 0, 0, 0));
}

TEST(Evaluate, MakesTheTargetOnceMoreAfterTheLastStep) {
    const std::string closure = "t(X,Y) :- edge(X,Y). t(X,Y) :- edge(X,Z), t(Z,Y).";
    EXPECT_EQ(run(closure, 0), run("t(X,Y) :- edge(X,Y)."));
    EXPECT_EQ(run(closure, 1), run("t(X,Y) :- edge(X,Y). t(X,Y) :- edge(X,Z), edge(Z,Y)."));
    EXPECT_EQ(run(closure, 2), run(closure));
}

TEST(Evaluate, UpdatesAuxiliariesTogetherFromThePreviousStep) {
    const std::string chain = "t(X) :- a(X). a(X) :- b(X). b(X) :- mark(X).";
    EXPECT_THAT(run(chain, 0), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(run(chain, 1), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(run(chain, 2), ElementsAre(0, 0, 0, 1));
}

TEST(Evaluate, LetsAVariableOfTheHeadAloneStandForEveryConstant) {
    EXPECT_THAT(run("t(X,Y) :- mark(X)."),
                ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
    EXPECT_THAT(run("t(X)."), ElementsAre(1, 1, 1, 1));
}

TEST(Evaluate, FindsConstantsByNameAndCountsMissingOnesAsFalse) {
    EXPECT_THAT(run("t(X) :- edge(X,2)."), ElementsAre(0, 1, 0, 0));
    EXPECT_THAT(run("t(X) :- edge(2,X)."), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(run("t(X) :- edge(X,4)."), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(run("t(X) :- edge(X,02)."), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(run("t(4). t(2)."), ElementsAre(0, 0, 1, 0));
    EXPECT_THAT(run("t :- edge(1,2)."), ElementsAre(1));
    EXPECT_THAT(run("t :- edge(2,1)."), ElementsAre(0));
    Instance named = path();
    named.names = {"ann", "bob", "cleo", "2"};
    EXPECT_THAT(evaluate(parse_program("t(X) :- edge(X,2)."), named), ElementsAre(0, 0, 1, 0));
}

TEST(Evaluate, CountsFactsFromOneHalfOn) {
    Instance instance = path();
    instance.facts[1] = {{0, 0, 0.49F}, {1, 0, 0.5F}};
    EXPECT_THAT(evaluate(parse_program("t(X) :- mark(X)."), instance), ElementsAre(0, 1, 0, 0));
}

TEST(Evaluate, CountsFactsBesideRulesButNotOfTheTarget) {
    EXPECT_THAT(run("t(X) :- mark(X). mark(X) :- edge(0,X)."), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(run("% target: mark/1\nt(X) :- edge(0,X)."), ElementsAre(0, 0, 0, 0));
}

TEST(Evaluate, TakesPredicatesThatTheDataLackAsFalse) {
    EXPECT_THAT(run("t(X) :- nowhere(X). t(X) :- mark(X)."), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(run("t(X) :- false(X,Y). t(X) :- mark(X)."), ElementsAre(0, 0, 0, 1));
    Instance instance = path();
    instance.facts.resize(1);
    EXPECT_THAT(evaluate(parse_program("t(X) :- mark(X)."), instance), ElementsAre(0, 0, 0, 0));
}

TEST(Evaluate, RunsProgramsBesidePredicatesOfMoreThanTwoArguments) {
    Program program = parse_program("t(X) :- mark(X).");
    program.vocabulary.intern({"between", 3});
    EXPECT_THAT(evaluate(program, path()), ElementsAre(0, 0, 0, 1));
}

TEST(Evaluate, RefusesTargetsOfMoreThanTwoArguments) {
    Program program;
    program.target = program.vocabulary.intern({"between", 3});
    try {
        evaluate(program, path());
        FAIL() << "an Error was expected";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("between/3"));
    }
}

TEST(Evaluate, HandlesAnInstanceWithoutConstants) {
    const Instance empty = make_instance(make_schema(kGraph), 0);
    EXPECT_TRUE(evaluate(parse_program("t(X,Y) :- edge(X,Y)."), empty).empty());
    EXPECT_THAT(evaluate(parse_program("t."), empty), ElementsAre(1));
    EXPECT_THAT(evaluate(parse_program("t :- a(X). a(X)."), empty), ElementsAre(0));
}

TEST(Evaluate, FollowsLongChainsOverManyWords) {
    Instance instance = make_instance(make_schema(kGraph), 200);
    for (int i = 0; i + 1 < instance.constants; ++i) {
        instance.facts[0].push_back({i, i + 1});
    }
    const Truth linear =
        evaluate(parse_program("t(X,Y) :- edge(X,Y). t(X,Y) :- t(X,Z), edge(Z,Y)."), instance);
    const Truth mirrored =
        evaluate(parse_program("t(X,Y) :- s(Y,X). s(X,Y) :- edge(Y,X). s(X,Y) :- s(Z,Y), s(X,Z)."),
                 instance);
    for (int i = 0; i < 200; ++i) {
        for (int j = 0; j < 200; ++j) {
            const auto cell = static_cast<std::size_t>(i * 200 + j);
            ASSERT_EQ(linear[cell], i < j ? 1 : 0) << i << "," << j;
            ASSERT_EQ(mirrored[cell], i < j ? 1 : 0) << i << "," << j;
        }
    }
}

TEST(Evaluate, JoinsBodiesWithCycles) {
    Instance instance = path();  // 0 -> 1 -> 2 -> 3 and back
    instance.facts[0] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 2}};
    const auto on_cycles = [&](const std::string& program) {
        return evaluate(parse_program(program), instance);
    };
    EXPECT_THAT(on_cycles("t :- edge(X,Y), edge(Y,Z), edge(Z,X)."), ElementsAre(1));
    EXPECT_THAT(on_cycles("t :- edge(X,Y), edge(Y,Z), edge(Z,X), mark(X)."), ElementsAre(0));
    EXPECT_THAT(on_cycles("t(X) :- edge(X,Y), edge(Y,Z), edge(Z,X)."), ElementsAre(1, 1, 1, 0));
    EXPECT_THAT(on_cycles("t(X) :- edge(X,Y), edge(Y,Z), edge(Z,U), edge(U,Y)."),
                ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(on_cycles("t(X) :- edge(X,Y), edge(Y,X)."), ElementsAre(0, 0, 1, 1));
}

struct Shape {
    const char* name;
    int max_atoms;
    int max_variables;
    double constants;
};

class EvaluateRandomPrograms : public testing::TestWithParam<Shape> {};

TEST_P(EvaluateRandomPrograms, AgreesWithTheDefinition) {
    ProgramSpace space;
    space.max_atoms = GetParam().max_atoms;
    space.max_variables = GetParam().max_variables;
    space.constants = GetParam().constants;
    Random random(20);
    int with_truth = 0;
    for (int i = 0; i < 1000; ++i) {
        const Program program = random_program(space, random);
        evaluation::CompiledProgram compiled(program, space.inputs);
        for (int j = 0; j < 2; ++j) {
            const Instance instance = random_instance(space.inputs, 1 + random.below(4), random);
            Truth truth;
            for (const int steps : {kToFixpoint, 0, 1, 2, 3, 7}) {
                compiled.evaluate(instance, steps, truth);
                ASSERT_EQ(truth, naive_evaluate(program, instance, steps))
                    << "program " << i << ", steps " << steps << "\n"
                    << to_prolog(program);
            }
            with_truth += std::count(truth.begin(), truth.end(), 1) > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(with_truth, 350);
}

INSTANTIATE_TEST_SUITE_P(OfEveryShape, EvaluateRandomPrograms,
                         testing::Values(Shape{"Short", 3, 4, 0},
                                         Shape{"WithConstants", 3, 4, 0.15},
                                         Shape{"Tangled", 7, 5, 0},
                                         Shape{"FewVariables", 5, 3, 0.05}),
                         [](const auto& shape) { return shape.param.name; });

// Rows of more than one word take other paths than short ones: embed a small instance in a large
// one.
TEST(EvaluateRandomPrograms, AgreesWithTheDefinitionOnRowsOfSeveralWords) {
    ProgramSpace space;
    space.max_variables = 3;
    space.max_rules = 4;
    space.max_auxiliaries = 2;
    Random random(31);
    for (int i = 0; i < 40; ++i) {
        const Program program = random_program(space, random);
        Instance instance = make_instance(make_schema(space.inputs), 66 + random.below(4));
        for (std::size_t p = 0; p < space.inputs.size(); ++p) {
            for (int k = 0; k < 20; ++k) {
                const int first = random.chance(0.5) ? 60 + random.below(6) : random.below(66);
                const int second = random.chance(0.5) ? 60 + random.below(6) : random.below(66);
                instance.facts[p].push_back({first, space.inputs[p].arity == 2 ? second : 0});
            }
        }
        for (const int steps : {kToFixpoint, 2}) {
            ASSERT_EQ(evaluate(program, instance, steps), naive_evaluate(program, instance, steps))
                << "steps " << steps << "\n"
                << to_prolog(program);
        }
    }
}

TEST(CompiledProgram, GivesTheSameAgainAfterInstancesOfOtherSizes) {
    const ProgramSpace space;
    Random random(32);
    for (int i = 0; i < 50; ++i) {
        const Program program = random_program(space, random);
        evaluation::CompiledProgram compiled(program, space.inputs);
        for (const int n : {3, 70, 2, 5, 1, 70, 4}) {
            Random facts(static_cast<std::uint64_t>(i * 100 + n));
            const Instance instance = random_instance(space.inputs, n, facts);
            Truth truth;
            compiled.evaluate(instance, kToFixpoint, truth);
            ASSERT_EQ(truth, evaluate(program, instance)) << to_prolog(program);
        }
    }
}

}  // namespace
}  // namespace hri
