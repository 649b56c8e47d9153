// SPDX-License-Identifier: Apache-2.0
#include "evaluate/coverage.hpp"

#include "search/clause_search.hpp"
#include "support/random_programs.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

using evaluation::Clause;

evaluation::Literal random_literal(const std::vector<PredicateSymbol>& inputs, Random& random) {
    const int p = random.below(static_cast<int>(inputs.size()));
    const int first = random.below(4);
    return {p, first, inputs[static_cast<std::size_t>(p)].arity == 1 ? first : random.below(4)};
}

TEST(Coverage, IsWhatTheRuleDerives) {
    const std::vector<PredicateSymbol> inputs{{"u", 1}, {"v", 1}, {"e", 2}, {"f", 2}};
    Random random(4);
    int found = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const PredicateSymbol target{"t", 1 + trial % 2};
        std::vector<Instance> instances;
        std::vector<const Instance*> all;
        for (int i = 0; i < 3; ++i) {
            Instance instance = test::random_instance(inputs, 1 + random.below(5), random);
            const auto n = static_cast<std::size_t>(instance.constants);
            instance.labels.assign(target.arity == 2 ? n * n : n, Label::negative);
            instances.push_back(std::move(instance));
        }
        for (const Instance& instance : instances)
            all.push_back(&instance);
        const evaluation::FactIndex facts(inputs, all);
        const evaluation::LabelledAtoms atoms =
            evaluation::labelled_atoms(facts, target, instances, {});
        Clause clause;
        for (int i = 0; i <= random.below(4); ++i)
            clause.push_back(random_literal(inputs, random));
        const evaluation::Bits bits = evaluation::covered(atoms, clause);
        const Program program = search::program_of({inputs, atoms}, {clause});
        std::size_t example = 0;
        for (const Instance& instance : instances)
            for (const std::uint8_t expected : evaluate(program, instance)) {
                ASSERT_EQ(bits[example / 64] >> (example % 64) & 1U, expected) << to_text(program);
                found += expected;
                ++example;
            }
        ASSERT_EQ(example, atoms.examples.size());
    }
    EXPECT_GT(found, 500);
}

TEST(Coverage, FindsRareFactsAmongManyConstants) {
    Instance instance;
    instance.constants = 1000;
    instance.facts = {{{3, 999}, {500, 3}}};
    instance.labels.assign(1000, Label::negative);
    const std::vector<PredicateSymbol> inputs{{"e", 2}};
    const evaluation::FactIndex facts(inputs, {&instance});
    EXPECT_TRUE(facts.holds(0, 500, 3));
    EXPECT_FALSE(facts.holds(0, 3, 500));
    EXPECT_FALSE(facts.holds(0, 999, 3));
    EXPECT_EQ(facts.firsts(0, 999).front(), 3);
    EXPECT_TRUE(facts.seconds(0, 4).empty());
    EXPECT_EQ(facts.literals(0), (Clause{{0, 3, 999}, {0, 500, 3}}));
}

TEST(Coverage, GivesUpAMatchThatTakesTooLong) {
    Instance instance;
    instance.constants = 20;
    instance.facts = {{}, {}};
    for (int a = 0; a < 20; ++a)
        for (int b = 0; b < 20; ++b)
            instance.facts[0].push_back({a, b});
    const evaluation::FactIndex facts({{"e", 2}, {"u", 1}}, {&instance});
    const Clause clause{{0, 0, 1}, {0, 1, 2}, {0, 2, 3}, {1, 3, 3}};
    evaluation::Matcher hurried(facts, 1, 4, 100);
    EXPECT_EQ(hurried.covers(clause, {0, 0, 0}), std::nullopt);
    evaluation::Matcher patient(facts, 1, 4, 1'000'000);
    EXPECT_EQ(patient.covers(clause, {0, 0, 0}), std::optional(false));
}

}  // namespace
}  // namespace hri
