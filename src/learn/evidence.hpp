// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"
#include "hri/why_not.hpp"

#include "evaluate/rule_evidence.hpp"

#include <set>

namespace hri::learning {

/// The evidence of each of the target's `rules` rules.
std::vector<ClauseEvidence> evidence_of(const std::vector<evaluation::CoveredExample>& examples,
                                        std::size_t rules);

/// Inputs, and what the database has beside them: wide and computed predicates.
std::set<PredicateSymbol> predicates_of(const Problem& problem);

/// What a program uses though neither the data have it nor a rule defines it.
std::vector<MissingPredicate> unknown_predicates(const Problem& problem, const Program& program);

/// Whether the database was made into several instances, which may lack facts.
bool is_split(const Problem& problem);

/// Whether the database has what instances have: it lacks the parts of reified facts.
bool has_all_inputs(const Problem& problem);

/// Whether a program has predicates that instances lack: wide or computed ones, comparisons, known
/// facts of the target; or instances lack facts, since they were cut out.
bool needs_database(const Program& program, const Problem& problem);

/// Every example of a database with the rules that cover it: `atom` is its row, `instance` 0.
std::vector<evaluation::CoveredExample> covered_rows(const Program& program,
                                                     const Database& database, int threads = 1);

}  // namespace hri::learning
