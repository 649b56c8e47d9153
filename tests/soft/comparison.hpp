// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of kernels compare: matrices of every size, and what each instruction set and the
// naive twin make of them.

#include "hri/random.hpp"

#include "reference/naive.hpp"
#include "soft/kernels/kernels.hpp"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace hri::test {

inline const std::vector<And> kAnds = {And::min, And::product, And::lukasiewicz};
inline const std::vector<And> kAnyAnd = {And::min};  // where the conjunction does not matter
constexpr const char* kInstructionSets[] = {"plain", "avx2", "avx512"};

inline std::vector<int> sizes() {
    std::vector<int> sizes;
    for (int n = 1; n <= 40; ++n) {
        sizes.push_back(n);
    }
    sizes.insert(sizes.end(), {48, 65});
    return sizes;
}

/// What a matrix is filled with. Few values make ties, which decide who wins a maximum.
enum class Fill { distinct, ties };

template <class Real>
struct Matrix {
    int n;
    int ld = soft::stride_for<Real>(n);
    std::vector<Real> values = std::vector<Real>(static_cast<std::size_t>(n * ld), Real(0));

    int area() const { return n * ld; }

    Real* data() { return values.data(); }

    const Real* data() const { return values.data(); }
};

/// Valuations in [0, 1], 0 and 1 among them; padding 0.
template <class Real>
Matrix<Real> random_matrix(int n, Fill fill, Random& random) {
    Matrix<Real> m{n};
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            double v = fill == Fill::ties ? random.below(5) / 4.0 : random.uniform();
            if (fill == Fill::distinct && random.chance(0.1)) {
                v = random.below(2);
            }
            m.values[static_cast<std::size_t>(x * m.ld + y)] = static_cast<Real>(v);
        }
    }
    return m;
}

/// Gradients of either sign; padding 0.
template <class Real>
Matrix<Real> random_gradient(int n, Random& random) {
    Matrix<Real> m = random_matrix<Real>(n, Fill::distinct, random);
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            m.values[static_cast<std::size_t>(x * m.ld + y)] -= Real(0.5);
        }
    }
    return m;
}

/// One row of n entries and padding.
template <class Real>
std::vector<Real> first_row(const Matrix<Real>& m) {
    return {m.values.begin(), m.values.begin() + m.ld};
}

/// What all kernels make of one set of random inputs, in a fixed order.
template <class Real>
struct Results {
    std::vector<std::string> names;
    std::vector<std::vector<Real>> values;
    std::vector<bool> exact;      // no sums: equal to the naive twin bit for bit
    std::vector<int> row_length;  // entries from n to the end of each row must be 0

    void add(std::string name, std::vector<Real> value, int row, bool is_exact) {
        names.push_back(std::move(name));
        values.push_back(std::move(value));
        row_length.push_back(row);
        exact.push_back(is_exact);
    }
};

/// The winners of real entries; those of padding mean nothing.
template <class Real>
std::vector<Real> winners(const std::vector<soft::Index<Real>>& found, int n, int ld) {
    std::vector<Real> result;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool real = static_cast<int>(i) % ld < n;
        result.push_back(real ? static_cast<Real>(found[i]) : Real(0));
    }
    return result;
}

template <class Real>
bool same_bits(Real a, Real b) {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <class Real>
void expect_like_naive(const Results<Real>& fast, const Results<Real>& slow, int n,
                       const std::string& where) {
    const Real tolerance = 16 * static_cast<Real>(n + 1) * std::numeric_limits<Real>::epsilon();
    ASSERT_EQ(fast.names, slow.names);
    for (std::size_t r = 0; r < fast.names.size(); ++r) {
        const std::string place = where + ", " + fast.names[r];
        for (std::size_t i = 0; i < fast.values[r].size(); ++i) {
            const Real is = fast.values[r][i];
            const Real should = slow.values[r][i];
            if (fast.row_length[r] > 1 && static_cast<int>(i) % fast.row_length[r] >= n) {
                ASSERT_EQ(is, Real(0)) << place << ", padding at " << i;
            } else if (fast.exact[r]) {
                ASSERT_EQ(is, should) << place << ", entry " << i;
            } else {
                ASSERT_NEAR(is, should, tolerance) << place << ", entry " << i;
            }
        }
    }
}

template <class Real>
void expect_same_bits(const Results<Real>& a, const Results<Real>& b, const std::string& where) {
    for (std::size_t r = 0; r < a.names.size(); ++r) {
        for (std::size_t i = 0; i < a.values[r].size(); ++i) {
            ASSERT_TRUE(same_bits(a.values[r][i], b.values[r][i]))
                << where << ", " << a.names[r] << ", entry " << i << ": " << a.values[r][i]
                << " and " << b.values[r][i];
        }
    }
}

/// Runs one family of kernels on every instruction set of this machine, conjunction and size.
template <class Real, class Run>
void compare_all(Run run, const std::vector<And>& ands) {
    for (const And op : ands) {
        const soft::Kernels<Real>* plain = soft::kernels_for<Real>("plain", op);
        ASSERT_NE(plain, nullptr);
        for (const int n : sizes()) {
            for (const Fill fill : {Fill::distinct, Fill::ties}) {
                const Random random(static_cast<std::uint64_t>(n), fill == Fill::ties ? 1 : 2);
                const Results<Real> slow = run(reference::kernels<Real>(op), n, fill, random);
                const Results<Real> reference = run(*plain, n, fill, random);
                for (const char* name : kInstructionSets) {
                    const soft::Kernels<Real>* fast = soft::kernels_for<Real>(name, op);
                    if (fast == nullptr) {
                        continue;
                    }
                    const std::string where = std::string(name) + ", and " +
                                              std::to_string(static_cast<int>(op)) + ", n " +
                                              std::to_string(n);
                    const bool same = fast == plain;
                    const Results<Real> results = same ? reference : run(*fast, n, fill, random);
                    expect_like_naive(results, slow, n, where);
                    expect_same_bits(results, reference, where);
                    if (testing::Test::HasFatalFailure()) {
                        return;
                    }
                }
            }
        }
    }
}

using Reals = testing::Types<float, double>;

struct RealName {
    template <class Real>
    static std::string GetName(int /*index*/) {
        return std::is_same_v<Real, float> ? "float" : "double";
    }
};

}  // namespace hri::test
