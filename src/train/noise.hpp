// SPDX-License-Identifier: Apache-2.0
#pragma once

// The noise of training: Gaussian on embeddings, Gumbel on similarities, each with its schedule.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::training {

/// scale * 2^-(1 + iteration / halving): halved first at iteration 0. 0 once it is too small to
/// change a float.
double gaussian_scale(double scale, int halving, int iteration);

/// Falls linearly from `start` to 0 over the run.
double gumbel_scale(double start, int iteration, int iterations);

double temperature_at(const Options& options, int iteration, int iterations);

/// Draws noise into buffers that it keeps.
class Noise {
  public:
    Noise(const Hierarchy& hierarchy, std::uint64_t seed);
    /// Gaussian noise alone.
    explicit Noise(std::uint64_t seed);

    /// Another sequence from now on.
    void reseed(std::uint64_t seed) { random_ = Random(seed, Random::kNoise); }

    /// out = rows + scale * normal. The first `fixed_rows` rows and the first `fixed_columns`
    /// columns stay as they are.
    void add_gaussian(std::vector<float>& out, const std::vector<float>& rows, int dimension,
                      int fixed_rows, int fixed_columns, double scale);

    /// Gumbel noise for every slot and predicate: (slots, predicates), or null where the scale is
    /// 0.
    const float* gumbel(double scale, GumbelConvention reading);

  private:
    void fill_uniform(std::vector<float>& values, std::size_t count);

    const soft::Kernels<float>* kernels_;
    Random random_;
    std::size_t scores_ = 0;  // slots x predicates
    std::vector<float> gaussian_;
    std::vector<float> gumbel_;
};

}  // namespace hri::training
