// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program learned from a part of the examples is judged by all of them.

#include "hri/learn.hpp"

#include <optional>

namespace hri::learning {

/// Whether the training instances or the listed examples are a part of what is to be judged by.
bool needs_all_examples(const Problem& problem);

/// The program on all examples of the database, unlisted ones of a closed world included. Nothing
/// where the database lacks what the hierarchy sees, such as the parts of reified facts.
std::optional<Score> score_on_all(const Program& program, const Problem& problem, bool held_out,
                                  int threads);

/// The report with its figures on all examples.
void judge_by_all(Report& report, const Problem& problem, int threads);

}  // namespace hri::learning
