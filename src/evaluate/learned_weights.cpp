// SPDX-License-Identifier: Apache-2.0
#include "evaluate/learned_weights.hpp"

#include "hri/random.hpp"

#include "evaluate/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hri::evaluation {
namespace {

double value_of(const Features& features, const Weights& weights) {
    double sum = 0;
    for (std::size_t i = 0; i < kFeatures; ++i) {
        sum += weights[i] * static_cast<double>(features[i]);
    }
    return sum;
}

/// From values to the slopes of log softmax(values)[0], over the candidates that are not `known`.
template <class Value>
void to_slopes(std::vector<Value>& values, const Contest& contest, Halves known) {
    for (std::size_t c = contest.sampled; c < values.size(); ++c) {
        values[c] += static_cast<Value>(std::log(contest.share));
    }
    for (std::size_t c = 1; c < values.size(); ++c) {
        if (contest.is_true(c, known)) {
            values[c] = -std::numeric_limits<Value>::infinity();
        }
    }
    to_shares(std::span(values));
    for (Value& value : values) {
        value = -value;
    }
    values[0] += 1;
}

}  // namespace

Weights fit_weights(std::span<const Contest* const> contests, bool pca, Halves known,
                    const Weights& from, double pull) {
    constexpr int kSteps = 60;
    constexpr double kRate = 0.3;
    Weights weights = from;
    Weights squares{};  // AdaGrad
    std::vector<double> values;
    for (int step = 0; step < kSteps; ++step) {
        Weights gradient{};
        for (const Contest* contest : contests) {
            values.clear();
            for (const auto& features : contest->candidates) {
                values.push_back(value_of(features[pca ? 1 : 0], weights));
            }
            to_slopes(values, *contest, known);
            for (std::size_t c = 0; c < values.size(); ++c) {
                const Features& features = contest->candidates[c][pca ? 1 : 0];
                for (std::size_t i = 0; i < kFeatures; ++i) {
                    gradient[i] += values[c] * static_cast<double>(features[i]);
                }
            }
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

std::vector<float> fit_rule_weights(std::span<const Contest* const> contests, bool pca,
                                    Halves known, const Weights& weights, const Aggregator& rules,
                                    const RuleFit& fit) {
    constexpr int kEpochs = 4;
    constexpr float kSmallest = 1e-3F;  // slope that is followed
    std::vector<float> learned(rules.size(), 0);
    std::vector<const Contest*> order(contests.begin(), contests.end());
    std::vector<float> values;
    Random random(0);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        random.shuffle(order);
        for (const Contest* contest : order) {
            values.clear();
            for (std::size_t c = 0; c < contest->candidates.size(); ++c) {
                auto value =
                    static_cast<float>(value_of(contest->candidates[c][pca ? 1 : 0], weights));
                for (const std::uint32_t rule : contest->rules_of(c)) {
                    value += learned[rule];
                }
                values.push_back(value);
            }
            to_slopes(values, *contest, known);
            for (std::size_t c = 0; c < values.size(); ++c) {
                if (std::abs(values[c]) < kSmallest) {
                    continue;
                }
                for (const std::uint32_t rule : contest->rules_of(c)) {
                    learned[rule] += fit.rate * (values[c] * rules.confidence_of(rule) -
                                                 fit.decay * learned[rule]);
                }
            }
        }
    }
    return learned;
}

double reciprocal_rank(const Contest& contest, bool pca, const Weights& weights,
                       std::span<const float> rule_weights) {
    const auto value = [&](std::size_t c) {
        double sum = value_of(contest.candidates[c][pca ? 1 : 0], weights);
        if (!rule_weights.empty()) {
            for (const std::uint32_t rule : contest.rules_of(c)) {
                sum += static_cast<double>(rule_weights[rule]);
            }
        }
        return static_cast<float>(sum);
    };
    const float mine = value(0);
    Rank rank;
    for (std::size_t c = 1; c < contest.candidates.size(); ++c) {
        if (contest.is_true(c, kBothHalves)) {
            continue;
        }
        const float theirs = value(c);
        const double count = c < contest.sampled ? 1 : static_cast<double>(contest.share);
        rank.better += theirs > mine ? count : 0;
        rank.equal += theirs == mine ? count : 0;
    }
    return 1 / rank.mean();
}

}  // namespace hri::evaluation
