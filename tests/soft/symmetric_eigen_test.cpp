// SPDX-License-Identifier: Apache-2.0
#include "soft/symmetric_eigen.hpp"

#include "hri/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

/// The sum of `rank` outer products of random vectors: (n, n).
std::vector<double> random_symmetric(std::size_t n, std::size_t rank, bool positive,
                                     Random& random) {
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t r = 0; r < rank; ++r) {
        std::vector<double> x(n);
        std::generate(x.begin(), x.end(), [&] { return random.normal(); });
        const double sign = positive || r % 2 == 0 ? 1.0 : -1.0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                matrix[i * n + j] += sign * x[i] * x[j];
            }
        }
    }
    return matrix;
}

/// A V = V diag(values), V^T V = 1, values sorted, the largest entry of each vector positive.
void expect_decomposition(const std::vector<double>& a, std::size_t n) {
    const soft::SymmetricEigen eigen = soft::symmetric_eigen(a, n);
    const std::vector<double>& v = eigen.vectors;
    EXPECT_TRUE(std::is_sorted(eigen.values.begin(), eigen.values.end(), std::greater<>()));
    double norm = 1e-300;
    for (const double x : a) {
        norm = std::max(norm, std::abs(x) * static_cast<double>(n));
    }
    for (std::size_t i = 0; i < n; ++i) {
        double largest = 0;
        for (std::size_t k = 0; k < n; ++k) {
            double product = 0;
            double dot = 0;
            for (std::size_t j = 0; j < n; ++j) {
                product += a[i * n + j] * v[j * n + k];
                dot += v[j * n + i] * v[j * n + k];
            }
            EXPECT_NEAR(product, eigen.values[k] * v[i * n + k], 1e-13 * norm);
            EXPECT_NEAR(dot, i == k ? 1.0 : 0.0, 1e-12);
            largest = std::abs(v[k * n + i]) > std::abs(largest) ? v[k * n + i] : largest;
        }
        EXPECT_GT(largest, 0.0);
    }
}

TEST(SymmetricEigen, DecomposesRandomMatricesOfAnyRank) {
    Random random(5, 1);
    for (const std::size_t n : {1U, 2U, 3U, 7U, 20U, 50U}) {
        for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, n / 2, n, 2 * n}) {
            SCOPED_TRACE(testing::Message() << "n " << n << ", rank " << rank);
            expect_decomposition(random_symmetric(n, rank, true, random), n);
            expect_decomposition(random_symmetric(n, rank, false, random), n);
        }
    }
}

TEST(SymmetricEigen, TakesEqualAndVeryDifferentValues) {
    expect_decomposition({3, 0, 0, 0, 3, 0, 0, 0, 3}, 3);
    expect_decomposition({1e12, 1, 1e-3, 1, 1, 1e-6, 1e-3, 1e-6, 1e-12}, 3);
    expect_decomposition({0, 1, 1, 0}, 2);
}

TEST(SymmetricEigen, GivesTheValuesOfASmallMatrix) {
    const soft::SymmetricEigen eigen = soft::symmetric_eigen({2, 1, 1, 2}, 2);
    EXPECT_NEAR(eigen.values[0], 3, 1e-15);
    EXPECT_NEAR(eigen.values[1], 1, 1e-15);
    EXPECT_NEAR(eigen.vectors[0], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(eigen.vectors[2], std::sqrt(0.5), 1e-15);
}

}  // namespace
}  // namespace hri::test
