// SPDX-License-Identifier: Apache-2.0

// Every kernel of every instruction set against its naive twin, for float and double and every
// conjunction.

#include "kernels/kernels.hpp"

#include "hri/random.hpp"

#include "kernels/naive.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace hri {
namespace {

const std::vector<And> kAnds = {And::min, And::product, And::lukasiewicz};
const std::vector<And> kAnyAnd = {And::min};  // where the conjunction does not matter
constexpr const char* kInstructionSets[] = {"plain", "avx2", "avx512"};

std::vector<int> sizes() {
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
    int ld = stride_for<Real>(n);
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
std::vector<Real> winners(const std::vector<Index<Real>>& found, int n, int ld) {
    std::vector<Real> result;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool real = static_cast<int>(i) % ld < n;
        result.push_back(real ? static_cast<Real>(found[i]) : Real(0));
    }
    return result;
}

template <class Real>
Results<Real> run_joins(const Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const Matrix<Real> left = random_matrix<Real>(n, fill, random);
    const Matrix<Real> right = random_matrix<Real>(n, fill, random);
    const Matrix<Real> d_out = random_gradient<Real>(n, random);
    const Matrix<Real> before =
        random_gradient<Real>(n, random);  // what is overwritten or added to
    const int ld = left.ld;

    Matrix<Real> out = before;
    k.join(out.data(), left.data(), right.data(), n, n, ld);
    results.add("join", out.values, ld, true);
    out = before;
    k.join(out.data(), left.data(), right.data(), n / 2, n, ld);
    results.add("half the rows of join", out.values, ld, true);

    out = before;
    std::vector<Index<Real>> winner(out.values.size(), 0);
    Matrix<Real> won_left{n};
    Matrix<Real> won_right{n};
    const Joined<Real> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
    k.join_with_winner(joined, left.data(), right.data(), n, n, ld);
    results.add("join_with_winner", out.values, ld, true);
    results.add("winner of join_with_winner", winners<Real>(winner, n, ld), ld, true);
    for (int x = 0; x < n; ++x) {  // in padding, what met means nothing
        for (int y = 0; y < n; ++y) {
            const auto i = static_cast<std::size_t>(x * ld + y);
            const int z = static_cast<int>(winner[i]);
            EXPECT_EQ(won_left.values[i], left.values[static_cast<std::size_t>(x * ld + z)]);
            EXPECT_EQ(won_right.values[i], right.values[static_cast<std::size_t>(z * ld + y)]);
        }
    }

    Matrix<Real> d_left = before;
    Matrix<Real> d_right = random_gradient<Real>(n, random);
    k.join_backward(d_left.data(), d_right.data(), d_out.data(), joined, n, ld);
    results.add("d_left of join_backward", d_left.values, ld, false);
    results.add("d_right of join_backward", d_right.values, ld, false);

    Matrix<Real> d_both = before;  // one predicate on both sides
    k.join_backward(d_both.data(), d_both.data(), d_out.data(), joined, n, ld);
    results.add("join_backward into one buffer", d_both.values, ld, false);

    d_left = before;  // a side may be left out
    k.join_backward(d_left.data(), nullptr, d_out.data(), joined, n, ld);
    results.add("d_left alone of join_backward", d_left.values, ld, false);
    d_right = before;
    k.join_backward(nullptr, d_right.data(), d_out.data(), joined, n, ld);
    results.add("d_right alone of join_backward", d_right.values, ld, false);

    std::vector<Real> column = first_row(before);
    std::vector<Index<Real>> column_winner(column.size(), 0);
    k.join_column(column.data(), column_winner.data(), left.data(), right.data(), n, ld);
    results.add("join_column", column, ld, true);
    results.add("winner of join_column", winners<Real>(column_winner, n, ld), ld, true);
    for (const int side : {0, 1, 2}) {
        d_left = before;
        d_right = before;
        const std::vector<Real> d_column = first_row(d_out);
        k.join_column_backward(side == 1 ? nullptr : d_left.data(),
                               side == 2 ? nullptr : d_right.data(), d_column.data(),
                               column_winner.data(), left.data(), right.data(), n, ld);
        results.add("d_left of join_column_backward", d_left.values, ld, false);
        results.add("d_right of join_column_backward", d_right.values, ld, false);
    }

    const std::vector<Real> row = first_row(right);
    out = before;
    k.outer(out.data(), left.data(), row.data(), n, ld);
    results.add("outer", out.values, ld, true);

    for (const int side : {0, 1, 2}) {
        d_left = before;
        std::vector<Real> d_row = first_row(before);
        k.outer_backward(side == 1 ? nullptr : d_left.data(), side == 2 ? nullptr : d_row.data(),
                         d_out.data(), left.data(), row.data(), n, ld);
        results.add("d_left of outer_backward", d_left.values, ld, false);
        results.add("d_right of outer_backward", d_row, ld, false);
    }

    // One row of them is a vector.
    const std::vector<Real> d_one = first_row(d_out);
    std::vector<Real> one = first_row(before);
    k.outer(one.data(), left.data(), row.data(), 1, ld);
    results.add("outer of one row", one, ld, true);
    d_left = before;
    std::vector<Real> d_row = first_row(before);
    k.outer_backward(d_left.data(), d_row.data(), d_one.data(), left.data(), row.data(), 1, ld);
    results.add("d_left of outer_backward of one row", d_left.values, ld, false);
    results.add("d_right of outer_backward of one row", d_row, ld, false);
    return results;
}

template <class Real>
Results<Real> run_elementwise(const Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const Matrix<Real> left = random_matrix<Real>(n, fill, random);
    const Matrix<Real> right = random_matrix<Real>(n, fill, random);
    const Matrix<Real> d_out = random_gradient<Real>(n, random);
    const Matrix<Real> before = random_gradient<Real>(n, random);
    const int ld = left.ld;

    Matrix<Real> out = before;
    k.meet(out.data(), left.data(), right.data(), left.area());
    results.add("meet", out.values, ld, true);

    Matrix<Real> d_left = before;
    Matrix<Real> d_right = random_gradient<Real>(n, random);
    k.meet_backward(d_left.data(), d_right.data(), d_out.data(), left.data(), right.data(),
                    left.area());
    results.add("d_left of meet_backward", d_left.values, ld, true);
    results.add("d_right of meet_backward", d_right.values, ld, true);

    d_left = before;
    d_right = before;
    k.meet_backward(d_left.data(), nullptr, d_out.data(), left.data(), right.data(), left.area());
    k.meet_backward(nullptr, d_right.data(), d_out.data(), left.data(), right.data(), left.area());
    results.add("d_left alone of meet_backward", d_left.values, ld, true);
    results.add("d_right alone of meet_backward", d_right.values, ld, true);

    Matrix<Real> d_both = before;  // one predicate on both sides
    k.meet_backward(d_both.data(), d_both.data(), d_out.data(), left.data(), left.data(),
                    left.area());
    results.add("meet_backward into one buffer", d_both.values, ld, false);

    for (const Or op : {Or::max, Or::prodminus, Or::lukasiewicz}) {
        const auto which = static_cast<int>(op);
        const std::string name = "or " + std::to_string(which);
        out = before;
        k.either[which](out.data(), left.data(), right.data(), left.area());
        results.add(name, out.values, ld, true);
        d_left = d_out;  // in place
        d_right = before;
        k.either_backward[which](d_left.data(), d_right.data(), d_left.data(), left.data(),
                                 right.data(), left.area());
        results.add("d_left of " + name, d_left.values, ld, true);
        results.add("d_right of " + name, d_right.values, ld, true);
    }

    out = before;
    const Real d_weight =
        k.pool_backward(out.data(), d_out.data(), left.data(), Real(0.37), left.area());
    results.add("pool_backward", out.values, ld, true);
    results.add("weight of pool_backward", {d_weight}, 1, false);

    for (int count = 1; count <= 9; ++count) {  // rules 0, 2, 4, ... of twice as many
        std::vector<Weighted<Real>> terms;
        std::vector<Real> sums;
        for (int t = 0; t < count; ++t) {
            terms.push_back({2 * t, static_cast<Real>(random.uniform())});
            for (int twice = 0; twice < 2; ++twice) {
                const Matrix<Real> d_sum = random_gradient<Real>(n, random);
                sums.insert(sums.end(), d_sum.values.begin(), d_sum.values.end());
            }
        }
        const std::string name = " of " + std::to_string(count) + " terms";
        std::vector<Real> d_weights(terms.size());
        out = before;
        const Real largest =
            k.pool_terms_backward(out.data(), d_weights.data(), sums.data(), terms.data(), count,
                                  left.data(), left.area(), left.area());
        results.add("pool_terms_backward" + name, out.values, ld, true);
        results.add("weights" + name, d_weights, 1, false);
        results.add("largest" + name, {largest}, 1, true);
        d_weights.assign(terms.size(), Real(1));  // added to
        k.pool_weights(d_weights.data(), sums.data(), terms.data(), count, left.data(), left.area(),
                       left.area());
        results.add("pool_weights" + name, d_weights, 1, false);
        k.pool(sums.data(), terms.data(), count, left.data(), left.area(), left.area());
        results.add("pool" + name, sums, ld, true);
    }

    out = before;
    k.add_scaled(out.data(), left.data(), Real(0.37), left.area());
    results.add("add_scaled", out.values, ld, true);

    out = right;
    k.keep_larger(out.data(), left.data(), Real(0.75), left.area());
    results.add("keep_larger", out.values, ld, true);

    results.add("dot", {k.dot(d_out.data(), left.data(), left.area())}, 1, false);
    results.add("largest", {k.largest(d_out.data(), left.area())}, 1, true);
    return results;
}

/// Lists of pairs of every shape, with gradients of both sides, of one, of none, and of one buffer
/// on both.
template <class Real>
Results<Real> run_pairs(const Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    if (stride_for<Real>(n) > kPairColumns<Real>()) {
        return results;
    }
    constexpr int kPairs = 5;
    constexpr int kRules = 9;
    for (int shape = 0; shape < kShapes; ++shape) {
        const std::string name = " of shape " + std::to_string(shape);
        const bool is_vector = shape >= static_cast<int>(Shape::column);
        std::vector<Matrix<Real>> values;
        std::vector<Matrix<Real>> gradients;
        for (int i = 0; i < 2 * kPairs; ++i) {
            values.push_back(random_matrix<Real>(n, fill, random));
            gradients.push_back(random_gradient<Real>(n, random));
        }
        const int ld = values[0].ld;
        std::vector<Real> sums;
        for (int r = 0; r < kRules; ++r) {
            const Matrix<Real> sum = random_gradient<Real>(n, random);
            sums.insert(sums.end(), sum.values.begin(),
                        sum.values.begin() + (is_vector ? ld : n * ld));
        }
        std::vector<Weighted<Real>> terms;
        for (int r = 0; r < kRules; ++r) {
            terms.push_back({r, static_cast<Real>(random.uniform())});
        }
        std::vector<const Real*> sides;
        for (const Matrix<Real>& value : values) {
            sides.push_back(value.data());
        }
        std::vector<PairWork<Real>> pairs;
        std::vector<Real> d_weights(kPairs * kRules, Real(0.5));
        std::vector<char> touched(2 * kPairs, 0);
        for (std::size_t i = 0; i < kPairs; ++i) {
            const int direct = static_cast<int>(i) + (shape == 0 ? 0 : 1);
            pairs.push_back({&sides[2 * i], &sides[2 * i + 1],
                             i == 1 || i == 3 ? nullptr : gradients[2 * i].data(),
                             i == 2 || i == 3 ? nullptr : gradients[2 * i + 1].data(), terms.data(),
                             d_weights.data() + i * kRules, direct,
                             shape == 0 ? 5 - static_cast<int>(i) : 0, &touched[2 * i],
                             &touched[2 * i + 1]});
        }
        if (shape <= static_cast<int>(Shape::join)) {  // one predicate on both sides
            pairs[4].right = pairs[4].left;
            pairs[4].d_right = pairs[4].d_left;
        }
        const auto run_backward = [&](Real least) {
            k.pool_pairs_backward[shape](pairs.data(), kPairs, sums.data(), least, n, ld);
            results.add("weights" + name, d_weights, 1, false);
            results.add("touched" + name, {touched.begin(), touched.end()}, 1, true);
            for (const Matrix<Real>& gradient : gradients) {
                results.add("gradients" + name, gradient.values, ld, false);
            }
        };
        run_backward(Real(100));
        run_backward(Real(0));
        k.pool_pairs[shape](sums.data(), pairs.data(), kPairs, n, ld);
        results.add("sums" + name, sums, ld, false);
    }
    return results;
}

template <class Real>
Results<Real> run_reductions(const Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const Matrix<Real> in = random_matrix<Real>(n, fill, random);
    const Matrix<Real> before = random_gradient<Real>(n, random);
    const int ld = in.ld;

    std::vector<Real> row = first_row(before);
    std::vector<Index<Real>> winner(row.size(), 0);
    k.row_max(row.data(), winner.data(), in.data(), n, ld);
    results.add("row_max", row, ld, true);
    results.add("winner of row_max", winners<Real>(winner, n, ld), ld, true);

    row = first_row(before);
    k.column_max(row.data(), winner.data(), in.data(), n, ld);
    results.add("column_max", row, ld, true);
    results.add("winner of column_max", winners<Real>(winner, n, ld), ld, true);

    row = first_row(before);
    k.row_sum(row.data(), in.data(), n, ld);
    results.add("row_sum", row, ld, false);
    const std::vector<Real> sums = row;
    k.column_sum(row.data(), in.data(), n, ld);
    results.add("column_sum", row, ld, false);

    Matrix<Real> out = before;
    k.add_outer_sum(out.data(), sums.data(), row.data(), n, ld);
    results.add("add_outer_sum", out.values, ld, false);

    out = before;
    k.transpose(out.data(), in.data(), n, ld);
    results.add("transpose", out.values, ld, true);
    out = before;
    k.add_transposed(out.data(), in.data(), n, ld);
    results.add("add_transposed", out.values, ld, true);
    return results;
}

/// Small dense algebra: sizes that have nothing to do with each other.
template <class Real>
Results<Real> run_rows(const Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const int rows = 1 + n % 5;
    const int width = stride_for<Real>(n);
    const auto draw = [&](int count) {
        std::vector<Real> values;
        for (int i = 0; i < count; ++i) {
            values.push_back(
                static_cast<Real>(fill == Fill::ties ? random.below(3) - 1 : random.normal()));
        }
        return values;
    };

    const int inner = 1 + n / 3;
    const int lda = inner + n % 4;
    const std::vector<Real> a = draw(rows * lda);
    const std::vector<Real> b = draw(inner * width);
    std::vector<Real> out = draw(rows * width);
    k.multiply(out.data(), a.data(), b.data(), rows, inner, width, lda);
    results.add("multiply", out, 1, false);

    std::vector<Real> scores = draw(rows * width);
    std::vector<Real> mask(scores.size(), Real(-1e30));
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
        for (int i = 0; i < n; ++i) {
            const bool open = i == static_cast<int>(r) % n || random.chance(0.6);
            mask[r * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)] =
                open ? Real(0) : Real(-1e30);
        }
    }
    k.softmax_rows(scores.data(), mask.data(), Real(3.5), rows, width);
    results.add("softmax_rows", scores, 1, false);

    std::vector<Real> d_scores = draw(rows * width);  // in place
    k.softmax_backward_rows(d_scores.data(), d_scores.data(), scores.data(), Real(3.5), rows,
                            width);
    results.add("softmax_backward_rows", d_scores, 1, false);

    std::vector<Real> parameters = draw(n);
    std::vector<Real> mean = draw(n);
    std::vector<Real> square = draw(n);
    for (Real& x : square) {
        x *= x;
    }
    const std::vector<Real> gradient = draw(n);
    k.adam(parameters.data(), mean.data(), square.data(), gradient.data(), Real(0.02), Real(1.5),
           n);
    results.add("parameters of adam", parameters, 1, false);
    results.add("mean of adam", mean, 1, false);
    results.add("square of adam", square, 1, false);
    return results;
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
        const Kernels<Real>* plain = kernels_for<Real>("plain", op);
        ASSERT_NE(plain, nullptr);
        for (const int n : sizes()) {
            for (const Fill fill : {Fill::distinct, Fill::ties}) {
                const Random random(static_cast<std::uint64_t>(n), fill == Fill::ties ? 1 : 2);
                const Results<Real> slow = run(naive::kernels<Real>(op), n, fill, random);
                const Results<Real> reference = run(*plain, n, fill, random);
                for (const char* name : kInstructionSets) {
                    const Kernels<Real>* fast = kernels_for<Real>(name, op);
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

template <class Real>
class KernelsOf : public testing::Test {};

using Reals = testing::Types<float, double>;

struct RealName {
    template <class Real>
    static std::string GetName(int /*index*/) {
        return std::is_same_v<Real, float> ? "float" : "double";
    }
};

TYPED_TEST_SUITE(KernelsOf, Reals, RealName);

TYPED_TEST(KernelsOf, JoinsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_joins<TypeParam>, kAnds);
}

TYPED_TEST(KernelsOf, ElementwiseOperationsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_elementwise<TypeParam>, kAnds);
}

TYPED_TEST(KernelsOf, ListsOfPairsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_pairs<TypeParam>, kAnds);
}

