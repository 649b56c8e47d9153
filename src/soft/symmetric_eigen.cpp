// SPDX-License-Identifier: Apache-2.0
#include "soft/symmetric_eigen.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace hri::soft {
namespace {

constexpr int kMaxSweeps = 60;  // Convergence is quadratic: ten sweeps are many.

/// Replaces A by J^T A J and V by V J, where the rotation J makes A[p][q] zero.
void rotate(std::vector<double>& a, std::vector<double>& v, std::size_t n, std::size_t p,
            std::size_t q) {
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::hypot(t, 1.0);
    const double s = t * c;
    const auto turn = [c, s](double& x, double& y) {
        const double old = x;
        x = c * old - s * y;
        y = s * old + c * y;
    };
    for (std::size_t k = 0; k < n; ++k) {
        turn(a[k * n + p], a[k * n + q]);
    }
    for (std::size_t k = 0; k < n; ++k) {
        turn(a[p * n + k], a[q * n + k]);
        turn(v[p * n + k], v[q * n + k]);
    }
    a[p * n + q] = 0;
    a[q * n + p] = 0;
}

}  // namespace

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t n) {
    assert(matrix.size() == n * n);
    std::vector<double> rows(n * n, 0.0);  // eigenvectors as rows, until they are sorted
    for (std::size_t k = 0; k < n; ++k) {
        rows[k * n + k] = 1;
    }
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
        rotated = false;
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                const double diagonal =
                    std::sqrt(std::abs(matrix[p * n + p])) * std::sqrt(std::abs(matrix[q * n + q]));
                // An entry that is small beside its diagonal changes no digit of the result.
                if (std::abs(matrix[p * n + q]) > 1e-16 * diagonal) {
                    rotate(matrix, rows, n, p, q);
                    rotated = true;
                }
            }
        }
    }

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return matrix[a * n + a] > matrix[b * n + b];
    });
    SymmetricEigen eigen{std::vector<double>(n), std::vector<double>(n * n)};
    for (std::size_t k = 0; k < n; ++k) {
        const double* row = rows.data() + order[k] * n;
        const double* largest = std::max_element(
            row, row + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
        const double sign = *largest < 0 ? -1.0 : 1.0;
        eigen.values[k] = matrix[order[k] * n + order[k]];
        for (std::size_t i = 0; i < n; ++i) {
            eigen.vectors[i * n + k] = sign * row[i];
        }
    }
    return eigen;
}

}  // namespace hri::soft
