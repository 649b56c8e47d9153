// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loss of one target on one image, and its gradient. Of all predicates only those in the image
// take part, so that what is computed is the objective of a small model. Its hierarchy depends on
// nothing but the numbers of names and relations in the image: there is one for each such pair.

#include "hri/model.hpp"
#include "hri/scenes.hpp"

#include "model/dense.hpp"
#include "train/noise.hpp"
#include "train/objective.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hri {

/// What noise and temperature are in one round.
struct Weather {
    double predicate_noise = 0;
    double slot_noise = 0;
    double gumbel = 0;
    double temperature = 0.1;
};

class ImageObjective {
  public:
    /// `predicates` and `unary`: of the set of scenes.
    ImageObjective(const Options& options, const ProtoRules& protorules, int dimension,
                   std::size_t predicates, std::size_t unary);

    /// The loss at the given parameters; computes the gradients too. `background`: (predicates,
    /// dimension), `auxiliaries`: (auxiliaries, dimension), `slots`: (slots, dimension).
    float loss(const Scene& scene, std::uint32_t target, const float* background,
               const float* auxiliaries, const float* slots, const Weather& weather,
               std::uint64_t seed);

    /// Adds to (predicates, dimension).
    void add_background_gradient(float* d_background) const;
    const float* d_auxiliaries() const;
    const float* d_slots() const;

    /// The target's valuations at the last parameters, by object.
    const std::vector<float>& target() const;

  private:
    /// The model of an image with so many names and relations.
    struct Small {
        Small(const ProtoRules& protorules, std::size_t names, std::size_t relations,
              const Options& options, int dimension);
        Hierarchy hierarchy;
        Objective<float> objective;
        Noise noise;
        std::vector<float> predicates, noisy_predicates, d_predicates;
        std::vector<float> slots, noisy_slots, d_slots;
    };

    void list_present(const Scene& scene, std::uint32_t target);
    void fill(const Scene& scene, std::uint32_t target);

    Options options_;
    const ProtoRules* protorules_;
    std::size_t dimension_;
    std::size_t unary_;
    std::vector<std::uint32_t> present_;  // ascending, so names first
    std::vector<int> place_;              // [predicate]: in present_
    std::size_t names_ = 0;               // of them
    DenseInstance<float> dense_;
    std::vector<std::vector<std::unique_ptr<Small>>> small_;  // [names][relations]
    Small* now_ = nullptr;
};

}  // namespace hri
