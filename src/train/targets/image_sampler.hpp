// SPDX-License-Identifier: Apache-2.0
#pragma once

// The images that a target sees in a round: a function of seed, target and round alone.

#include "hri/multitask.hpp"

#include <cstdint>
#include <vector>

namespace hri::training {

/// A seed of its own for each pair of numbers.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t a, std::uint64_t b);

class ImageSampler {
  public:
    ImageSampler(const SceneSet& scenes, const std::vector<std::uint32_t>& targets,
                 const MultitaskSettings& settings);

    /// Images with targets[t] that are not too large.
    std::size_t images(std::size_t t) const { return with_target_[t].size(); }

    /// The images of a round, in the order of training: the next `positives` ones with the target,
    /// and of `randoms` other targets one image each.
    void pick(std::vector<std::uint32_t>& images, std::size_t t, int round) const;

  private:
    std::uint64_t seed_;
    int positives_;
    int randoms_;
    std::vector<std::vector<std::uint32_t>> with_target_;  // [target], shuffled
    std::vector<std::size_t> others_;                      // targets that have images
    std::vector<std::uint32_t> all_;                       // where there is one target alone
};

}  // namespace hri::training
