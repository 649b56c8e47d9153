// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why a model gives an atom its valuation.

#include "hri/explain.hpp"
#include "hri/model.hpp"

namespace hri {

/// The path of a target's atom that carries most of its soft valuation after `steps` steps (-1:
/// until nothing changes, 1000 at most): at each slot the match that contributes most, with its
/// weight. Throws Error for another predicate, an unknown constant and instances where this would
/// take too long.
Explanation explain(const Model& model, const Instance& instance, const GroundAtom& atom,
                    int steps);

}  // namespace hri
