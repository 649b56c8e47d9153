// SPDX-License-Identifier: Apache-2.0
#pragma once

// Predicates that a search tries first.

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/random.hpp"

#include "search/matches_search.hpp"

#include <vector>

namespace hri::search {

/// A few inputs that tell about the target by themselves, the most telling first.
std::vector<int> relevant_inputs(const Problem& problem, const std::vector<Instance>& instances);

/// All alike for some inputs and for what is no input; none for the other inputs. Some: a random
/// choice, most times beside the relevant ones.
Proposals proposals_among_few(const Hierarchy& h, const std::vector<int>& relevant, Random& random);

/// Half of the chances by the scores of a network, half alike for all.
Proposals proposals_of(const Model& model);

}  // namespace hri::search
