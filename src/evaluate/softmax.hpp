// SPDX-License-Identifier: Apache-2.0
#pragma once

// Multinomial logistic regression over the names of objects.
//
//   logit[t] = sum of weight[f, t] over the features f that an object shows
//            + scale[t] * value[t]                  where a model has valued the object for t

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Turns logits into the shares of a softmax.
template <class Value>
void to_shares(std::span<Value> values) {
    const Value highest = *std::max_element(values.begin(), values.end());
    Value sum = 0;
    for (Value& value : values) {
        value = std::exp(value - highest);
        sum += value;
    }
    for (Value& value : values)
        value /= sum;
}

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
    /// same weights. Only those of the first `learned` features change.
    void learn(const std::vector<Example>& examples, int epochs, std::uint64_t seed,
               std::size_t learned = SIZE_MAX);

  private:
    void step(const Example& example, std::size_t learned, std::vector<float>& gradient);

    std::size_t targets_;
    std::vector<float> weights_;  // (features, targets)
    std::vector<float> squares_;  // of gradients
    std::vector<float> scales_;   // [target]
    std::vector<float> scale_squares_;
};

}  // namespace hri::evaluation
