// SPDX-License-Identifier: Apache-2.0
#pragma once

// The matches of a model's slots, by name.

#include "hri/model.hpp"

#include <string>
#include <vector>

namespace hri::soft {

struct Match {
    int predicate = 0;
    double weight = 0;
};

/// The matches of a slot, the best first. `scores` are those of unification().
std::vector<Match> matches(const Model& model, const std::vector<float>& scores, int slot);

/// True, False, an input's or an auxiliary's name.
std::string predicate_name(const Model& model, int predicate);

}  // namespace hri::soft
