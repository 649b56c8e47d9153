// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model as a choice of one predicate per slot.

#include "hri/model.hpp"

#include <vector>

namespace hri {

/// The best match of each slot.
std::vector<int> best_matches(const Model& model);

/// The model with each slot's embedding replaced by that of the predicate it matches.
Model hardened(const Model& model, const std::vector<int>& matches);

}  // namespace hri
