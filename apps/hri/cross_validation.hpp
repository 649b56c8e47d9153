// SPDX-License-Identifier: Apache-2.0
#pragma once

// hri learn --folds: what programs learned from a part of the examples say of the others.

#include "hri/learn.hpp"

#include "output.hpp"
#include "progress.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// One report for each fold, its evaluation that of the examples left out. Fewer after an
/// interrupt.
std::vector<Report> cross_validate(const Problem& problem, const Options& options,
                                   const LearnSettings& settings, int folds, ProgressBar& bar);

/// A line for each and their means.
std::string folds_text(const std::vector<Report>& folds, const Problem& problem);

/// Adds "folds" where there are any.
Json with_folds(Json report, const std::vector<Report>& folds);

}  // namespace hri::cli
