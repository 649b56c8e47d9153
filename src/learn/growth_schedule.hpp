// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hierarchies that grow: what a portfolio looks in, the small ones first.

#include "hri/data.hpp"
#include "hri/options.hpp"

#include "hypotheses/program_space.hpp"

#include <deque>

namespace hri::learning {

struct HierarchySize {
    Options options;
    hypotheses::ProgramSpace space;
    int weight = 1;  ///< its share of a round's trials
};

/// From one layer less than asked for to two more, and up to two more copies of each rule; without
/// growth, as asked for alone. A deque, since worlds keep references to spaces.
std::deque<HierarchySize> growth_schedule(const Problem& problem, const Options& options,
                                          bool grow);

}  // namespace hri::learning
