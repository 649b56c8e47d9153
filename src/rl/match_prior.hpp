// SPDX-License-Identifier: Apache-2.0
#pragma once

// The distribution of matches before anything is learned: mostly inputs, and False as a disjunct.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include <vector>

namespace hri::rl {

/// A probability for each candidate of each slot.
std::vector<std::vector<double>> match_prior(const Model& model);

/// An index drawn from probabilities, which add up to about 1.
template <class Probability>
int drawn_index(int count, const Probability& probability, Random& random) {
    double left = random.uniform();
    int likeliest = 0;
    for (int k = 0; k < count; ++k) {
        const double p = probability(k);
        left -= p;
        if (left < 0) {
            return k;
        }
        likeliest = p > probability(likeliest) ? k : likeliest;
    }
    return likeliest;  // rounding left a rest
}

}  // namespace hri::rl
