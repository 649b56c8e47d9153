// SPDX-License-Identifier: Apache-2.0
// Programs over relations of any arity.

#include "datalog/evaluate.hpp"

#include "evaluate/naive_evaluator.hpp"
#include "support/random_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::datalog {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Shape {
    const char* name;
    int max_arity;
    double constants;
    double negation;
    double equality;
};

class WidePrograms : public testing::TestWithParam<Shape> {};

/// The target's cells in row-major order.
Truth truth_of(const Relation& relation, std::size_t constants) {
    std::size_t cells = 1;
    for (int i = 0; i < relation.arity(); ++i) {
        cells *= constants;
    }
    Truth truth(cells, 0);
    relation.each([&](Tuple tuple) {
        std::size_t cell = 0;
        for (const std::int32_t constant : tuple) {
            cell = cell * constants + static_cast<std::size_t>(constant);
        }
        truth[cell] = 1;
    });
    return truth;
}

TEST_P(WidePrograms, AgreeWithTheNaiveEvaluator) {
    test::ProgramSpace space;
    space.inputs = {{"u", 1}, {"e", 2}, {"r", 3}, {"z", 0}};
    if (GetParam().max_arity > 3) {
        space.inputs.push_back({"q", 4});
    }
    space.max_arity = GetParam().max_arity;
    space.max_variables = 5;
    space.constants = GetParam().constants;
    space.negation = GetParam().negation;
    space.equality = GetParam().equality;
    Random random(8);
    int with_truth = 0;
    int recursive = 0;
    int wide = 0;
    for (int i = 0; i < 300; ++i) {
        const Program program = test::random_program(space, random);
        const int n = 2 + random.below(3);
        const auto tuples = test::random_tuples(space.inputs, n, random);
        EvaluateSettings settings;
        settings.constants = static_cast<std::size_t>(n);
        std::vector<std::string> names;
        for (int c = 0; c < n; ++c) {
            names.push_back("c" + std::to_string(c));
        }
        for (const std::string& name : program.vocabulary.constants()) {
            const auto known = std::find(names.begin(), names.end(), name);
            settings.numbers.push_back(
                known == names.end() ? -1 : static_cast<std::int32_t>(known - names.begin()));
        }
        for (const int steps : {kToFixpoint, 0, 1, 3}) {
            if (steps >= 0 && space.negation + space.equality > 0) {
                continue;  // the naive evaluator knows no strata in steps
            }
            settings.steps = steps;
            test::NaiveEvaluator naive(program, n, names);
            std::vector<Relation> relations =
                empty_relations(program.vocabulary, settings.constants);
            for (std::size_t p = 0; p < space.inputs.size(); ++p) {
                Batch batch(space.inputs[p].arity);
                for (const std::vector<std::int32_t>& tuple : tuples[p]) {
                    batch.add(Tuple(tuple));
                    naive.add_fact(space.inputs[p], tuple);
                }
                Relation& relation = relations[program.vocabulary.find(space.inputs[p])->id];
                relation.advance(batch);
                relation.settle();
            }
            evaluate(program, relations, settings);
            const Truth expected = naive.run(steps);
            ASSERT_EQ(truth_of(relations[program.target.id], settings.constants), expected)
                << "program " << i << ", steps " << steps << ", " << n << " constants\n"
                << to_prolog(program);
            with_truth += steps < 0 && std::count(expected.begin(), expected.end(), 1) > 0 ? 1 : 0;
        }
        recursive += is_recursive(program) ? 1 : 0;
        wide += program.vocabulary[program.target].arity > 2 ? 1 : 0;
    }
    EXPECT_GT(with_truth, 100);
    EXPECT_GT(recursive, 60);
    EXPECT_GT(wide, 60);
}

INSTANTIATE_TEST_SUITE_P(OfEveryShape, WidePrograms,
                         testing::Values(Shape{"OfArityThree", 3, 0, 0, 0},
                                         Shape{"OfArityFour", 4, 0, 0, 0},
                                         Shape{"WithConstants", 4, 0.15, 0, 0},
                                         Shape{"Negated", 4, 0.05, 0.3, 0},
                                         Shape{"WithEqualities", 4, 0.1, 0.2, 0.25}),
                         [](const auto& shape) { return shape.param.name; });

/// edge(0,1), edge(1,2), ... and the rules of reach/2.
struct Chain {
    explicit Chain(int constants)
        : program(parse_program("reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y).")) {
        settings.constants = static_cast<std::size_t>(constants);
        relations = empty_relations(program.vocabulary, settings.constants);
        Batch batch(2);
        for (int i = 0; i + 1 < constants; ++i) {
            batch.add(key_of(i, i + 1));
        }
        relations[program.vocabulary.find({"edge", 2})->id].advance(batch);
    }

    void run() { evaluate(program, relations, settings); }

    const Relation& reach() const { return relations[program.target.id]; }

    Program program;
    EvaluateSettings settings;
    std::vector<Relation> relations;
};

TEST(Evaluate, TellsTheRoundOfEveryTuple) {
    Chain chain(6);
    Rounds rounds;
    chain.settings.rounds = &rounds;
    chain.run();
    ASSERT_EQ(chain.reach().size(), 15);
    for (std::int32_t x = 0; x < 6; ++x) {
        for (std::int32_t y = 0; y < 6; ++y) {
            EXPECT_EQ(rounds.of(chain.program.target.id, std::array{x, y}), std::max(y - x, 0));
        }
    }
    EXPECT_EQ(rounds.derived_before(chain.program.target.id, 1), 0);
    EXPECT_EQ(rounds.derived_before(chain.program.target.id, 2), 5);
    EXPECT_EQ(rounds.derived_before(chain.program.target.id, 9), 15);
}

TEST(Evaluate, RefusesWhatGoesBeyondALimit) {
    const auto run = [](const Limits& limits) {
        Chain chain(50);
        chain.settings.limits = limits;
        chain.run();
    };
    EXPECT_THAT([&] { run({.atoms = 1000}); },
                ThrowsMessage<LimitReached>(HasSubstr("more than 1000 atoms of one predicate")));
    EXPECT_THAT([&] { run({.derived = 1000}); },
                ThrowsMessage<LimitReached>(HasSubstr("more than 1000 atoms")));
    EXPECT_THAT([&] { run({.bindings = 1000}); },
                ThrowsMessage<LimitReached>(HasSubstr("more than 1000 bindings")));
    EXPECT_NO_THROW(run({.atoms = 1225, .derived = 1225}));
}

TEST(Evaluate, AsksWhetherToStop) {
    Chain chain(50);
    int asked = 0;
    chain.settings.limits.stop = [&] { return ++asked == 10; };
    EXPECT_THROW(chain.run(), LimitReached);
    EXPECT_EQ(asked, 10);
}

TEST(Evaluate, AddsToFactsOfWhatRulesDefine) {
    Chain chain(3);
    Batch batch(2);
    batch.add(key_of(2, 0));
    chain.relations[chain.program.target.id].advance(batch);
    chain.relations[chain.program.target.id].settle();
    chain.run();
    EXPECT_EQ(chain.reach().size(), 6);  // 0-1, 0-2, 1-2, and 0, 1, 2 to 0
}

}  // namespace
}  // namespace hri::datalog
