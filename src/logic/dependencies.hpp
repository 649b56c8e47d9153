// SPDX-License-Identifier: Apache-2.0
#pragma once

// The dependencies among a program's predicates.

#include "hri/logic.hpp"

#include <cstdint>
#include <vector>

namespace hri::logic {

/// Predicates that depend on each other, together: the strongly connected components.
struct Components {
    std::vector<std::vector<std::uint32_t>> members;  ///< [component], after those it depends on
    std::vector<int> of;                              ///< [predicate] its component
    std::vector<bool> recursive;                      ///< [component] a predicate depends on itself
};

/// A negated predicate is a component of its own, which depends on the predicate that it negates.
Components components(const Program& program);

bool has_negation(const Program& program);

/// Whether nothing depends on its own negation.
bool is_stratified(const Program& program);

/// [predicate] whether rules define it.
std::vector<bool> defined_predicates(const Program& program);

/// [predicate] whether facts of the data do not count: the target's, since they are what is asked,
/// and those of aux1, aux2, ... with rules, which are invented and only happen to be called so.
std::vector<bool> without_facts(const Program& program);

/// [predicate] whether the target's definition uses it, directly or not; true of the target.
std::vector<bool> reachable_predicates(const Program& program);

/// [predicate] whether it is the target or occurs in a rule; a negated atom mentions both forms.
std::vector<bool> mentioned_predicates(const Program& program);

/// Without rules that the target does not reach, and those with the goal `false`.
Program used_part(Program program);

/// [predicate] how many negations lie below it: a negated predicate is one above what it negates.
std::vector<int> strata(const Program& program);

}  // namespace hri::logic
