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

/// One rule as Prolog text, without the full stop.
std::string rule_text(const Program& program, const Rule& rule);

}  // namespace hri::studio
