// SPDX-License-Identifier: Apache-2.0

// What the kernels promise beside equality with their naive twins: ties, kinks, extremes, noise.

#include "soft/comparison.hpp"

#include <cmath>

namespace hri::test {
namespace {

template <class Real>
class KernelsOf : public testing::Test {};

TYPED_TEST_SUITE(KernelsOf, Reals, RealName);

TYPED_TEST(KernelsOf, TheTablesSayWhichInstructionSetTheyAreFor) {
    for (const And op : kAnds) {
        for (const char* name : kInstructionSets) {
            if (const soft::Kernels<TypeParam>* found = soft::kernels_for<TypeParam>(name, op)) {
                EXPECT_STREQ(found->instruction_set, name);
            }
        }
        EXPECT_EQ(soft::kernels_for<TypeParam>("abacus", op), nullptr);
        const soft::Kernels<TypeParam>& chosen = soft::kernels<TypeParam>(op);
        EXPECT_EQ(soft::kernels_for<TypeParam>(chosen.instruction_set, op), &chosen);
    }
}

TYPED_TEST(KernelsOf, StridesAreTheSmallestMultiplesOfHalfAVector) {
    EXPECT_EQ(soft::lanes<TypeParam>() * static_cast<int>(sizeof(TypeParam)), 32);
    for (int n = 1; n <= 40; ++n) {
        const int ld = soft::stride_for<TypeParam>(n);
        EXPECT_EQ(ld % soft::grain<TypeParam>(), 0);
        EXPECT_GE(ld, n);
        EXPECT_LT(ld, n + soft::grain<TypeParam>());
    }
}

TYPED_TEST(KernelsOf, EqualValuesShareTheGradientOfMinAndTheFirstIndexTakesThatOfMax) {
    using Real = TypeParam;
    const soft::Kernels<Real>& k = soft::kernels<Real>(And::min);
    constexpr int n = 3;
    const int ld = soft::stride_for<Real>(n);
    std::vector<Real> left(static_cast<std::size_t>(n * ld), Real(0));
    std::vector<Real> right = left;
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            left[static_cast<std::size_t>(x * ld + y)] = Real(0.5);
            right[static_cast<std::size_t>(x * ld + y)] = Real(0.5);
        }
    }
    std::vector<Real> out = left;
    std::vector<soft::Index<Real>> winner(left.size(), 7);
    std::vector<Real> won_left = left;
    std::vector<Real> won_right = left;
    const soft::Joined<Real> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
    k.join_with_winner(joined, left.data(), right.data(), n, n, ld);
    std::vector<Real> d_out(left.size(), Real(0));
    d_out[static_cast<std::size_t>(ld + 2)] = 1;  // of atom (1,2) alone
    std::vector<Real> d_left(left.size(), Real(0));
    std::vector<Real> d_right(left.size(), Real(0));
    k.join_backward(d_left.data(), d_right.data(), d_out.data(), joined, n, ld);
    for (int i = 0; i < n * ld; ++i) {
        EXPECT_EQ(d_left[static_cast<std::size_t>(i)], Real(i == ld ? 0.5 : 0)) << i;
        EXPECT_EQ(d_right[static_cast<std::size_t>(i)], Real(i == 2 ? 0.5 : 0)) << i;
    }
}

TYPED_TEST(KernelsOf, LukasiewiczPassesTheGradientAtItsKink) {
    using Real = TypeParam;
    const soft::Kernels<Real>& k = soft::kernels<Real>(And::lukasiewicz);
    const int count = soft::lanes<Real>();
    std::vector<Real> left(static_cast<std::size_t>(count), Real(0));
    std::vector<Real> right = left;
    left[0] = Real(0.25), right[0] = Real(0.75);   // exactly at the kink
    left[1] = Real(0.25), right[1] = Real(0.5);    // below
    left[2] = Real(0.75), right[2] = Real(0.875);  // above
    std::vector<Real> out = left;
    k.meet(out.data(), left.data(), right.data(), count);
    EXPECT_EQ(out[0], Real(0));
    EXPECT_EQ(out[1], Real(0));
    EXPECT_EQ(out[2], Real(0.625));
    std::vector<Real> d_left(left.size(), Real(0));
    std::vector<Real> d_right(left.size(), Real(0));
    const std::vector<Real> d_out(left.size(), Real(2));
    k.meet_backward(d_left.data(), d_right.data(), d_out.data(), left.data(), right.data(), count);
    for (const std::vector<Real>& d : {d_left, d_right}) {
        EXPECT_EQ(d[0], Real(2));
        EXPECT_EQ(d[1], Real(0));
        EXPECT_EQ(d[2], Real(2));
    }
}

