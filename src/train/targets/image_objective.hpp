// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loss of one target on one image, and its gradient. Of all predicates only those in the image
// take part, so that what is computed is the objective of a small model. Its hierarchy depends on
// nothing but the numbers of names and relations in the image: there is one for each such pair.

#include "hri/model.hpp"
#include "hri/recall.hpp"
#include "hri/scenes.hpp"

#include "soft/dense.hpp"
#include "train/noise.hpp"
#include "train/objective.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hri::training {

/// Noise and temperature of one round.
struct NoiseLevels {
    double predicate_noise = 0;
    double slot_noise = 0;
    double gumbel = 0;
    double temperature = 0.1;
};

class ImageObjective {
  public:
    /// `predicates`: how many the set of scenes has.
    ImageObjective(const Options& options, const ProtoRules& protorules, int dimension,
                   std::size_t predicates);

    /// The data that training reads.
    struct Point {
        const float* background;   // (predicates, dimension)
        const float* auxiliaries;  // (auxiliaries, dimension)
        const float* slots;        // (slots, dimension)
    };

    /// The loss, where neither the target nor `hidden` is known of any object.
    float loss(const Scene& scene, std::uint32_t target, const Point& point,
               const NoiseLevels& weather, std::uint64_t seed,
               std::uint32_t hidden = kHideOwnLabel);
    /// The gradient of the last loss, or of another loss with these slopes by the valuations.
    void gradient(const float* d_target = nullptr);

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

    void list_present(const Scene& scene, std::uint32_t target, std::uint32_t hidden);
    void fill(const Scene& scene, std::uint32_t target);
    Small& small();

    Options options_;
    ProtoRules protorules_;
    std::size_t dimension_;
    std::vector<std::uint32_t> present_;  // ascending, so names first
    std::vector<int> place_;              // [predicate]: in present_
    std::size_t names_ = 0;               // of them
    soft::DenseInstance<float> dense_;
    std::vector<std::vector<std::unique_ptr<Small>>> small_;  // [names][relations]
    Small* now_ = nullptr;
};

}  // namespace hri::training
