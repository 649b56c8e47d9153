// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/model.hpp"

#include "soft/stratified.hpp"

#include <vector>

namespace hri::soft {

/// A model over one instance: its scores, and inference that leaves no pair out. The instance has
/// constants.
struct ModelInference {
    ModelInference(const Model& model, const Instance& instance, int threads = 1);

    DenseInstance<float> dense;
    std::vector<float> alpha;  ///< (slots, predicates)
    base::ThreadPool pool;
    StratifiedInference<float> inference;
};

}  // namespace hri::soft
