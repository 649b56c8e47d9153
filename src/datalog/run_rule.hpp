// SPDX-License-Identifier: Apache-2.0
#pragma once

// One rule over sparse relations.
//
// Bindings pass through the atoms in blocks, so that what lies between two atoms stays small.
// Bindings that have become equal are kept once: p(X) :- q(X,Y), r(Y,Z) looks whether a row of r is
// empty, and no more.

#include "datalog/join_plan.hpp"
#include "datalog/limits.hpp"

namespace hri::datalog {

/// Adds the heads of all bindings. `relations` [predicate of the vocabulary]; `delta` as in
/// plan_join(). A variable of the head alone stands for every constant.
void run_rule(const ResolvedRule& rule, std::size_t delta, std::size_t constants,
              const std::vector<Relation>& relations, Budget& budget, Batch& out);

}  // namespace hri::datalog
