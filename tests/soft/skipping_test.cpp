// SPDX-License-Identifier: Apache-2.0

// What is left out by skip_pairs and skip_gradients moves the target's valuations, the loss and its
// gradient by no more than docs/design/performance.md says.

#include "hri/random.hpp"

#include "soft/inference.hpp"
#include "soft/random_case.hpp"
#include "soft/unification.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri {
namespace {

/// Loss and target of one case under one pair of thresholds.
struct SkippingOutcome {
    std::vector<double> target;
    double loss = 0;
    std::vector<double> alpha;
};

SkippingOutcome outcome(RandomCase c, double skip_pairs, double skip_gradients) {
    c.options.skip_pairs = skip_pairs;
    c.options.skip_gradients = skip_gradients;
    training::Objective<double> objective(c.hierarchy, c.protorules, c.dimension, c.options);
    const std::vector<double> predicates = converted<double>(c.predicates);
    const std::vector<double> slots = converted<double>(c.slots);
    const soft::DenseInstance<double> dense = c.dense<double>();
    SkippingOutcome result;
    result.loss = objective.loss(predicates.data(), slots.data(), nullptr, c.options.temperature,
                                 dense, c.steps);
    result.target = objective.target();
    result.alpha = objective.alpha();
    return result;
}

double largest(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
    }
    return most;
}

/// How much a step can lose: the largest mass of weights that one rule leaves out.
double lost_mass(const RandomCase& c, const std::vector<double>& alpha, double threshold) {
    const int predicates = c.hierarchy.predicates();
    const auto row = [&](int slot) { return alpha.data() + slot * predicates; };
    const auto top = [&](int slot) { return *std::max_element(row(slot), row(slot) + predicates); };
    const auto slot_loss = [&](int slot) {
        const double least = std::min(threshold, top(slot) / 2);
        double sum = 0;
        for (int p = 0; p < predicates; ++p) {
            sum += row(slot)[p] > least ? 0 : row(slot)[p];
        }
        return sum;
    };
    double most = 0;
    for (const Auxiliary& auxiliary : c.hierarchy.auxiliaries) {
        const ProtoRule& rule = c.protorules[static_cast<std::size_t>(auxiliary.protorule)];
        const int left = auxiliary.slots[0];
        double lost = slot_loss(left);
        if (rule.body.size() == 2) {
            const int right = auxiliary.slots[1];
            const double min_left = std::min(threshold, top(left) / 2);
            const double min_right = std::min(threshold, top(right) / 2);
            const double least = std::min(threshold, top(left) * top(right) / 2);
            lost = 0;
            for (int p = 0; p < predicates; ++p) {
                for (int q = 0; q < predicates; ++q) {
                    const double weight = row(left)[p] * row(right)[q];
                    const bool kept =
                        row(left)[p] > min_left && row(right)[q] > min_right && weight > least;
                    lost += kept ? 0 : weight;
                }
            }
        }
        if (!rule.disjunct.empty()) {
            lost = std::max(lost, slot_loss(auxiliary.slots.back()));
        }
        most = std::max(most, lost);
    }
    return most;
}

/// Random models of the paper's rules and operators, with labels.
RandomCase labelled_case(std::uint64_t seed) {
    Random random(seed);
    Options options = exact_options();
    options.layers = 2 + static_cast<int>(seed % 3);
    options.temperature = 0.1;
    RandomCase c = random_case(shape("R*"), options, random);
    c.gumbel.clear();
    for (Label& label : c.instance.labels) {
        label = random.chance(0.5) ? Label::positive : Label::negative;
    }
    return c;
}

