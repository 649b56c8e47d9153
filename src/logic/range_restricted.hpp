// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules as engines want them that know no constants but those of their relations.

#include "hri/logic.hpp"

#include <functional>
#include <vector>

namespace hri::logic {

bool mentions(const Atom& atom, Term term);
bool mentions(const Rule& rule, Term term);

/// Whether every variable of the head, of negated atoms and of equality occurs in another atom of
/// the body: then other languages run the rule without a list of all constants.
bool is_range_restricted(const Rule& rule, const Vocabulary& vocabulary);

/// Negated atoms and those of equality come last; their terms and the head's that no other atom
/// mentions get a goal constant(T). `constants` makes the predicate where it is needed.
void bind_terms(Rule& rule, const Vocabulary& vocabulary,
                const std::function<Predicate()>& constants);

/// The predicate constant/1, by another name where the program has one.
PredicateSymbol constants_symbol(const Program& program);

/// Puts equal terms in each other's place and drops goals X = Y. False: the rule never fires. A
/// goal with the only mention of a constant stays.
bool resolve_equality(Rule& rule, const std::vector<PredicateSymbol>& symbols);

}  // namespace hri::logic
