// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random programs and instances for property tests.
//
//   Random random(seed);
//   const ProgramSpace space;                                // inputs u/1, v/1, e/2, f/2, z/0
//   const Program program = random_program(space, random);   // target/0, /1 or /2, auxiliaries
//   a0/1, a1/2, ... const Instance instance = random_instance(space.inputs, 4, random);

#include "hri/data.hpp"
#include "hri/logic.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hri::test {

struct ProgramSpace {
    std::vector<PredicateSymbol> inputs{{"u", 1}, {"v", 1}, {"e", 2}, {"f", 2}, {"z", 0}};
    int max_rules = 8;
    int max_auxiliaries = 4;
    int max_atoms = 3;  ///< of a body
    int max_variables = 4;
    int max_arity = 2;     ///< of the target and of auxiliaries
    double constants = 0;  ///< probability that an argument is one of the constants c0 .. c2
    double negation = 0;   ///< probability that a body atom is negated; the program is stratified
    double equality = 0;   ///< probability that a body atom is X = Y
};

/// Rules drawn without regard to sense: recursive, unreachable, never firing, always true, with
/// repeated variables and with variables that stand in the head only.
inline Program random_program(const ProgramSpace& space, Random& random) {
    Program program;
    std::vector<Predicate> inputs;
    for (const PredicateSymbol& input : space.inputs) {
        inputs.push_back(program.vocabulary.intern(input));
    }
    program.target = program.vocabulary.intern(
        {"target", random.chance(0.1) ? 0 : 1 + random.below(space.max_arity)});
    std::vector<Predicate> heads{program.target};  // with negation: each uses those after it
    const int auxiliaries = random.below(space.max_auxiliaries + 1);
    for (int i = 0; i < auxiliaries; ++i) {
        const int wide = space.max_arity > 2 ? random.below(space.max_arity - 1) : 0;
        const int arity = random.chance(0.1) ? 0 : random.chance(0.3) ? 1 : 2 + wide;
        heads.push_back(program.vocabulary.intern({"a" + std::to_string(i), arity}));
    }
    // one rule for each head first: a predicate without rules would be an input
    const int rules = std::max(static_cast<int>(heads.size()), 1 + random.below(space.max_rules));
    const auto pick = [&random](const std::vector<Predicate>& from) {
        return from[static_cast<std::size_t>(random.below(static_cast<int>(from.size())))];
    };
    const auto atom = [&](Predicate p, int variables) {
        Atom result{p, {}};
        for (int i = 0; i < program.vocabulary[p].arity; ++i) {
            if (random.chance(space.constants)) {
                const std::string name = "c" + std::to_string(random.below(3));
                result.arguments.push_back(
                    Term::constant(program.vocabulary.intern_constant(name)));
            } else {
                result.arguments.push_back(Term::variable(random.below(variables)));
            }
        }
        return result;
    };
    for (int r = 0; r < rules; ++r) {
        const bool is_first = r < static_cast<int>(heads.size());
        const int variables = 2 + random.below(space.max_variables - 1);
        Rule rule;
        rule.head = atom(is_first ? heads[static_cast<std::size_t>(r)] : pick(heads), variables);
        if (random.chance(0.7) && rule.head.arguments.size() == 2) {
            rule.head.arguments = {Term::variable(0), Term::variable(1)};
        }
        const int atoms = random.chance(0.03) ? 0 : 1 + random.below(space.max_atoms);
        // most predicates have a rule that can fire
        const double invented = is_first && random.chance(0.7) ? 0 : 0.6;
        const auto from = std::find(heads.begin(), heads.end(), rule.head.predicate);
        for (int i = 0; i < atoms; ++i) {
            const bool negated = space.negation > 0 && random.chance(space.negation);
            if (space.equality > 0 && random.chance(space.equality)) {
                rule.body.push_back(atom(program.vocabulary.intern({"=", 2, negated}), variables));
                continue;
            }
            const std::vector<Predicate> below(negated ? from + 1 : from, heads.end());
            const bool use_head = random.chance(invented) && !(negated && below.empty());
            Predicate p = pick(!use_head ? inputs : space.negation > 0 ? below : heads);
            if (negated) {
                const PredicateSymbol symbol = program.vocabulary[p];
                p = program.vocabulary.intern({symbol.name, symbol.arity, true});
            }
            rule.body.push_back(atom(p, variables));
        }
        program.rules.push_back(std::move(rule));
    }
    random.shuffle(program.rules);
    return program;
}

/// Facts drawn with a density of its own for each predicate. Constants are called c0, c1, ... or,
/// in one of three, by their numbers.
inline Instance random_instance(const std::vector<PredicateSymbol>& inputs, int constants,
                                Random& random) {
    Instance instance;
    instance.schema = make_schema(inputs);
    instance.constants = constants;
    if (!random.chance(0.3)) {
        for (int i = 0; i < constants; ++i) {
            instance.names.push_back("c" + std::to_string(i));
        }
    }
    instance.facts.resize(inputs.size());
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        const double density = random.uniform(0, 0.6);
        const auto add = [&](int first, int second) {
            if (random.chance(density)) {
                // some facts are too weak to count
                const float value =
                    random.chance(0.2) ? static_cast<float>(random.uniform(0.01, 1)) : 1.0F;
                instance.facts[p].push_back({first, second, value});
            }
        };
        if (inputs[p].arity == 0) {
            add(0, 0);
        }
        for (int i = 0; i < constants && inputs[p].arity > 0; ++i) {
            for (int j = 0; j < (inputs[p].arity == 2 ? constants : 1); ++j) {
                add(i, j);
            }
        }
    }
    return instance;
}

/// Tuples of constants below `constants` for each input, of any arity.
inline std::vector<std::vector<std::vector<std::int32_t>>> random_tuples(
    const std::vector<PredicateSymbol>& inputs, int constants, Random& random) {
    std::vector<std::vector<std::vector<std::int32_t>>> tuples(inputs.size());
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        int count = 1;  // all that there could be
        for (int i = 0; i < inputs[p].arity; ++i) {
            count *= constants;
        }
        const double density = random.uniform(0, inputs[p].arity > 2 ? 0.3 : 0.6);
        for (int code = 0; code < count; ++code) {
            if (!random.chance(density)) {
                continue;
            }
            std::vector<std::int32_t> tuple;
            for (int i = 0, rest = code; i < inputs[p].arity; ++i, rest /= constants) {
                tuple.push_back(rest % constants);
            }
            tuples[p].push_back(std::move(tuple));
        }
    }
    return tuples;
}

}  // namespace hri::test
