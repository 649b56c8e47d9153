// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules that a user vetoes or pins, for every strategy.
//
// A vetoed predicate leaves the problem. A pinned rule explains what it covers, so that the learner
// looks at the other examples only, and joins the learned rules at the end. A program with a vetoed
// clause or literal never fits.

#include "hri/learn.hpp"

#include "logic/clause_pattern.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <vector>

namespace hri::learning {

/// Clauses that no program may have, and literals that no clause may have.
class Vetoes {
  public:
    Vetoes() = default;

    /// Throws Error where a clause cannot be read. One with another head than the target's stands
    /// for any invented predicate. A vetoed rule with rules of predicates that it calls stands for
    /// the clauses that result when these are put in their places: no program may have them all.
    /// `views`: their definitions, where programs call them (data/views.hpp).
    Vetoes(const PredicateSymbol& target, const Constraints& constraints, Program views = {});

    bool empty() const { return vetoed_.empty(); }

    /// Also of the clauses that result when invented predicates are put in their places.
    bool allow(const Program& program) const;

    /// The verdict on a program of one clause of the target without invented predicates. The first
    /// of several clauses that are vetoed together is refused.
    search::ClauseVerdict verdict(const Program& clause) const;

  private:
    using Together = std::vector<logic::ClausePattern>;

    std::vector<Together> vetoed_;
    Program views_;
};

/// The pinned rules; without rules where there are none. They may define predicates of their own.
/// Throws Error where none defines the target, one uses what is not there, or they cannot be read.
Program pinned_rules(const Problem& problem, const Constraints& constraints);

/// The problem without some of its instances' inputs.
Problem without_inputs(Problem problem, const std::vector<PredicateSymbol>& inputs);

/// The problem that is left to the learner: without vetoed predicates, and without the labels of
/// positive examples that pinned rules cover. Throws Error for a predicate that is no input.
Problem constrained(Problem problem, const Constraints& constraints, const Program& pinned);

/// Whether anything is left to be explained.
bool has_positives(const Problem& problem);

/// The learned program with the pinned rules, which stay as they are, up to the names of predicates
/// of their own.
Program with_pinned(const Program& learned, const Program& pinned);

}  // namespace hri::learning
