// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace hri::data {

/// Examples that clauses are learned from. Of more they learn from a sample, judged by all.
constexpr std::size_t kMaxLearnedFrom = 30'000;

}  // namespace hri::data
