// SPDX-License-Identifier: Apache-2.0
#include "hri/random.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace hri {
namespace {

TEST(Random, GivesTheSameNumbersOnEveryMachine) {
    Random zero(0);
    EXPECT_EQ(zero.next(), 0x84f09bf307c1073aU);
    EXPECT_EQ(zero.next(), 0xc82ffb597ceee51bU);
    EXPECT_EQ(zero.next(), 0xadf96905c5df4417U);
    Random data(42, Random::kData);
    EXPECT_EQ(data.next(), 0xc3ea0be99ecad077U);
    EXPECT_EQ(data.next(), 0x6d2e3c4c03e22e38U);
}

TEST(Random, KeepsStreamsOfOneSeedApart) {
    Random noise(5, Random::kNoise);
    Random data(5, Random::kData);
    EXPECT_NE(noise.next(), data.next());
}

TEST(Random, DrawsEachNumberBelowABoundEquallyOften) {
    Random random(1);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70'000; ++i) {
        ++counts.at(static_cast<std::size_t>(random.below(7)));
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10'000, 500);  // five standard deviations
    }
    EXPECT_EQ(random.below(1), 0);
}

TEST(Random, DrawsUniformAndNormalNumbersWithTheirMeanAndVariance) {
    Random random(2);
    double uniform = 0;
    double normal = 0;
    double square = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
        const double u = random.uniform();
        ASSERT_TRUE(u >= 0 && u < 1);
        uniform += u;
        const double x = random.normal();
        normal += x;
        square += x * x;
    }
    EXPECT_NEAR(uniform / kDraws, 0.5, 0.005);
    EXPECT_NEAR(normal / kDraws, 0, 0.02);
    EXPECT_NEAR(square / kDraws, 1, 0.03);
}

TEST(Random, ShufflesIntoEveryOrder) {
    Random random(3);
    std::array<int, 6> seen{};
    for (int i = 0; i < 6'000; ++i) {
        std::vector<int> items{0, 1, 2};
        random.shuffle(items);
        ++seen.at(static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2] ? 1 : 0)));
    }
    for (const int count : seen) {
        EXPECT_NEAR(count, 1'000, 150);
    }
}

}  // namespace
}  // namespace hri
