// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules with constants: r(X,c) <- p(X,d), r(X,c) <- p(X,Z), and longer bodies. What the entities
// with a fact r(X,c) have in common is counted for all bodies at once.

#include "hri/graph.hpp"
#include "hri/mine.hpp"

#include "evaluate/graph_walk.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hri::search {

/// The rules r(X,c) without a body: how frequent each constant is.
void frequency_rules(StepCode head, const Graph& graph, std::vector<GraphRule>& into);

/// All rules with bodies of one literal for heads by the step; exact. Where `stopped` says so,
/// those of the rarer constants are missing.
void constant_rules(StepCode head, const MineSettings& settings, evaluation::GraphWalk& walk,
                    const std::function<bool()>& stopped, std::vector<GraphRule>& into);

/// Rules with bodies of two steps. Counts exactly what some of the facts suggest, until the budget
/// is used up or `stopped` says so.
void long_constant_rules(StepCode head, const MineSettings& settings, evaluation::GraphWalk& walk,
                         const std::function<bool()>& stopped, std::int64_t& budget,
                         std::vector<GraphRule>& into);

}  // namespace hri::search
