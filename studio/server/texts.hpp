// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atoms and rules as texts for the page.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <string>
#include <vector>

namespace hri::studio {

/// "grandparent(ann,'Bob B')"; names are quoted where Prolog needs it.
std::string atom_text(const Instance& instance, int atom);

std::string atom_text(const PredicateSymbol& predicate, const std::vector<std::string>& arguments);

/// One rule as Prolog text, without the full stop, and without goals that only bind variables to
/// constants of the data.
std::string rule_text(const Program& program, const Rule& rule);

/// The goals of a rule's text, but those of a predicate that holds of all constants.
std::vector<std::string> goal_texts(const std::string& rule, const std::string& domain = {});

}  // namespace hri::studio
