// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <set>
#include <string>

namespace hri::cli {

/// Warns of those that no fact and no example of the data has.
void warn_about_constants(std::set<std::string> names, const Problem& problem, const char* whose);

/// Warns of predicates in rule bodies that neither the program defines nor the data have, and of
/// such constants: they are false everywhere, and often misspelt. Notes predicates that have facts
/// and rules.
void warn_about_missing(const Program& program, const Problem& problem);

/// Whether instances lack what the program needs: wide and computed predicates, known facts of the
/// target.
bool needs_database(const Program& program, const Problem& problem);

}  // namespace hri::cli
