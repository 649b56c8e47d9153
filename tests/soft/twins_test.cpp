// SPDX-License-Identifier: Apache-2.0

// Every kernel of every instruction set against its naive twin, for float and double and every
// conjunction.

#include "soft/comparison.hpp"

#include <cmath>

namespace hri::test {
namespace {

template <class Real>
Results<Real> run_joins(const soft::Kernels<Real>& k, int n, Fill fill, Random random) {
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
    std::vector<soft::Index<Real>> winner(out.values.size(), 0);
    Matrix<Real> won_left{n};
    Matrix<Real> won_right{n};
    const soft::Joined<Real> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
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
    std::vector<soft::Index<Real>> column_winner(column.size(), 0);
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
Results<Real> run_elementwise(const soft::Kernels<Real>& k, int n, Fill fill, Random random) {
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
        k.disjunction[which](out.data(), left.data(), right.data(), left.area());
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
        std::vector<soft::Weighted<Real>> terms;
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
Results<Real> run_pairs(const soft::Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    if (soft::stride_for<Real>(n) > soft::kPairColumns<Real>()) {
        return results;
    }
    constexpr int kPairs = 5;
    constexpr int kRules = 9;
    for (int shape = 0; shape < soft::kShapes; ++shape) {
        const std::string name = " of shape " + std::to_string(shape);
        const bool is_vector = shape >= static_cast<int>(soft::Shape::column);
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
        std::vector<soft::Weighted<Real>> terms;
        for (int r = 0; r < kRules; ++r) {
            terms.push_back({r, static_cast<Real>(random.uniform())});
        }
        std::vector<const Real*> sides;
        for (const Matrix<Real>& value : values) {
            sides.push_back(value.data());
        }
        std::vector<soft::PairWork<Real>> pairs;
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
        if (shape <= static_cast<int>(soft::Shape::join)) {  // one predicate on both sides
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
Results<Real> run_reductions(const soft::Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const Matrix<Real> in = random_matrix<Real>(n, fill, random);
    const Matrix<Real> before = random_gradient<Real>(n, random);
    const int ld = in.ld;

    std::vector<Real> row = first_row(before);
    std::vector<soft::Index<Real>> winner(row.size(), 0);
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
Results<Real> run_rows(const soft::Kernels<Real>& k, int n, Fill fill, Random random) {
    Results<Real> results;
    const int rows = 1 + n % 5;
    const int width = soft::stride_for<Real>(n);
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
class Twins : public testing::Test {};

TYPED_TEST_SUITE(Twins, Reals, RealName);

TYPED_TEST(Twins, JoinsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_joins<TypeParam>, kAnds);
}

TYPED_TEST(Twins, ElementwiseOperationsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_elementwise<TypeParam>, kAnds);
}

TYPED_TEST(Twins, ListsOfPairsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_pairs<TypeParam>, kAnds);
}

TYPED_TEST(Twins, ReductionsMatchTheirNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_reductions<TypeParam>, kAnyAnd);
}

TYPED_TEST(Twins, DenseAlgebraMatchesItsNaiveTwinsOnEveryInstructionSet) {
    compare_all<TypeParam>(run_rows<TypeParam>, kAnyAnd);
}

}  // namespace
}  // namespace hri::test
