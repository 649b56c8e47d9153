// SPDX-License-Identifier: Apache-2.0

// Schedules of noise and temperature, what the noise is distributed like, and the optimiser.

#include "train/noise.hpp"

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "train/adam.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

namespace hri {
namespace {

TEST(GaussianScale, IsHalvedAtIterationZeroAndThenEverySoOften) {
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 0), 0.5);
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 29), 0.5);
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 30), 0.25);
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 59), 0.25);
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 60), 0.125);
    EXPECT_EQ(training::gaussian_scale(1.0, 60, 59), 0.5);
    EXPECT_EQ(training::gaussian_scale(1.0, 60, 60), 0.25);
    EXPECT_EQ(training::gaussian_scale(0.6, 60, 130), 0.6 / 8);
}

TEST(GaussianScale, EndsAtZero) {
    EXPECT_EQ(training::gaussian_scale(0.0, 30, 0), 0.0);
    EXPECT_EQ(training::gaussian_scale(1.0, 30, 3000), 0.0);
    double last = 1;
    for (int i = 0; i < 3000; i += 10) {
        EXPECT_LE(training::gaussian_scale(1.0, 30, i), last);
        last = training::gaussian_scale(1.0, 30, i);
    }
}

TEST(GumbelScale, FallsLinearlyToZeroOverTheRun) {
    EXPECT_DOUBLE_EQ(training::gumbel_scale(0.3, 0, 1000), 0.3);
    EXPECT_DOUBLE_EQ(training::gumbel_scale(0.3, 250, 1000), 0.225);
    EXPECT_DOUBLE_EQ(training::gumbel_scale(0.3, 500, 1000), 0.15);
    EXPECT_NEAR(training::gumbel_scale(0.3, 999, 1000), 0.0003, 1e-12);
    EXPECT_EQ(training::gumbel_scale(0.3, 1000, 1000), 0.0);
    EXPECT_EQ(training::gumbel_scale(0.0, 10, 1000), 0.0);
}

TEST(Temperature, IsConstantUnlessAScheduleIsChosen) {
    Options options;
    options.temperature = 0.1;
    options.final_temperature = 0.01;
    EXPECT_EQ(training::temperature_at(options, 0, 100), 0.1);
    EXPECT_EQ(training::temperature_at(options, 99, 100), 0.1);
}

TEST(Temperature, FallsLinearlyOrExponentiallyToItsFinalValue) {
    Options options;
    options.temperature = 0.1;
    options.final_temperature = 0.001;
    options.temperature_schedule = Schedule::linear;
    EXPECT_DOUBLE_EQ(training::temperature_at(options, 0, 101), 0.1);
    EXPECT_DOUBLE_EQ(training::temperature_at(options, 50, 101), 0.0505);
    EXPECT_DOUBLE_EQ(training::temperature_at(options, 100, 101), 0.001);
    options.temperature_schedule = Schedule::exponential;
    EXPECT_DOUBLE_EQ(training::temperature_at(options, 0, 101), 0.1);
    EXPECT_NEAR(training::temperature_at(options, 50, 101), 0.01, 1e-15);  // the geometric mean
    EXPECT_NEAR(training::temperature_at(options, 100, 101), 0.001, 1e-15);
}

TEST(Temperature, OfASingleIterationIsTheFinalOne) {
    Options options;
    options.temperature = 0.5;
    options.final_temperature = 0.25;
    for (const Schedule schedule : {Schedule::linear, Schedule::exponential}) {
        options.temperature_schedule = schedule;
        EXPECT_DOUBLE_EQ(training::temperature_at(options, 0, 1), 0.25);
    }
}

Hierarchy some_hierarchy() {
    Options options;
    options.layers = 3;
    return make_hierarchy(load_protorules("R*"), {{"p", 2}, {"q", 1}}, 2, options);
}

struct Moments {
    double mean = 0;
    double deviation = 0;
    double kurtosis = 0;
};