TEST(Skipping, MovesTheTargetByAtMostTheWeightsThatAreLeftOut) {
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RandomCase c = labelled_case(seed);
        const SkippingOutcome exact = outcome(c, 0, 0);
        for (const double threshold : {1e-4, 1e-3, 1e-2, 1e-1}) {
            const double lost = lost_mass(c, exact.alpha, threshold);
            // One step adds what it leaves out to what its operands lack already: both operands of
            // a conjunction lack no more than that, weights sum to 1, and max and min do not
            // stretch.
            const double bound = c.steps * lost;
            const double moves = largest(outcome(c, threshold, 0).target, exact.target);
            EXPECT_LE(moves, bound + 1e-12) << threshold << " " << c.describe();
            moved += moves > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(moved, 60) << "thresholds that change nothing test nothing";
}

TEST(Skipping, MovesTheLossByAtMostItsSlopeTimesThat) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RandomCase c = labelled_case(seed);
        const SkippingOutcome exact = outcome(c, 0, 0);
        const SkippingOutcome skipped = outcome(c, 1e-3, 1e-3);
        double bound = 0;
        for (std::size_t i = 0; i < exact.target.size(); ++i) {
            const bool positive = c.instance.labels[i] == Label::positive;
            const auto right = [&](const SkippingOutcome& o) {
                return std::max(positive ? o.target[i] : 1 - o.target[i], 1e-43);
            };
            const double moves = std::abs(exact.target[i] - skipped.target[i]);
            bound += moves / std::min(right(exact), right(skipped));
        }
        EXPECT_LE(std::abs(exact.loss - skipped.loss), bound + 1e-9) << c.describe();
    }
}

/// The gradient of the embeddings when every atom of the target asks for a change of +1 or -1.
std::vector<double> pulled(RandomCase c, double threshold) {
    c.options.skip_pairs = threshold;
    c.options.skip_gradients = threshold;
    const std::vector<double> predicates = converted<double>(c.predicates);
    const std::vector<double> slots = converted<double>(c.slots);
    const soft::DenseInstance<double> dense = c.dense<double>();
    soft::Unification<double> unification(c.hierarchy, c.dimension, c.options.similarity);
    unification.forward(predicates.data(), slots.data(), nullptr, c.options.temperature);
    soft::Inference<double> inference(c.hierarchy, c.protorules, c.options);
    inference.forward(unification.alpha().data(), dense, c.steps);
    std::vector<double> pull;
    for (const Label label : c.instance.labels) {
        pull.push_back(label == Label::positive ? -1 : 1);
    }
    std::vector<double> d_alpha(unification.alpha().size(), 0);
    inference.backward(d_alpha.data(), pull.data());
    std::vector<double> gradient(predicates.size() + slots.size());
    unification.backward(gradient.data(), gradient.data() + predicates.size(), d_alpha.data());
    return gradient;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    double product = 0;
    double a_square = 0;
    double b_square = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += a[i] * b[i];
        a_square += a[i] * a[i];
        b_square += b[i] * b[i];
    }
    return product == 0 ? 0 : product / std::sqrt(a_square * b_square);
}

// No threshold bounds the gradient of every model: where two values are near, a change of any size
// may hand the gradient of max or min to the other one. So this is over many models.
TEST(Skipping, LessOfItTurnsTheGradientLess) {
    std::vector<double> turned;  // mean of 1 - cosine
    for (const double threshold : {1e-6, 1e-4, 1e-3, 1e-2}) {
        double sum = 0;
        int count = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const RandomCase c = labelled_case(seed);
            const std::vector<double> exact = pulled(c, 0);
            if (largest(exact, std::vector<double>(exact.size(), 0)) < 0.01) {
                continue;  // saturated: nothing pulls
            }
            sum += 1 - cosine(exact, pulled(c, threshold));
            ++count;
        }
        ASSERT_GT(count, 50);
        turned.push_back(sum / count);
        RecordProperty("turned_" + std::to_string(threshold), std::to_string(sum / count));
    }
    EXPECT_TRUE(std::is_sorted(turned.begin(), turned.end()));
    EXPECT_LT(turned[0], 1e-6);
    EXPECT_LT(turned[1], 1e-2);
    EXPECT_LT(turned[2], 5e-2);
    EXPECT_GT(turned[3], 0);
}

}  // namespace
}  // namespace hri
