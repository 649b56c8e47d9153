// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels as one would write them on a blackboard: what each function of Kernels<Real> means,
// and what tests and benchmarks compare the fast versions with.
//
//   reference::join<And::min>(out, left, right, n, ld);
//   const Kernels<float>& slow = reference::kernels<float>(And::min);     // the whole table
//
// Matrices have n rows of n entries with stride ld; padding columns are left alone.

#include "hri/options.hpp"

#include "reference/naive_sums.hpp"
#include "soft/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace hri::reference {

template <And op, class Real>
Real conjunction(Real a, Real b) {
    if constexpr (op == And::min) {
        return std::min(a, b);
    } else if constexpr (op == And::product) {
        return a * b;
    } else {
        return std::max(Real(0), a + b - 1);
    }
}

/// The derivative of conjunction(a, b) by a. Two equal values share min's evenly; Lukasiewicz's
/// passes at its kink. By symmetry the derivative by b is d_conjunction(b, a).
template <And op, class Real>
Real d_conjunction(Real a, Real b) {
    if constexpr (op == And::min) {
        return a == b ? Real(0.5) : Real(a < b);
    } else if constexpr (op == And::product) {
        return b;
    } else {
        return Real(a + b - 1 >= 0);
    }
}

// product[x,y] = max_z and(left[x,z], right[z,y]) for x < rows, the first z that attains it, and
// what met there
template <And op, class Real>
void join_with_winner(const soft::Joined<Real>& out, const Real* left, const Real* right, int rows,
                      int n, int ld) {
    for (int x = 0; x < rows; ++x) {
        for (int y = 0; y < n; ++y) {
            int best = 0;
            for (int z = 1; z < n; ++z) {
                if (conjunction<op>(left[x * ld + z], right[z * ld + y]) >
                    conjunction<op>(left[x * ld + best], right[best * ld + y])) {
                    best = z;
                }
            }
            out.left[x * ld + y] = left[x * ld + best];
            out.right[x * ld + y] = right[best * ld + y];
            out.product[x * ld + y] = conjunction<op>(left[x * ld + best], right[best * ld + y]);
            out.winner[x * ld + y] = best;
        }
    }
}

// d_left[x,z] += d_out[x,y] and'(left[x,z], right[z,y]) with z = winner[x,y]; d_right alike. As in
// all backward functions of conjunctions, a side that nobody asks for is null.
template <And op, class Real>
void join_backward(Real* d_left, Real* d_right, const Real* d_out, const soft::Joined<Real>& joined,
                   int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            const int z = static_cast<int>(joined.winner[x * ld + y]);
            const Real l = joined.left[x * ld + y];
            const Real r = joined.right[x * ld + y];
            if (d_left != nullptr) {
                d_left[x * ld + z] += d_out[x * ld + y] * d_conjunction<op>(l, r);
            }
            if (d_right != nullptr) {
                d_right[z * ld + y] += d_out[x * ld + y] * d_conjunction<op>(r, l);
            }
        }
    }
}

// out[x,y] = max_z and(left[x,z], right[z,y]) for x < rows
template <And op, class Real>
void join(Real* out, const Real* left, const Real* right, int rows, int n, int ld) {
    for (int x = 0; x < rows; ++x) {
        for (int y = 0; y < n; ++y) {
            Real best = 0;
            for (int z = 0; z < n; ++z) {
                best = std::max(best, conjunction<op>(left[x * ld + z], right[z * ld + y]));
            }
            out[x * ld + y] = best;
        }
    }
}

// out[x] = max_z and(left[x,z], right[z,0]), winner[x] = the first z that attains it; left comes
// transposed
template <And op, class Real>
void join_column(Real* out, soft::Index<Real>* winner, const Real* left_transposed,
                 const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        int best = 0;
        for (int z = 1; z < n; ++z) {
            if (conjunction<op>(left_transposed[z * ld + x], right[z * ld]) >
                conjunction<op>(left_transposed[best * ld + x], right[best * ld])) {
                best = z;
            }
        }
        out[x] = conjunction<op>(left_transposed[best * ld + x], right[best * ld]);
        winner[x] = best;
    }
}

// d_left[x,z] += d_out[x] and'(left[x,z], right[z,0]) with z = winner[x], transposed too; d_right
// alike
template <And op, class Real>
void join_column_backward(Real* d_left_transposed, Real* d_right, const Real* d_out,
                          const soft::Index<Real>* winner, const Real* left_transposed,
                          const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const int l = static_cast<int>(winner[x]) * ld + x;
        const int r = static_cast<int>(winner[x]) * ld;
        if (d_left_transposed != nullptr) {
            d_left_transposed[l] += d_out[x] * d_conjunction<op>(left_transposed[l], right[r]);
        }
        if (d_right != nullptr) {
            d_right[r] += d_out[x] * d_conjunction<op>(right[r], left_transposed[l]);
        }
    }
}

