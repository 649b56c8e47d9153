// SPDX-License-Identifier: Apache-2.0
#pragma once

// Predicates learned earlier as inputs of the next task.
//
//   const Program library = parse_program(read_file("learned.pl"));
//   Report report = learn(with_library(problem, library), options, settings);
//   const Program whole = with_library_rules(report.program, library);

#include "hri/data.hpp"
#include "hri/logic.hpp"

namespace hri {

/// The problem in which clauses may use what the library defines: its predicates have what it
/// derives from the data as facts. Throws Error where that takes computed predicates, where the
/// library defines the target, or where the problem has a generator instead of data.
Problem with_library(const Problem& problem, const Program& library);

/// The program with the library's rules for the predicates that it uses.
Program with_library_rules(const Program& program, const Program& library);

}  // namespace hri
