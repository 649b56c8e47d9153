// SPDX-License-Identifier: Apache-2.0
#pragma once

// What hri learn tells of a target.

#include "hri/learn.hpp"
#include "hri/several_targets.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// Where a run stands: restarts, loss, the best program so far.
std::string progress_line(const LearnProgress& now);

/// The program, how well it does, and what might help where it does not.
std::string lesson_text(const TargetReport& lesson);

/// What each clause covers, a line for each.
std::string evidence_text(const Report& report);

/// The programs in one, as Prolog, with their evidence in comments.
std::string program_text(const std::vector<TargetReport>& lessons);

}  // namespace hri::cli
