// SPDX-License-Identifier: Apache-2.0
#pragma once

// Weights of features and of rules by gradient: the true answer of each query against its strongest
// rivals.

#include "evaluate/aggregation.hpp"

#include <array>
#include <span>
#include <vector>

namespace hri::evaluation {

using Weights = std::array<double, kFeatures>;

/// A query whose answer some rule predicts, with the rivals that all features together favour most,
/// and some of the others. The answer is the first candidate.
struct Contest {
    std::vector<std::array<Features, 2>> candidates;  ///< by standard and by PCA confidence
    std::vector<std::uint32_t> rule_begin;            ///< (candidates + 1), into rules
    std::vector<std::uint32_t> rules;                 ///< that predict the candidates
    std::size_t sampled = 0;  ///< candidates from here on stand for `share` others each
    float share = 1;
};

/// All that rules say counts the same: what rivals are chosen by.
constexpr Weights kEvenWeights = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};

/// Maximises the likelihood of the answers under a softmax over the candidates; a distance of 1
/// from `from` costs as much as half of `pull` nats.
Weights fit_weights(std::span<const Contest* const> contests, bool pca, const Weights& from,
                    double pull);

/// What each rule adds to the weighted features, by the same likelihood. A rule learns as fast as
/// it is confident.
std::vector<float> fit_rule_weights(std::span<const Contest* const> contests, bool pca,
                                    const Weights& weights, const Aggregator& rules);

/// 1 / rank of the answer; without rule weights by the features alone.
double reciprocal_rank(const Contest& contest, bool pca, const Weights& weights,
                       std::span<const float> rule_weights = {});

}  // namespace hri::evaluation
