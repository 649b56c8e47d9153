// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text that hri learn prints about a target.

#include "hri/learn.hpp"
#include "hri/several_targets.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// The state of a run: restarts, loss, the best program so far.
std::string progress_line(const LearnProgress& now);

/// The program, how well it does, and what might help where it does not.
std::string report_text(const TargetReport& learned);

/// The coverage of each clause, a line for each.
std::string evidence_text(const Report& report);

/// The programs in one, as Prolog, with their evidence in comments.
std::string program_text(const std::vector<TargetReport>& reports);

}  // namespace hri::cli
