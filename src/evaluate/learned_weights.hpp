// SPDX-License-Identifier: Apache-2.0
#pragma once

// Weights of features and of rules by gradient: the true answer of each query against its strongest
// rivals.

#include "evaluate/contests.hpp"

#include <array>
#include <span>
#include <vector>

namespace hri::evaluation {

using Weights = std::array<double, kFeatures>;

/// All that rules say counts the same.
constexpr Weights kEvenWeights = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};

/// Maximises the likelihood of the answers under a softmax over the candidates; a distance of 1
/// from `from` costs as much as half of `pull` nats. Candidates that are true by `known` are left
/// out.
Weights fit_weights(std::span<const Contest* const> contests, bool pca, Halves known,
                    const Weights& from, double pull);

/// How fast weights of rules are learned, and how fast they are forgotten.
struct RuleFit {
    float rate = 0;
    float decay = 0;  ///< per visit
};

/// Where the triples that are known are few among the true ones, rivals that win are often true:
/// the careful fit believes them less.
constexpr std::array<RuleFit, 2> kRuleFits = {{{0.03F, 0.01F}, {0.003F, 0.3F}}};

/// What each rule adds to the weighted features, by the same likelihood. A rule learns as fast as
/// it is confident.
std::vector<float> fit_rule_weights(std::span<const Contest* const> contests, bool pca,
                                    Halves known, const Weights& weights, const Aggregator& rules,
                                    const RuleFit& fit = kRuleFits[0]);

/// 1 / rank of the answer among those that no half holds true; without rule weights by the features
/// alone.
double reciprocal_rank(const Contest& contest, bool pca, const Weights& weights,
                       std::span<const float> rule_weights = {});

}  // namespace hri::evaluation
