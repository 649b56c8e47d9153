// SPDX-License-Identifier: Apache-2.0
#include "evaluate/learned_weights.hpp"

#include <algorithm>
#include <cmath>

namespace hri::evaluation {
namespace {

double value_of(const Features& features, const Weights& weights) {
    double sum = 0;
    for (std::size_t i = 0; i < kFeatures; ++i) {
        sum += weights[i] * static_cast<double>(features[i]);
    }
    return sum;
}

/// d log P(answer) / d weights, added to `gradient`.
void add_gradient(const Contest& contest, const Weights& weights, std::vector<double>& values,
                  Weights& gradient) {
    values.assign(1, value_of(contest.answer, weights));
    for (const Features& rival : contest.rivals) {
        values.push_back(value_of(rival, weights));
    }
    const double most = *std::max_element(values.begin(), values.end());
    double total = 0;
    for (double& value : values) {
        value = std::exp(value - most);
        total += value;
    }
    const auto add = [&](const Features& features, double factor) {
        for (std::size_t i = 0; i < kFeatures; ++i) {
            gradient[i] += factor * static_cast<double>(features[i]);
        }
    };
    add(contest.answer, 1 - values[0] / total);
    for (std::size_t i = 0; i < contest.rivals.size(); ++i) {
        add(contest.rivals[i], -values[i + 1] / total);
    }
}

}  // namespace

Weights fit_weights(std::span<const Contest* const> contests, const Weights& from, double pull) {
    constexpr int kSteps = 60;
    constexpr double kRate = 0.3;
    Weights weights = from;
    Weights squares{};  // AdaGrad
    std::vector<double> values;
    for (int step = 0; step < kSteps; ++step) {
        Weights gradient{};
        for (const Contest* contest : contests) {
            add_gradient(*contest, weights, values, gradient);
        }
        for (std::size_t i = 0; i < kFeatures; ++i) {
            gradient[i] -= pull * (weights[i] - from[i]);
            squares[i] += gradient[i] * gradient[i];
            if (squares[i] > 0) {
                weights[i] += kRate * gradient[i] / std::sqrt(squares[i]);
            }
        }
    }
    return weights;
}

double reciprocal_rank(const Contest& contest, const Weights& weights) {
    const auto mine = static_cast<float>(value_of(contest.answer, weights));
    Rank rank;
    for (const Features& rival : contest.rivals) {
        const auto theirs = static_cast<float>(value_of(rival, weights));
        rank.better += theirs > mine ? 1 : 0;
        rank.equal += theirs == mine ? 1 : 0;
    }
    rank.better += contest.beyond;
    return 1 / rank.mean();
}

}  // namespace hri::evaluation