Moments moments(const std::vector<double>& sample) {
    Moments m;
    const auto count = static_cast<double>(sample.size());
    for (const double x : sample) {
        m.mean += x / count;
    }
    double second = 0;
    double fourth = 0;
    for (const double x : sample) {
        second += std::pow(x - m.mean, 2) / count;
        fourth += std::pow(x - m.mean, 4) / count;
    }
    m.deviation = std::sqrt(second);
    m.kurtosis = fourth / (second * second);
    return m;
}

TEST(GaussianNoise, IsNormalWithItsScale) {
    const Hierarchy hierarchy = some_hierarchy();
    training::Noise noise(hierarchy, 1);
    const std::vector<float> rows(4001, 2.0F);  // no multiple of anything
    std::vector<float> out;
    std::vector<double> sample;
    for (int i = 0; i < 10; ++i) {
        noise.add_gaussian(out, rows, 1, 0, 0, 0.25);
        ASSERT_EQ(out.size(), rows.size());
        for (const float x : out) {
            sample.push_back(static_cast<double>(x) - 2.0);
        }
    }
    const Moments m = moments(sample);
    EXPECT_NEAR(m.mean, 0.0, 0.005);
    EXPECT_NEAR(m.deviation, 0.25, 0.004);
    EXPECT_NEAR(m.kurtosis, 3.0, 0.1);
    const auto within =
        std::count_if(sample.begin(), sample.end(), [](double x) { return std::abs(x) < 0.25; });
    EXPECT_NEAR(static_cast<double>(within) / static_cast<double>(sample.size()), 0.6827, 0.01);
    double product = 0;  // neighbours are independent
    for (std::size_t i = 1; i < sample.size(); ++i) {
        product += sample[i] * sample[i - 1];
    }
    EXPECT_NEAR(product / static_cast<double>(sample.size()) / (0.25 * 0.25), 0.0, 0.02);
}

TEST(GaussianNoise, LeavesFixedRowsAndColumnsAlone) {
    const Hierarchy hierarchy = some_hierarchy();
    training::Noise noise(hierarchy, 1);
    std::vector<float> rows(6 * 5);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<float>(i);
    }
    std::vector<float> out;
    noise.add_gaussian(out, rows, 5, 2, 2, 1.0);
    for (std::size_t r = 0; r < 6; ++r) {
        for (std::size_t k = 0; k < 5; ++k) {
            if (r < 2 || k < 2) {
                EXPECT_EQ(out[r * 5 + k], rows[r * 5 + k]);
            } else {
                EXPECT_NE(out[r * 5 + k], rows[r * 5 + k]);
            }
        }
    }
    noise.add_gaussian(out, rows, 5, 0, 0, 0.0);
    EXPECT_EQ(out, rows);
}

TEST(GaussianNoise, IsTheSameForTheSameSeedAndFreshAtEachCall) {
    const Hierarchy hierarchy = some_hierarchy();
    const std::vector<float> rows(20, 0.0F);
    std::vector<float> first;
    std::vector<float> again;
    std::vector<float> next;
    std::vector<float> other;
    training::Noise(hierarchy, 5).add_gaussian(again, rows, 4, 0, 0, 1.0);
    training::Noise(hierarchy, 6).add_gaussian(other, rows, 4, 0, 0, 1.0);
    training::Noise noise(hierarchy, 5);
    noise.add_gaussian(first, rows, 4, 0, 0, 1.0);
    noise.add_gaussian(next, rows, 4, 0, 0, 1.0);
    EXPECT_EQ(first, again);
    EXPECT_NE(first, next);
    EXPECT_NE(first, other);
}

std::vector<double> gumbel_sample(double scale, GumbelConvention reading) {
    const Hierarchy hierarchy = some_hierarchy();
    const std::size_t scores = hierarchy.slots.size() * hierarchy.arity.size();
    training::Noise noise(hierarchy, 3);
    std::vector<double> sample;
    while (sample.size() < 40000) {
        const float* values = noise.gumbel(scale, reading);
        for (std::size_t i = 0; i < scores; ++i) {
            EXPECT_TRUE(std::isfinite(values[i]));
            sample.push_back(static_cast<double>(values[i]));
        }
    }
    return sample;
}

double quantile(std::vector<double> sample, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size()));
    std::nth_element(sample.begin(), sample.begin() + at, sample.end());
    return sample[static_cast<std::size_t>(at)];
}

