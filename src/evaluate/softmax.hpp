// SPDX-License-Identifier: Apache-2.0
#pragma once

// Multinomial logistic regression over the names of objects.
//
//   logit[t] = sum of weight[f, t] over the features f that an object shows
//            + scale[t] * value[t]                  where a model has valued the object for t

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

class Softmax {
  public:
    Softmax(std::size_t features, std::size_t targets);

    /// An object to learn from: what it shows, and its name's place among the targets.
    struct Example {
        std::vector<std::size_t> features;
        std::size_t target = 0;
        std::vector<float> values = {};  ///< [target], or nothing
    };

    /// Overwrites out[target].
    void logits(std::span<float> out, std::span<const std::size_t> features,
                std::span<const float> values = {}) const;

    /// Steps of AdaGrad on the cross-entropy, one per example and epoch. The same seed gives the
    /// same weights.
    void learn(const std::vector<Example>& examples, int epochs, std::uint64_t seed);

  private:
    void step(const Example& example, std::vector<float>& gradient);

    std::size_t targets_;
    std::vector<float> weights_;  // (features, targets)
    std::vector<float> squares_;  // of gradients
    std::vector<float> scales_;   // [target]
    std::vector<float> scale_squares_;
};

}  // namespace hri::evaluation
