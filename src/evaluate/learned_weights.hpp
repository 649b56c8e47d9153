// SPDX-License-Identifier: Apache-2.0
#pragma once

// Weights of features by gradient: the true answer of each query against its strongest rivals.

#include "evaluate/aggregation.hpp"

#include <array>
#include <span>
#include <vector>

namespace hri::evaluation {

using Weights = std::array<double, kFeatures>;

/// A query whose answer some rule predicts, with the rivals that all features together favour most.
struct Contest {
    Features answer{};
    std::vector<Features> rivals;
    double beyond = 0;  ///< candidates that are no rivals here and were ahead of the answer
};

/// All features count the same: what rivals are chosen by.
constexpr Weights kEvenWeights = {1, 1, 1, 1, 1, 1, 1, 1};

/// Maximises the likelihood of the answers under a softmax over the rivals; a distance of 1 from
/// `from` costs as much as half of `pull` nats.
Weights fit_weights(std::span<const Contest* const> contests, const Weights& from, double pull);

/// 1 / rank of the answer.
double reciprocal_rank(const Contest& contest, const Weights& weights);

}  // namespace hri::evaluation
