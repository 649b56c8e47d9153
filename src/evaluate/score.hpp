// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/evaluate.hpp"

#include <cstdint>
#include <vector>

namespace hri::evaluation {

inline std::int64_t errors(const Score& score) {
    return score.false_positives + score.false_negatives;
}

/// How a program's target agrees with the labels at its fixpoint. It may stop, with what it has
/// counted, as soon as there are more than `max_errors`.
Score score_of(const Program& program, const std::vector<PredicateSymbol>& inputs,
               const std::vector<Instance>& instances, std::int64_t max_errors = INT64_MAX);

}  // namespace hri::evaluation
