// SPDX-License-Identifier: Apache-2.0

// Unification scores against direct formulas, and their gradient by finite differences.

#include "soft/unification.hpp"

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "soft/random_case.hpp"
#include "support/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hri {
namespace {

constexpr Similarity kSimilarities[] = {Similarity::cosine, Similarity::l1, Similarity::l2,
                                        Similarity::scalar_product};

RandomCase some_case(Similarity similarity, std::uint64_t seed) {
    Random random(seed);
    Options options = random_options(random);
    options.similarity = similarity;
    options.dimension = 3 + static_cast<int>(seed % 4);
    return random_case(shape(seed % 2 == 0 ? "R*" : "MIL"), options, random, {.max_constants = 1});
}

/// The score of one predicate for one slot, written out.
double formula(const RandomCase& c, std::size_t slot, int predicate, bool noise) {
    const auto d = static_cast<std::size_t>(c.dimension);
    const auto width = static_cast<std::size_t>(c.hierarchy.predicates());
    const auto exponential = [&](int p) {
        const float* a = c.predicates.data() + static_cast<std::size_t>(p) * d;
        const float* b = c.slots.data() + slot * d;
        double ab = 0;
        double aa = 0;
        double bb = 0;
        double taxi = 0;
        double square = 0;
        for (std::size_t k = 0; k < d; ++k) {
            const double x = static_cast<double>(a[k]);
            const double y = static_cast<double>(b[k]);
            ab += x * y;
            aa += x * x;
            bb += y * y;
            taxi += std::abs(x - y);
            square += (x - y) * (x - y);
        }
        const double similarity = c.options.similarity == Similarity::cosine
                                      ? ab / std::sqrt(aa * bb)
                                  : c.options.similarity == Similarity::l1 ? -taxi
                                  : c.options.similarity == Similarity::l2 ? -std::sqrt(square)
                                                                           : ab;
        const double gumbel =
            noise ? static_cast<double>(c.gumbel[slot * width + static_cast<std::size_t>(p)]) : 0.0;
        return std::exp((similarity + gumbel) / c.options.temperature);
    };
    const std::vector<int>& candidates = c.hierarchy.slots[slot].candidates;
    if (std::count(candidates.begin(), candidates.end(), predicate) == 0) {
        return 0;
    }
    double sum = 0;
    for (const int p : candidates) {
        sum += exponential(p);
    }
    return exponential(predicate) / sum;
}

template <class Real>
void compare_with_formula(double tolerance) {
    for (const Similarity similarity : kSimilarities) {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const RandomCase c = some_case(similarity, seed);
            const bool noise = !c.gumbel.empty();
            soft::Unification<Real> unification(c.hierarchy, c.dimension, similarity);
            const std::vector<Real> gumbel = converted<Real>(c.gumbel);
            const std::vector<Real> predicates = converted<Real>(c.predicates);
            const std::vector<Real> slots = converted<Real>(c.slots);
            unification.forward(predicates.data(), slots.data(), noise ? gumbel.data() : nullptr,
                                static_cast<Real>(c.options.temperature));
            const auto width = static_cast<std::size_t>(c.hierarchy.predicates());
            ASSERT_EQ(unification.alpha().size(), width * c.hierarchy.slots.size());
            for (std::size_t s = 0; s < c.hierarchy.slots.size(); ++s) {
                const std::vector<int>& candidates = c.hierarchy.slots[s].candidates;
                double sum = 0;
                for (std::size_t p = 0; p < width; ++p) {
                    const auto score = static_cast<double>(unification.alpha()[s * width + p]);
                    EXPECT_NEAR(score, formula(c, s, static_cast<int>(p), noise), tolerance);
                    if (std::count(candidates.begin(), candidates.end(), static_cast<int>(p)) ==
                        0) {
                        EXPECT_EQ(score, 0.0);
                    }
                    sum += score;
                }
                EXPECT_NEAR(sum, 1.0, tolerance);
            }
        }
    }
}

TEST(Unification, IsASoftmaxOverTheCandidatesInSinglePrecision) {
    compare_with_formula<float>(1e-5);
}

TEST(Unification, IsASoftmaxOverTheCandidatesInDoublePrecision) {
    compare_with_formula<double>(1e-13);
}

TEST(Unification, StandsLargeSimilaritiesAndLowTemperatures) {
    RandomCase c = some_case(Similarity::scalar_product, 2);
    for (float& x : c.slots) {
        x *= 1000;
    }
    soft::Unification<float> unification(c.hierarchy, c.dimension, Similarity::scalar_product);
    unification.forward(c.predicates.data(), c.slots.data(), nullptr, 1e-3F);
    for (const float a : unification.alpha()) {
        EXPECT_TRUE(a >= 0 && a <= 1) << a;
    }
}

TEST(Unification, ZeroVectorsHaveCosineZero) {
    RandomCase c = some_case(Similarity::cosine, 4);
    std::fill(c.slots.begin(), c.slots.end(), 0.0F);
    soft::Unification<double> unification(c.hierarchy, c.dimension, Similarity::cosine);
    const std::vector<double> predicates = converted<double>(c.predicates);
    const std::vector<double> slots = converted<double>(c.slots);
    unification.forward(predicates.data(), slots.data(), nullptr, 0.1);
    const auto width = static_cast<std::size_t>(c.hierarchy.predicates());
    for (std::size_t s = 0; s < c.hierarchy.slots.size(); ++s) {
        const std::vector<int>& candidates = c.hierarchy.slots[s].candidates;
        for (const int p : candidates) {
            EXPECT_NEAR(unification.alpha()[s * width + static_cast<std::size_t>(p)],
                        1.0 / static_cast<double>(candidates.size()), 1e-15);
        }
    }
}

TEST(Unification, HasTheGradientThatFiniteDifferencesShow) {
    for (const Similarity similarity : kSimilarities) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const RandomCase c = some_case(similarity, seed);
            const std::size_t rows = c.predicates.size();
            std::vector<double> point = converted<double>(c.predicates);
            for (const float x : c.slots) {
                point.push_back(static_cast<double>(x));
            }
            const std::vector<double> gumbel = converted<double>(c.gumbel);
            Random random(seed, 9);
            std::vector<double> weights;  // the function is a weighted sum of the scores
            for (std::size_t i = 0; i < c.hierarchy.slots.size() * c.hierarchy.arity.size(); ++i) {
                weights.push_back(random.normal());
            }
            soft::Unification<double> unification(c.hierarchy, c.dimension, similarity);
            const auto value = [&](const std::vector<double>& at) {
                unification.forward(at.data(), at.data() + rows,
                                    gumbel.empty() ? nullptr : gumbel.data(),
                                    c.options.temperature);
                double sum = 0;
                for (std::size_t i = 0; i < weights.size(); ++i) {
                    sum += weights[i] * unification.alpha()[i];
                }
                return sum;
            };
            value(point);
            std::vector<double> gradient(point.size(), -7.0);  // must be overwritten
            unification.backward(gradient.data(), gradient.data() + rows, weights.data());
            const GradientCheck check = check_gradient(point, gradient, value);
            EXPECT_LE(check.norm_error, 1e-6);
            EXPECT_LE(check.worst_error, 1e-6);
            EXPECT_GE(check.usable, check.coordinates * 9 / 10);
        }
    }
}

}  // namespace
}  // namespace hri
