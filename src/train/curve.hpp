// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/train.hpp"

#include <vector>

namespace hri::training {

/// A point of the training curve for given scores (slots, predicates), without iteration
/// and loss.
CurvePoint curve_point(const Model& model, const std::vector<float>& alpha,
                       const Instance& instance);

}  // namespace hri::training
