// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules that a user vetoes or pins, for every strategy.
//
// A vetoed predicate leaves the problem. A pinned rule explains what it covers, so that the learner
// looks at the other examples only, and joins the learned rules at the end. A program with a vetoed
// clause never fits.

#include "hri/learn.hpp"

#include <set>
#include <string>

namespace hri::learning {

/// A clause up to the names of its variables and the order of its literals.
std::string canonical_clause(const Program& program, const Rule& rule);

/// The canonical forms of clauses in Prolog syntax. Throws Error where one cannot be read.
std::set<std::string> canonical_clauses(const std::vector<std::string>& clauses);

bool has_vetoed_clause(const Program& program, const std::set<std::string>& vetoed);

/// The pinned rules; without rules where there are none. Throws Error where they define another
/// predicate than the target, or cannot be read.
Program pinned_rules(const Problem& problem, const Constraints& constraints);

/// The problem that is left to the learner: without vetoed predicates, and without the labels of
/// positive examples that pinned rules cover. Throws Error for a predicate that is no input.
Problem constrained(Problem problem, const Constraints& constraints, const Program& pinned);

/// The learned program with the pinned rules, which stay as they are.
Program with_pinned(const Program& learned, const Program& pinned);

}  // namespace hri::learning
