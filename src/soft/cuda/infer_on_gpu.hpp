// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/model.hpp"

#include <vector>

namespace hri::soft {

/// The target's valuations of each instance, noise off, by as many at a time as fit into the GPU's
/// memory. Throws Error where there is no GPU, or where `steps` is not a number of steps.
std::vector<std::vector<float>> infer_on_gpu(const Model& model,
                                             const std::vector<Instance>& instances, int steps);

}  // namespace hri::soft