TYPED_TEST(KernelsOf, DisjunctionsShareTheGradientOfEqualsAndPassItAtTheirKink) {
    using Real = TypeParam;
    const soft::Kernels<Real>& k = soft::kernels<Real>(And::min);
    const int count = soft::lanes<Real>();
    const std::vector<Real> left(static_cast<std::size_t>(count), Real(0.5));
    std::vector<Real> right = left;
    right[1] = Real(0.75);
    std::vector<Real> d_left(left.size());
    std::vector<Real> d_right(left.size());
    const std::vector<Real> d_out(left.size(), Real(2));
    k.either_backward[static_cast<int>(Or::max)](d_left.data(), d_right.data(), d_out.data(),
                                                 left.data(), right.data(), count);
    EXPECT_EQ(d_left[0], Real(1));
    EXPECT_EQ(d_right[0], Real(1));
    EXPECT_EQ(d_left[1], Real(0));
    EXPECT_EQ(d_right[1], Real(2));
    k.either_backward[static_cast<int>(Or::lukasiewicz)](
        d_left.data(), d_right.data(), d_out.data(), left.data(), right.data(), count);
    EXPECT_EQ(d_left[0], Real(2));  // a sum of exactly 1
    EXPECT_EQ(d_right[0], Real(2));
    EXPECT_EQ(d_left[1], Real(0));
    EXPECT_EQ(d_right[1], Real(0));
}

TYPED_TEST(KernelsOf, SoftmaxStandsVeryLargeAndVerySmallScores) {
    using Real = TypeParam;
    const soft::Kernels<Real>& k = soft::kernels<Real>(And::min);
    const int width = soft::lanes<Real>();
    std::vector<Real> row(static_cast<std::size_t>(width), Real(0));
    row[0] = Real(1e4), row[1] = Real(-1e4), row[2] = Real(1e4), row[3] = Real(2e4);
    std::vector<Real> mask(row.size(), Real(-1e30));
    mask[0] = mask[1] = mask[2] = 0;
    k.softmax_rows(row.data(), mask.data(), Real(10), 1, width);
    EXPECT_EQ(row[0], Real(0.5));
    EXPECT_NEAR(row[1], Real(0), Real(1e-30));
    EXPECT_EQ(row[2], Real(0.5));
    for (std::size_t i = 3; i < row.size(); ++i) {
        EXPECT_EQ(row[i], Real(0));
    }
}

/// Every uniform number that training may draw on one side of its range, and some between.
std::vector<float> uniform_numbers() {
    std::vector<float> numbers;
    Random random(4);
    for (int i = 0; i < 64; ++i) {
        numbers.push_back(static_cast<float>(i) * 0x1.0p-24F);
        numbers.push_back(1.0F - static_cast<float>(i + 1) * 0x1.0p-24F);
        numbers.push_back(static_cast<float>(i) / 64.0F);
        numbers.push_back(static_cast<float>(random.next() >> 40) * 0x1.0p-24F);
    }
    return numbers;
}

TEST(NoiseKernels, MatchTheirNaiveTwinsOnEveryInstructionSet) {
    const std::vector<float> uniform = uniform_numbers();
    const int count = static_cast<int>(uniform.size());
    const auto all = [&](const soft::Kernels<float>& k) {
        std::vector<std::vector<float>> results;
        for (const float scale : {0.3F, 0.05F, 1e-3F, 1.0F}) {
            for (const bool inside : {true, false}) {
                results.push_back(uniform);
                k.gumbel_from_uniform(results.back().data(), scale, inside, count);
            }
        }
        results.push_back(uniform);
        k.normal_from_uniform(results.back().data(), count);
        return results;
    };
    const auto slow = all(reference::kernels<float>(And::min));
    const auto plain = all(*soft::kernels_for<float>("plain", And::min));
    for (const char* name : kInstructionSets) {
        const soft::Kernels<float>* fast = soft::kernels_for<float>(name, And::min);
        if (fast == nullptr) {
            continue;
        }
        const auto results = all(*fast);
        for (std::size_t r = 0; r < results.size(); ++r) {
            for (std::size_t i = 0; i < uniform.size(); ++i) {
                EXPECT_NEAR(results[r][i], slow[r][i], 2e-6F * (1 + std::abs(slow[r][i])))
                    << name << ", result " << r << ", from " << uniform[i];
                EXPECT_TRUE(same_bits(results[r][i], plain[r][i])) << name << ", result " << r;
            }
        }
    }
}

}  // namespace
}  // namespace hri::test
