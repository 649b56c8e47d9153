// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trees: a path rule and one literal more about one of its ends,
//   r(X,Y) <- p(X,Z), q(Z,Y), s(X,c).

#include "hri/graph.hpp"
#include "hri/mine.hpp"

#include "evaluate/graph_walk.hpp"

#include <cstdint>
#include <vector>

namespace hri::search {

/// Adds trees to the paths whose confidence a condition raises.
void tree_rules(std::vector<GraphRule>& rules, const MineSettings& settings,
                evaluation::GraphWalk& walk, std::int64_t& budget);

}  // namespace hri::search
