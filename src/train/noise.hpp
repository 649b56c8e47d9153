// SPDX-License-Identifier: Apache-2.0
#pragma once

// The noise of training: Gaussian on embeddings, Gumbel on similarities, each with its schedule.

#include <vector>

#include "hri/model.hpp"
#include "hri/random.hpp"

namespace hri {

/// scale * 2^-(1 + iteration / halving): halved first at iteration 0. 0 once it is too small to change a float.
double gaussian_scale(double scale, int halving, int iteration);

/// Falls linearly from `start` to 0 over the run.
double gumbel_scale(double start, int iteration, int iterations);

double temperature_at(const Options& options, int iteration, int iterations);

/// out = rows + scale * normal. The first `fixed_rows` rows and the first `fixed_columns` columns stay as they are.
void add_gaussian(std::vector<float>& out, const std::vector<float>& rows, int dimension, int fixed_rows,
                  int fixed_columns, double scale, Random& random);

/// Gumbel noise for every candidate of every slot: (slots, predicates), untouched where there is none.
void fill_gumbel(std::vector<float>& out, const Hierarchy& hierarchy, double scale, GumbelReading reading,
                 Random& random);

}  // namespace hri
