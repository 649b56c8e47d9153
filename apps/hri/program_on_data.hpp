// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/data.hpp"
#include "hri/logic.hpp"

namespace hri::cli {

/// Warns of predicates in rule bodies that neither the program defines nor the data have: they are
/// false everywhere, and often misspelt.
void warn_about_missing(const Program& program, const Problem& problem);

/// The program with the facts that the data have of predicates which it defines, the target aside:
/// programs of several files may define each other's inputs.
Program with_facts_of(Program program, const Problem& problem, const PredicateSymbol& target);

}  // namespace hri::cli