TEST(GumbelNoise, WithTheScaleOutsideIsGumbelsDistribution) {
    const std::vector<double> sample = gumbel_sample(0.3, GumbelConvention::outside);
    const Moments m = moments(sample);
    EXPECT_NEAR(m.mean, 0.3 * std::numbers::egamma, 0.01);
    EXPECT_NEAR(m.deviation, 0.3 * std::numbers::pi / std::sqrt(6.0), 0.01);
    for (const double share : {0.1, 0.5, 0.9}) {
        EXPECT_NEAR(quantile(sample, share), -0.3 * std::log(-std::log(share)), 0.01);
    }
}

TEST(GumbelNoise, WithTheScaleInsideHasItInsideTheLogarithms) {
    for (const double scale : {0.3, 0.02}) {
        const std::vector<double> sample = gumbel_sample(scale, GumbelConvention::inside);
        for (const double share : {0.1, 0.5, 0.9}) {
            EXPECT_NEAR(quantile(sample, share), -std::log(-std::log(scale * share)), 0.01);
        }
        EXPECT_LE(*std::max_element(sample.begin(), sample.end()),
                  -std::log(-std::log(scale)) + 1e-5);
    }
}

TEST(GumbelNoise, OfScaleZeroIsNone) {
    const Hierarchy hierarchy = some_hierarchy();
    training::Noise noise(hierarchy, 3);
    EXPECT_EQ(noise.gumbel(0.0, GumbelConvention::inside), nullptr);
    EXPECT_EQ(noise.gumbel(0.0, GumbelConvention::outside), nullptr);
}

/// Adam of one number, as its authors wrote it.
class ScalarAdam {
  public:
    explicit ScalarAdam(double rate) : rate_(rate) {}

    double step(double parameter, double gradient) {
        ++time_;
        mean_ = 0.9 * mean_ + 0.1 * gradient;
        square_ = 0.999 * square_ + 0.001 * gradient * gradient;
        const double mean = mean_ / (1 - std::pow(0.9, time_));
        const double square = square_ / (1 - std::pow(0.999, time_));
        return parameter - rate_ * mean / (std::sqrt(square) + 1e-8);
    }

  private:
    double rate_;
    double mean_ = 0;
    double square_ = 0;
    int time_ = 0;
};

template <class Real>
void compare_adam(double tolerance) {
    constexpr std::size_t size = 13;
    Random random(8);
    training::Adam<Real> adam(size, 0.03);
    std::vector<ScalarAdam> scalars(size, ScalarAdam(0.03));
    std::vector<Real> parameters(size, Real(0.5));
    std::vector<double> expected(size, 0.5);
    for (int t = 0; t < 200; ++t) {
        std::vector<Real> gradient;
        for (std::size_t i = 0; i < size; ++i) {
            // from large to tiny, one of them always 0
            const double g =
                i == 0 ? 0.0 : std::pow(10.0, 3.0 - static_cast<double>(i) / 2) * random.normal();
            gradient.push_back(static_cast<Real>(g));
        }
        adam.step(parameters.data(), gradient.data());
        for (std::size_t i = 0; i < size; ++i) {
            expected[i] = scalars[i].step(expected[i], static_cast<double>(gradient[i]));
            ASSERT_NEAR(static_cast<double>(parameters[i]), expected[i], tolerance) << "step " << t;
        }
    }
    EXPECT_EQ(parameters[0], Real(0.5));
}

TEST(Adam, MatchesTheAuthorsFormulaNumberByNumber) {
    compare_adam<double>(1e-12);
    compare_adam<float>(2e-5);
}

TEST(Adam, FirstMovesEachParameterByTheLearningRate) {
    training::Adam<double> adam(3, 0.01);
    std::vector<double> parameters = {1, 1, 1};
    const std::vector<double> gradient = {1e-3, -7, 0};
    adam.step(parameters.data(), gradient.data());
    EXPECT_NEAR(parameters[0], 0.99, 1e-6);
    EXPECT_NEAR(parameters[1], 1.01, 1e-6);
    EXPECT_EQ(parameters[2], 1.0);
}

}  // namespace
}  // namespace hri
