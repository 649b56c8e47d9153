// SPDX-License-Identifier: Apache-2.0
#pragma once

// Joint training of all targets: the names of an object compete in one softmax.
//
//   logit[t] = bias[t] + scale[t] * value[t](object)      value[t]: the valuation of target t
//   loss     = -log softmax(logit)[name of the object]    that name hidden in the image
//
// The objects of a round are a function of seed and round alone.

#include "hri/multitask.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::training {

/// Objects of one image that share a name. All targets value them while that name is hidden.
struct Contest {
    std::uint32_t image = 0;
    std::size_t target = 0;              // their name, by its place among the targets
    std::vector<std::uint32_t> objects;  // of the image
    std::size_t start = 0;               // of their columns among all of the round
};

class Contests {
  public:
    Contests(const SceneSet& scenes, const std::vector<std::uint32_t>& targets,
             const MultitaskSettings& settings);

    /// False where no image has an object of a target.
    bool any() const { return !images_.empty(); }

    /// The contests of a round. Images are drawn at random, so that frequent names come often; a
    /// draw is kept as likely as hardness() says.
    void pick(int round, const std::vector<TargetParameters>& targets);

    const std::vector<Contest>& contests() const { return contests_; }

    /// (targets, objects of the round): valuations, by who values them.
    std::vector<float>& values() { return values_; }

    float* values_of(std::size_t target) { return values_.data() + target * columns_; }

    /// Slopes of the summed loss, from values(): by valuation, and by bias and scale. Returns the
    /// mean loss. Each target's own one follows that of its objects.
    float compete(std::vector<TargetParameters>& targets);

    /// The first loss of a target: all names have the same probability.
    float first_loss() const { return std::log(static_cast<float>(log_frequency_.size())); }

    /// (objects of the round): slopes of the loss by the valuations of one target.
    const float* slopes_of(std::size_t target) const { return slopes_.data() + target * columns_; }

    /// Bias, scale.
    const float* calibration_slopes(std::size_t target) const {
        return calibration_slopes_.data() + 2 * target;
    }

    /// Whether a target has enough to learn from a contest.
    bool matters(std::size_t target, const Contest& contest) const;

    /// The logarithm of how frequent a target is among the objects of the images.
    float log_frequency(std::size_t target) const { return log_frequency_[target]; }

  private:
    /// [target]: of keeping a draw of it.
    std::vector<double> chances(const std::vector<TargetParameters>& targets) const;

    const SceneSet& scenes_;
    std::uint64_t seed_;
    int count_;  // contests of a round
    double hardness_;
    std::vector<std::uint32_t> images_;  // with objects of targets, that are not too large
    std::vector<std::size_t> place_;     // [predicate]
    std::vector<float> log_frequency_;
    std::vector<Contest> contests_;
    std::size_t columns_ = 0;
    std::vector<float> values_, slopes_, calibration_slopes_;
};

}  // namespace hri::training
