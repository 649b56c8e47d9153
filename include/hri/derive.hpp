// SPDX-License-Identifier: Apache-2.0
#pragma once

// The facts that a program derives from a database, for predicates of any arity.
//
//   const Database all = with_derived(program, *problem.database);
//   const FactTable* rows = find_table(all, {"sold", 3});

#include "hri/database.hpp"
#include "hri/logic.hpp"

#include <cstddef>

namespace hri {

/// nullptr for none.
const FactTable* find_table(const Database& database, const PredicateSymbol& symbol);

/// Whether facts alone say what the program derives: its bodies need no computed predicate.
bool is_over_facts(const Program& program, const Database& database);

/// The database in which the tables of the program's predicates also hold what its rules derive, at
/// the fixpoint. Comparisons are those of numbers. A predicate that the data lack is false. Throws
/// Error where a predicate holds of more than `max_atoms` tuples, or is_over_facts() does not hold.
Database with_derived(const Program& program, const Database& database,
                      std::size_t max_atoms = 20'000'000);

}  // namespace hri
