// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/refine_clauses.hpp"

#include "evaluate/score.hpp"
#include "support/random_programs.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

Program random_clause(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                      Random& random) {
    Program program;
    program.target = program.vocabulary.intern(target);
    Rule rule{{program.target, {}}, {}};
    for (int i = 0; i < target.arity; ++i)
        rule.head.arguments.push_back(Term::variable(i));
    for (int i = 0; i <= random.below(4); ++i) {
        const PredicateSymbol& input = inputs[static_cast<std::size_t>(random.below(4))];
        Atom atom{program.vocabulary.intern(input), {}};
        for (int a = 0; a < input.arity; ++a)
            atom.arguments.push_back(Term::variable(random.below(4)));
        rule.body.push_back(std::move(atom));
    }
    program.rules.push_back(std::move(rule));
    return program;
}

TEST(Refinement, CountsWhatTheClauseDerivesInEachInstance) {
    const std::vector<PredicateSymbol> inputs{{"u", 1}, {"v", 1}, {"e", 2}, {"f", 2}};
    Random random(4);
    std::int64_t found = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const PredicateSymbol target{"t", 1 + trial % 2};
        std::vector<Instance> instances;
        for (int i = 0; i < 3; ++i) {
            Instance instance = test::random_instance(inputs, 1 + random.below(5), random);
            const auto n = static_cast<std::size_t>(instance.constants);
            for (std::size_t atom = 0; atom < (target.arity == 2 ? n * n : n); ++atom)
                instance.labels.push_back(random.chance(0.5) ? Label::positive : Label::negative);
            instances.push_back(std::move(instance));
        }
        const data::InstanceDatabase facts = data::instance_database(instances, inputs, target);
        const Program clause = random_clause(inputs, target, random);
        const Score expected = evaluation::score_of(clause, inputs, instances);
        std::optional<Score> counted;
        search::refine_clauses(
            search::RefinementData(facts), facts.database.examples, clause,
            [&](const Program&, const Score& score) {
                counted = counted ? counted : score;
                return 0.0;
            },
            [] { return true; });
        ASSERT_TRUE(counted);
        ASSERT_EQ(counted->positives, expected.positives) << to_text(clause);
        ASSERT_EQ(counted->false_negatives, expected.false_negatives) << to_text(clause);
        ASSERT_EQ(counted->false_positives, expected.false_positives) << to_text(clause);
        found += expected.false_positives;
    }
    EXPECT_GT(found, 250);
}

}  // namespace
}  // namespace hri
