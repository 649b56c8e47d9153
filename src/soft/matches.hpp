// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the slots of a model match, by name.

#include "hri/model.hpp"

#include <string>
#include <vector>

namespace hri::soft {

struct Match {
    int predicate = 0;
    double weight = 0;
};

/// What a slot matches, the best first. `scores` are those of unification().
std::vector<Match> matches(const Model& model, const std::vector<float>& scores, int slot);

/// True, False, an input's or an auxiliary's name.
std::string predicate_name(const Model& model, int predicate);

}  // namespace hri::soft
