// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table that hri learn --folds prints.

#include "hri/cross_validation.hpp"

#include "json.hpp"
#include "output.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// A line for each and their means.
std::string folds_text(const std::vector<Report>& folds, const Problem& problem);

/// Adds "folds" where there are any.
Json with_folds(Json report, const std::vector<Report>& folds);

}  // namespace hri::cli
