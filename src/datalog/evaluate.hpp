// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program over sparse relations of any arity. Recursion is semi-naive: a round looks only at what
// the last one found.
//
//   std::vector<Relation> relations = empty_relations(program.vocabulary, constants);
//   ...                                                     // facts
//   evaluate(program, relations, {.constants = constants});

#include "hri/logic.hpp"

#include "datalog/limits.hpp"
#include "datalog/relation.hpp"
#include "datalog/rounds.hpp"

#include <vector>

namespace hri::datalog {

struct EvaluateSettings {
    std::size_t constants = 0;  ///< they are called 0, 1, ...
    /// [constant of the vocabulary], -1: it is not there; empty: its index is its number.
    std::vector<std::int32_t> numbers{};
    /// Below 0: to the fixpoint. Otherwise predicates are updated together so often from the
    /// previous step's values, and the target once more from the last state; see hri/evaluate.hpp.
    int steps = -1;
    Limits limits{};
    /// Takes down in which round tuples were derived. Without negation all rules run together, and
    /// a tuple's round is the height of its lowest proof. With it, what a predicate depends on is
    /// complete before.
    Rounds* rounds = nullptr;
};

/// [predicate of the vocabulary]
std::vector<Relation> empty_relations(const Vocabulary& vocabulary, std::size_t constants);

/// Adds what the program's rules derive. `relations` [predicate of the vocabulary]: those of
/// negated predicates and of built-in equality are not looked at. Variables range over all
/// constants; one of the head alone stands for each of them. Throws LimitReached.
void evaluate(const Program& program, std::vector<Relation>& relations,
              const EvaluateSettings& settings);

}  // namespace hri::datalog
