// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program while simplified() works on it, and the steps that shorten it. Each step keeps the
// meaning at the fixpoint and says whether it changed anything; each change makes the program
// smaller, or leaves its size and takes a predicate or an argument away, so that repeating them
// ends.

#include "hri/logic.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hri::simplify {

struct SimplifierState {
    std::vector<PredicateSymbol> symbols;  ///< [predicate]
    std::vector<bool> invented;            ///< [predicate] defined by rules, or the target
    std::vector<Predicate> positive;       ///< [predicate] what a negated one negates, or itself
    std::vector<bool> pinned;              ///< [predicate] its negation is used: it stays as it is
    Predicate target;
    std::vector<Rule> rules;  ///< variables numbered from 0 in order of appearance
    std::int64_t work = 0;    ///< what the searches may still cost; at 0 they find nothing more

    bool is_auxiliary(Predicate p) const { return invented[p.id] && p != target && !pinned[p.id]; }

    bool is_negated(Predicate p) const { return positive[p.id] != p; }
};

/// Says again which predicates are pinned.
void pin(SimplifierState& state);

/// X = Y makes one variable of two; rules with X \= X go.
bool resolve_equalities(SimplifierState& state);
/// Drops rules that the target does not reach and rules that can never fire.
bool drop_dead_rules(SimplifierState& state);
/// Drops rules and body atoms that follow from the rest.
bool drop_implied(SimplifierState& state);
/// Makes one predicate of several whose definitions are equal, also with their arguments exchanged.
bool merge_equal_predicates(SimplifierState& state);
/// target(X,Y) :- aux(X,Y) and nothing else: aux becomes the target.
bool replace_target_alias(SimplifierState& state);
/// Drops arguments of auxiliaries that do not matter, or that no rule looks at.
bool drop_idle_arguments(SimplifierState& state);
/// Puts the definition of an auxiliary in the place of its uses if the program does not get longer.
bool inline_one_auxiliary(SimplifierState& state);

/// \+ p, where all of p's rules have one atom: the negations of those. Negations of what is always
/// false or true go.
bool resolve_negations(SimplifierState& state);

/// Numbers the variables from 0 in order of appearance.
void number_variables(Rule& rule);
/// One more than the largest variable.
std::int32_t variable_count(const Rule& rule);

inline std::size_t size(const Rule& rule) { return rule.body.size() + 1; }

}  // namespace hri::simplify
