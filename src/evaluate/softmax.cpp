// SPDX-License-Identifier: Apache-2.0
#include "evaluate/softmax.hpp"

#include "hri/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hri::evaluation {

namespace {

constexpr float kRate = 0.1F;    // of AdaGrad
constexpr float kDecay = 1e-4F;  // of weights, at each step that touches them

/// One step of AdaGrad.
void descend(float& weight, float& squares, float slope) {
    slope += kDecay * weight;
    squares += slope * slope;
    weight -= kRate * slope / std::sqrt(squares);
}

}  // namespace

Softmax::Softmax(std::size_t features, std::size_t targets)
    : targets_(targets),
      weights_(features * targets, 0),
      squares_(weights_.size(), 1e-6F),
      scales_(targets, 0),
      scale_squares_(targets, 1e-6F) {}

void Softmax::logits(std::span<float> out, std::span<const std::size_t> features,
                     std::span<const float> values) const {
    std::fill(out.begin(), out.end(), 0.0F);
    for (const std::size_t f : features)
        for (std::size_t t = 0; t < targets_; ++t)
            out[t] += weights_[f * targets_ + t];
    for (std::size_t t = 0; t < values.size(); ++t)
        out[t] += scales_[t] * values[t];
}

void Softmax::learn(const std::vector<Example>& examples, int epochs, std::uint64_t seed,
                    std::size_t learned) {
    std::vector<std::size_t> order(examples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<float> gradient(targets_);
    Random random(seed, Random::kData);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        random.shuffle(order);
        for (const std::size_t i : order)
            step(examples[i], learned, gradient);
    }
}

void Softmax::step(const Example& example, std::size_t learned, std::vector<float>& gradient) {
    logits(gradient, example.features, example.values);
    to_shares(std::span(gradient));
    gradient[example.target] -= 1;
    for (const std::size_t f : example.features)
        for (std::size_t t = 0; f < learned && t < targets_; ++t)
            descend(weights_[f * targets_ + t], squares_[f * targets_ + t], gradient[t]);
    for (std::size_t t = 0; t < example.values.size(); ++t)
        if (example.values[t] != 0)
            descend(scales_[t], scale_squares_[t], gradient[t] * example.values[t]);
}

}  // namespace hri::evaluation