// out[i] = and(left[i], right[i])
template <And op, class Real>
void meet(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        out[i] = conjunction<op>(left[i], right[i]);
    }
}

// d_left[i] += d_out[i] and'(left[i], right[i]); d_right alike; both may be the same buffer
template <And op, class Real>
void meet_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                   const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        if (d_left != nullptr) {
            d_left[i] += d_out[i] * d_conjunction<op>(left[i], right[i]);
        }
        if (d_right != nullptr) {
            d_right[i] += d_out[i] * d_conjunction<op>(right[i], left[i]);
        }
    }
}

// out[x,y] = and(left[x,0], right[y]): n rows, all columns
template <And op, class Real>
void outer(Real* out, const Real* left, const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < ld; ++y) {
            out[x * ld + y] = conjunction<op>(left[x * ld], right[y]);
        }
    }
}

// d_left[x,0] += sum_y d_out[x,y] and'(left[x,0], right[y]); d_right[y] alike
template <And op, class Real>
void outer_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                    const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < ld; ++y) {
            if (d_left != nullptr) {
                d_left[x * ld] += d_out[x * ld + y] * d_conjunction<op>(left[x * ld], right[y]);
            }
            if (d_right != nullptr) {
                d_right[y] += d_out[x * ld + y] * d_conjunction<op>(right[y], left[x * ld]);
            }
        }
    }
}

template <Or op, class Real>
Real disjunction(Real a, Real b) {
    if constexpr (op == Or::max) {
        return std::max(a, b);
    } else if constexpr (op == Or::prodminus) {
        return a + b - a * b;
    } else {
        return std::min(Real(1), a + b);
    }
}

/// The derivative of disjunction(a, b) by a. Two equal values share max's evenly; Lukasiewicz's
/// passes at its kink.
template <Or op, class Real>
Real d_disjunction(Real a, Real b) {
    if constexpr (op == Or::max) {
        return a == b ? Real(0.5) : Real(a > b);
    } else if constexpr (op == Or::prodminus) {
        return 1 - b;
    } else {
        return Real(a + b <= 1);
    }
}

// out[i] = or(left[i], right[i])
template <Or op, class Real>
void disjunction(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        out[i] = disjunction<op>(left[i], right[i]);
    }
}

// d_left[i] = d_out[i] or'(left[i], right[i]); d_right alike; d_left may be d_out
template <Or op, class Real>
void either_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                     const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        const Real g = d_out[i];
        d_left[i] = g * d_disjunction<op>(left[i], right[i]);
        d_right[i] = g * d_disjunction<op>(right[i], left[i]);
    }
}

/// The conjunction of a pair: a matrix, or a vector of ld entries.
template <And op, soft::Shape shape, class Real>
struct Conjunction {
    static constexpr bool is_matrix = shape != soft::Shape::column && shape != soft::Shape::row;
    std::vector<Real> product, left, right;
    std::vector<soft::Index<Real>> winner;

    Conjunction(const soft::PairWork<Real>& pair, int n, int ld)
        : product(static_cast<std::size_t>(n * ld)),
          left(product.size()),
          right(product.size()),
          winner(product.size()) {
        if constexpr (shape == soft::Shape::meet) {
            meet<op>(product.data(), *pair.left, *pair.right, n * ld);
        } else if constexpr (shape == soft::Shape::join) {
            join_with_winner<op>(joined(), *pair.left, *pair.right, n, n, ld);
        } else if constexpr (shape == soft::Shape::column) {
            join_column<op>(product.data(), winner.data(), *pair.left, *pair.right, n, ld);
        } else {
            outer<op>(product.data(), *pair.left, *pair.right, is_matrix ? n : 1, ld);
        }
    }

    soft::Joined<Real> joined() {
        return {product.data(), winner.data(), left.data(), right.data()};
    }

    void backward(const soft::PairWork<Real>& pair, const Real* d_product, int n, int ld) {
        if constexpr (shape == soft::Shape::meet) {
            meet_backward<op>(pair.d_left, pair.d_right, d_product, *pair.left, *pair.right,
                              n * ld);
        } else if constexpr (shape == soft::Shape::join) {
            join_backward<op>(pair.d_left, pair.d_right, d_product, joined(), n, ld);
        } else if constexpr (shape == soft::Shape::column) {
            join_column_backward<op>(pair.d_left, pair.d_right, d_product, winner.data(),
                                     *pair.left, *pair.right, n, ld);
        } else {
            outer_backward<op>(pair.d_left, pair.d_right, d_product, *pair.left, *pair.right,
                               is_matrix ? n : 1, ld);
        }
    }
};