TYPED_TEST(KernelsOf, ReductionsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_reductions<TypeParam>, kAnyAnd);
}

TYPED_TEST(KernelsOf, DenseAlgebraMatchesItsNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_rows<TypeParam>, kAnyAnd);
}

TYPED_TEST(KernelsOf, TheTablesSayWhichInstructionSetTheyAreFor) {
    for (const And op : kAnds) {
        for (const char* name : kInstructionSets) {
            if (const Kernels<TypeParam>* found = kernels_for<TypeParam>(name, op)) {
                EXPECT_STREQ(found->instruction_set, name);
            }
        }
        EXPECT_EQ(kernels_for<TypeParam>("abacus", op), nullptr);
        const Kernels<TypeParam>& chosen = kernels<TypeParam>(op);
        EXPECT_EQ(kernels_for<TypeParam>(chosen.instruction_set, op), &chosen);
    }
}

TYPED_TEST(KernelsOf, StridesAreTheSmallestMultiplesOfHalfAVector) {
    EXPECT_EQ(lanes<TypeParam>() * static_cast<int>(sizeof(TypeParam)), 32);
    for (int n = 1; n <= 40; ++n) {
        const int ld = stride_for<TypeParam>(n);
        EXPECT_EQ(ld % grain<TypeParam>(), 0);
        EXPECT_GE(ld, n);
        EXPECT_LT(ld, n + grain<TypeParam>());
    }
}

