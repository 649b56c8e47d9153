// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/data.hpp"

#include <vector>

namespace hri::search {

/// The relevance of inputs by themselves: for each the largest |z| of a
/// correlation between the target's labels and a count of its facts, P(a,b), P(b,a) or those that
/// begin or end with an argument of the target's atom. What says something only together with
/// others looks like noise (z of 1 to 3).
std::vector<double> relevance(const std::vector<PredicateSymbol>& inputs, int target_arity,
                              const std::vector<Instance>& instances);

}  // namespace hri::search
