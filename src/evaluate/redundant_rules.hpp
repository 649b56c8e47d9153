// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules that predict nearly the same pairs say the same thing twice.

#include "evaluate/rule_index.hpp"

#include <cstdint>
#include <vector>

namespace hri::evaluation {

/// The cluster of each rule of an index. Two rules share a cluster where their predictions for some
/// training queries overlap by about two thirds (Jaccard's index, estimated by min-hashing).
/// The result depends on the index alone.
std::vector<std::uint32_t> redundancy_clusters(const RuleIndex& index);

}  // namespace hri::evaluation