// each pair's conjunction pooled into its direct rules, its columns' maxima into the reduced ones
template <And op, soft::Shape shape, class Real>
void pool_pairs(Real* sums, const soft::PairWork<Real>* pairs, int count, int n, int ld) {
    for (const soft::PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
        Conjunction<op, shape, Real> and_(*pair, n, ld);
        const int size = and_.is_matrix ? n * ld : ld;
        pool(sums, pair->terms, pair->direct, and_.product.data(), size, size);
        if (pair->reduced > 0) {
            std::vector<Real> best(static_cast<std::size_t>(ld));
            std::vector<soft::Index<Real>> winner(best.size());
            column_max(best.data(), winner.data(), and_.product.data(), n, ld);
            pool(sums, pair->terms + pair->direct, pair->reduced, best.data(), size, ld);
        }
    }
}

template <And op, soft::Shape shape, class Real>
void pool_pairs_backward(const soft::PairWork<Real>* pairs, int count, const Real* d_sums,
                         Real least, int n, int ld) {
    for (const soft::PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
        Conjunction<op, shape, Real> and_(*pair, n, ld);
        const int size = and_.is_matrix ? n * ld : ld;
        std::vector<Real> d_product(static_cast<std::size_t>(size));
        pool_terms_backward(d_product.data(), pair->d_weights, d_sums, pair->terms, pair->direct,
                            and_.product.data(), size, size);
        if (pair->reduced > 0) {
            std::vector<Real> best(static_cast<std::size_t>(ld));
            std::vector<Real> d_best(best.size());
            std::vector<soft::Index<Real>> winner(best.size());
            column_max(best.data(), winner.data(), and_.product.data(), n, ld);
            pool_terms_backward(d_best.data(), pair->d_weights + pair->direct, d_sums,
                                pair->terms + pair->direct, pair->reduced, best.data(), size, ld);
            for (int y = 0; y < ld; ++y) {
                const auto column = static_cast<std::size_t>(y);
                d_product[static_cast<std::size_t>(static_cast<int>(winner[column]) * ld + y)] +=
                    d_best[column];
            }
        }
        const bool given = pair->d_left == nullptr && pair->d_right == nullptr;
        if (!given && largest(d_product.data(), size) > least) {
            *pair->left_touched = *pair->right_touched = 1;
            and_.backward(*pair, d_product.data(), n, ld);
        }
    }
}

/// The table of the above for one conjunction.
template <And op, class Real>
const soft::Kernels<Real>& table() {
    static constexpr soft::Kernels<Real> all = {
        "naive",
        join<op, Real>,
        join_with_winner<op, Real>,
        join_backward<op, Real>,
        join_column<op, Real>,
        join_column_backward<op, Real>,
        outer<op, Real>,
        outer_backward<op, Real>,
        meet<op, Real>,
        meet_backward<op, Real>,
        {disjunction<Or::max, Real>, disjunction<Or::prodminus, Real>,
         disjunction<Or::lukasiewicz, Real>},
        {either_backward<Or::max, Real>, either_backward<Or::prodminus, Real>,
         either_backward<Or::lukasiewicz, Real>},
        add_scaled<Real>,
        keep_larger<Real>,
        pool_backward<Real>,
        pool<Real>,
        pool_terms_backward<Real>,
        pool_weights<Real>,
        {pool_pairs<op, soft::Shape::meet, Real>, pool_pairs<op, soft::Shape::join, Real>,
         pool_pairs<op, soft::Shape::outer, Real>, pool_pairs<op, soft::Shape::column, Real>,
         pool_pairs<op, soft::Shape::row, Real>},
        {pool_pairs_backward<op, soft::Shape::meet, Real>,
         pool_pairs_backward<op, soft::Shape::join, Real>,
         pool_pairs_backward<op, soft::Shape::outer, Real>,
         pool_pairs_backward<op, soft::Shape::column, Real>,
         pool_pairs_backward<op, soft::Shape::row, Real>},
        dot<Real>,
        largest<Real>,
        row_max<Real>,
        column_max<Real>,
        row_sum<Real>,
        column_sum<Real>,
        add_outer_sum<Real>,
        transpose<Real>,
        add_transposed<Real>,
        multiply<Real>,
        softmax_rows<Real>,
        softmax_backward_rows<Real>,
        adam<Real>,
        gumbel_from_uniform,
        normal_from_uniform};
    return all;
}

template <class Real>
const soft::Kernels<Real>& kernels(And op) {
    return op == And::min       ? table<And::min, Real>()
           : op == And::product ? table<And::product, Real>()
                                : table<And::lukasiewicz, Real>();
}

}  // namespace hri::reference
