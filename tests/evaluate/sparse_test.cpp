// SPDX-License-Identifier: Apache-2.0
// Sparse relations tell the same as bit-sets.

#include "evaluate/bits/compiled_program.hpp"
#include "support/random_programs.hpp"
#include "support/truth.hpp"

#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

using test::ProgramSpace;
using test::random_instance;
using test::random_program;
using test::truth_of;

struct SparseShape {
    const char* name;
    int max_atoms;
    int max_variables;
    double constants;
    double negation;
    double equality;
};

class SparseRandomPrograms : public testing::TestWithParam<SparseShape> {};

TEST_P(SparseRandomPrograms, AgreeWithBitSets) {
    ProgramSpace space;
    space.max_atoms = GetParam().max_atoms;
    space.max_variables = GetParam().max_variables;
    space.constants = GetParam().constants;
    space.negation = GetParam().negation;
    space.equality = GetParam().equality;
    Random random(20);
    int with_truth = 0;
    int recursive = 0;
    for (int i = 0; i < 2000; ++i) {
        const Program program = random_program(space, random);
        evaluation::CompiledProgram compiled(program, space.inputs);
        const Instance instance = random_instance(space.inputs, random.below(9), random);
        Truth expected;
        for (const int steps : {0, 1, 2, 4, kToFixpoint}) {
            compiled.evaluate(instance, steps, expected);
            const std::vector<Fact> atoms = true_atoms(program, instance, steps);
            ASSERT_TRUE(std::is_sorted(atoms.begin(), atoms.end()));
            ASSERT_EQ(truth_of(atoms, program, instance.constants), expected)
                << "program " << i << ", steps " << steps << ", " << instance.constants
                << " constants\n"
                << to_prolog(program);
        }
        with_truth += std::count(expected.begin(), expected.end(), 1) > 0 ? 1 : 0;
        recursive += is_recursive(program) ? 1 : 0;
    }
    EXPECT_GT(with_truth, 400);
    EXPECT_GT(recursive, 400);
}

INSTANTIATE_TEST_SUITE_P(OfEveryShape, SparseRandomPrograms,
                         testing::Values(SparseShape{"Short", 3, 4, 0, 0, 0},
                                         SparseShape{"WithConstants", 3, 4, 0.15, 0, 0},
                                         SparseShape{"Tangled", 6, 5, 0, 0, 0},
                                         SparseShape{"Negated", 4, 4, 0.05, 0.3, 0},
                                         SparseShape{"WithEqualities", 4, 4, 0.1, 0.2, 0.25}),
                         [](const auto& shape) { return shape.param.name; });

// Blocks of bindings, indices and merged runs come into play.
TEST(TrueAtoms, AgreesWithBitSetsOnManyConstants) {
    ProgramSpace space;
    space.max_variables = 3;
    space.max_rules = 5;
    space.max_auxiliaries = 2;
    Random random(31);
    for (int i = 0; i < 20; ++i) {
        const Program program = random_program(space, random);
        Instance instance = make_instance(make_schema(space.inputs), 150);
        for (std::size_t p = 0; p < space.inputs.size(); ++p) {
            std::set<Fact> facts;
            for (int k = 0; k < (space.inputs[p].arity == 0 ? 1 : 120); ++k) {
                facts.insert({space.inputs[p].arity > 0 ? random.below(150) : 0,
                              space.inputs[p].arity > 1 ? random.below(150) : 0});
            }
            instance.facts[p].assign(facts.begin(), facts.end());
        }
        evaluation::CompiledProgram compiled(program, space.inputs);
        Truth expected;
        for (const int steps : {kToFixpoint, 3}) {
            compiled.evaluate(instance, steps, expected);
            ASSERT_EQ(truth_of(true_atoms(program, instance, steps), program, 150), expected)
                << to_prolog(program);
        }
    }
}

const std::vector<PredicateSymbol> kEdge{{"edge", 2}};

Instance chain(int constants) {
    Instance instance = make_instance(make_schema(kEdge), constants);
    for (int i = 0; i + 1 < constants; ++i) {
        instance.facts[0].push_back({i, i + 1});
    }
    return instance;
}

TEST(TrueAtoms, ReachesTheEndOfAChainOfAHundredThousand) {
    const Program program =
        parse_program("reached(X) :- edge(0,X). reached(X) :- reached(Y), edge(Y,X).");
    const std::vector<Fact> atoms = true_atoms(program, chain(100'000));
    ASSERT_EQ(atoms.size(), 99'999);
    EXPECT_EQ(atoms.back().first, 99'999);
}

TEST(TrueAtoms, IsWhatEvaluateRunsWhereConstantsAreMany) {
    const Instance instance = chain(5000);
    const Truth truth = evaluate(parse_program("t(X) :- edge(X,Y), edge(Y,4999)."), instance);
    ASSERT_EQ(truth.size(), 5000);
    EXPECT_EQ(std::count(truth.begin(), truth.end(), 1), 1);
    EXPECT_EQ(truth[4997], 1);
}

TEST(TrueAtoms, RefusesWhatHoldsOfTooMuch) {
    const Program program = parse_program("t(X,Y) :- edge(X,Z), edge(V,Y).");
    EXPECT_THROW(true_atoms(program, chain(100), kToFixpoint, 1000), Error);
    EXPECT_EQ(true_atoms(program, chain(100), kToFixpoint, 9801).size(), 9801);
}

}  // namespace
}  // namespace hri