TYPED_TEST(KernelsOf, EqualValuesShareTheGradientOfMinAndTheFirstIndexTakesThatOfMax) {
    using Real = TypeParam;
    const Kernels<Real>& k = kernels<Real>(And::min);
    constexpr int n = 3;
    const int ld = stride_for<Real>(n);
    std::vector<Real> left(static_cast<std::size_t>(n * ld), Real(0));
    std::vector<Real> right = left;
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            left[static_cast<std::size_t>(x * ld + y)] = Real(0.5);
            right[static_cast<std::size_t>(x * ld + y)] = Real(0.5);
        }
    }
    std::vector<Real> out = left;
    std::vector<Index<Real>> winner(left.size(), 7);
    std::vector<Real> won_left = left;
    std::vector<Real> won_right = left;
    const Joined<Real> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
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
    const Kernels<Real>& k = kernels<Real>(And::lukasiewicz);
    const int count = lanes<Real>();
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
    const Kernels<Real>& k = kernels<Real>(And::min);
    const int count = lanes<Real>();
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
    const Kernels<Real>& k = kernels<Real>(And::min);
    const int width = lanes<Real>();
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
    const auto all = [&](const Kernels<float>& k) {
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
    const auto slow = all(naive::kernels<float>(And::min));
    const auto plain = all(*kernels_for<float>("plain", And::min));
    for (const char* name : kInstructionSets) {
        const Kernels<float>* fast = kernels_for<float>(name, And::min);
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
}  // namespace hri
