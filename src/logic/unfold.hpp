// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/logic.hpp"

namespace hri::logic {

/// Predicates with one rule that does not call itself, but for the target, replaced by their bodies
/// where they are called, as long as no rule gets longer than 8 atoms. The meaning at the fixpoint
/// stays.
Program unfolded(Program program);

/// The rules of the target with calls of other defined predicates replaced by each of their rules,
/// as far as that gives at most 200 rules of at most 12 atoms; beyond it calls stay.
std::vector<Rule> expanded_target_rules(const Program& program);

/// Calls of predicates replaced by the bodies of their definitions, one rule each, which call no
/// other defined predicate. Where a call is negated, the definition joins the program instead.
Program with_definitions(Program program, const Program& definitions);

}  // namespace hri::logic
