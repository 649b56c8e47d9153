// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations on one pair of predicates P and Q: their product AND(P, Q), its maxima, and its
// pooling into the sums of rules. Each operation is followed by its backward.

#include "hri/model.hpp"

#include "soft/workspace.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

/// Gradients of the sums of all rules.
template <class Real>
struct SumGradients {
    Real* matrices;      // (rules, n, ld); with max pooling a pair takes away what it gets
    Real* columns;       // (rules, ld): the matrices' sums over the second axis
    Real* rows;          // (rules, ld): and over the first
    const Real* pooled;  // (rules, n, ld): the sums themselves, for max pooling
    Real* scratch;       // (n, ld), for max pooling
};

template <class Real>
class PairOps {
  public:
    PairOps(const Kernels<Real>& kernels, bool is_sum) : kernels_(&kernels), is_sum_(is_sum) {}

    void resize(int n, int ld) {
        n_ = n;
        ld_ = ld;
        area_ = n * ld;
    }

    /// The product, with what attains it where it is a join and `winners` is set; and its maxima as
    /// the live terms need them.
    void multiply(PairWorkspace<Real>& w, bool winners) const {
        w.product = w.row.data();
        switch (w.pair->shape) {
            case Shape::meet:
            case Shape::outer:
                w.product = multiply_rows(w.matrix.data(), w, 0, n_);
                break;
            case Shape::join:
                if (winners)
                    kernels_->join_with_winner(w.joined(), w.left, w.right, n_, n_, ld_);
                else
                    kernels_->join(w.matrix.data(), w.left, w.right, n_, n_, ld_);
                w.product = w.matrix.data();
                break;
            case Shape::column:
                kernels_->join_column(w.row.data(), w.row_winner.data(), w.left, w.right, n_, ld_);
                break;
            case Shape::row:
                kernels_->outer(w.row.data(), w.left, w.right, 1, ld_);
                break;
        }
        if (w.pair->is_vector() && !is_sum_) {
            const bool by_row = w.pair->shape == Shape::column;
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < ld_; ++y)
                    w.matrix[static_cast<std::size_t>(x * ld_ + y)] =
                        y < n_ ? w.row[static_cast<std::size_t>(by_row ? x : y)] : Real(0);
            w.product = w.matrix.data();
        }
        if (w.live.reduced + w.live.total > 0)
            reduce(w);
    }

    /// Adds to the sides' gradients; a side whose gradient nobody needs is null.
    void multiply_backward(PairWorkspace<Real>& w, Real* d_left, Real* d_right) const {
        const Real* d_matrix = w.d_matrix.data();
        Real* d_row = w.d_row.data();
        if (w.pair->is_vector() && !is_sum_)
            (w.pair->shape == Shape::column ? kernels_->row_sum : kernels_->column_sum)(
                d_row, d_matrix, n_, ld_);
        switch (w.pair->shape) {
            case Shape::meet:
                kernels_->meet_backward(d_left, d_right, d_matrix, w.left, w.right, area_);
                break;
            case Shape::outer:
                kernels_->outer_backward(d_left, d_right, d_matrix, w.left, w.right, n_, ld_);
                break;
            case Shape::join:
                kernels_->join_backward(d_left, d_right, d_matrix, w.joined(), n_, ld_);
                break;
            case Shape::column:
                kernels_->join_column_backward(d_left, d_right, d_row, w.row_winner.data(), w.left,
                                               w.right, n_, ld_);
                break;
            case Shape::row:
                kernels_->outer_backward(d_left, d_right, d_row, w.left, w.right, 1, ld_);
                break;
        }
    }

    /// Whether pool_rows() needs multiply() before it.
    bool multiplies_first(const PairWorkspace<Real>& w) const {
        return w.pair->shape == Shape::join || w.pair->is_vector() ||
               w.live.reduced + w.live.total > 0;
    }

    /// Pools rows x .. x + rows - 1 of the product into `sums`: (rules, n, ld). scratch: (n, ld).
    void pool_rows(const PairWorkspace<Real>& w, Real* sums, Real* scratch, int x, int rows) const {
        if (w.live.direct == 0 || pools_vector(w))
            return;
        const Real* in = w.product != nullptr ? w.product + x * ld_
                                              : multiply_rows(scratch + x * ld_, w, x, rows);
        pool_terms(sums + x * ld_, w.live.terms, w.live.direct, in, area_, rows * ld_);
    }

    /// Pools what is a vector: the product into the workspace's columns or rows, or its maxima into
    /// `sums`.
    void pool_vectors(const PairWorkspace<Real>& w, Workspace<Real>& shared, Real* sums) const {
        const LiveTerms<Real>& live = w.live;
        if (pools_vector(w)) {
            Real* vectors = (w.pair->shape == Shape::column ? shared.columns : shared.rows).data();
            pool_terms(vectors, live.terms, live.direct, w.product, ld_, ld_);
            for (int t = 0; t < live.direct; ++t)
                shared.has_vectors[static_cast<std::size_t>(live.terms[t].rule)] = 1;
            return;
        }
        Terms terms = live.terms + live.direct;
        if (live.reduced > 0)
            pool_terms(sums, terms, live.reduced, w.row.data(), area_, ld_);
        if (live.total > 0)
            pool_terms(sums, terms + live.reduced, live.total, w.all.data(), area_, ld_);
    }

    /// Adds to w.d_weights, and sets the product's gradient where it is needed. Returns the largest
    /// entry of that gradient.
    Real pool_backward(PairWorkspace<Real>& w, const SumGradients<Real>& d_sums,
                       bool to_product) const {
        const LiveTerms<Real>& live = w.live;
        const auto through = [&](std::vector<Real>& d_in, int from, int count, Real* d_pooled,
                                 const Real* in, int stride, int size) {
            return pool_terms_backward(to_product ? d_in.data() : nullptr, w.d_weights + from,
                                       d_sums, d_pooled, live.terms + from, count, in, stride,
                                       size);
        };
        if (pools_vector(w))
            return through(w.d_row, 0, live.direct,
                           w.pair->shape == Shape::column ? d_sums.columns : d_sums.rows, w.product,
                           ld_, ld_);
        Real largest = 0;
        if (live.direct > 0)
            largest = through(w.d_matrix, 0, live.direct, d_sums.matrices, w.product, area_, area_);
        else if (to_product)
            std::fill_n(w.d_matrix.begin(), area_, Real(0));
        if (live.reduced + live.total == 0)
            return largest;
        std::fill_n(w.d_row.begin(), ld_, Real(0));
        if (live.reduced > 0)
            through(w.d_row, live.direct, live.reduced, d_sums.matrices, w.row.data(), area_, ld_);
        if (live.total > 0)
            through(w.d_all, live.direct + live.reduced, live.total, d_sums.matrices, w.all.data(),
                    area_, ld_);
        return to_product ? reduce_backward(w, largest) : Real(0);
    }

  private:
    using Terms = const Weighted<Real>*;

    // Rows x .. x + rows - 1 of a product that is a matrix: in `out`, or where they are at hand.
    const Real* multiply_rows(Real* out, const PairWorkspace<Real>& w, int x, int rows) const {
        const Real* left = w.left + x * ld_;
        if (w.pair->shape == Shape::join)
            kernels_->join(out, left, w.right, rows, n_, ld_);
        else if (w.pair->shape == Shape::outer)
            kernels_->outer(out, left, w.right, rows, ld_);
        else if (w.pair->left == Hierarchy::kTrue)
            return w.right + x * ld_;
        else if (w.pair->right == Hierarchy::kTrue)
            return left;
        else
            kernels_->meet(out, left, w.right + x * ld_, rows * ld_);
        return out;
    }

    // row[y] = max_x product[x,y], all[y] = max_xy product[x,y]
    void reduce(PairWorkspace<Real>& w) const {
        kernels_->column_max(w.row.data(), w.row_winner.data(), w.product, n_, ld_);
        if (w.live.total > 0)
            std::fill_n(w.all.begin(), n_, *std::max_element(w.row.begin(), w.row.begin() + n_));
    }

    // Adds to d_matrix. `largest` of its entries is taken on.
    Real reduce_backward(PairWorkspace<Real>& w, Real largest) const {
        if (w.live.total > 0) {
            const auto top = std::max_element(w.row.begin(), w.row.begin() + n_) - w.row.begin();
            for (int x = 0; x < n_; ++x)
                w.d_row[static_cast<std::size_t>(top)] += w.d_all[static_cast<std::size_t>(x)];
        }
        for (int y = 0; y < n_; ++y) {
            const auto i = static_cast<std::size_t>(y);
            Real& d =
                w.d_matrix[static_cast<std::size_t>(static_cast<int>(w.row_winner[i]) * ld_ + y)];
            d += w.d_row[i];
            largest = std::max(largest, std::abs(d));
        }
        return largest;
    }

    // sums[rule, i] = pool(sums[rule, i], weight in[i]) of each term
    void pool_terms(Real* sums, Terms terms, int count, const Real* in, int stride,
                    int size) const {
        if (is_sum_)
            kernels_->pool(sums, terms, count, in, stride, size);
        else
            for (Terms t = terms; t != terms + count; ++t)
                kernels_->keep_larger(sums + t->rule * stride, in, t->weight, size);
    }

    // d_in, unless it is null, is overwritten; d_weights are added to. The largest of d_in.
    Real pool_terms_backward(Real* d_in, Real* d_weights, const SumGradients<Real>& d_sums,
                             Real* d_pooled, Terms terms, int count, const Real* in, int stride,
                             int size) const {
        if (is_sum_) {
            if (d_in != nullptr)
                return kernels_->pool_terms_backward(d_in, d_weights, d_pooled, terms, count, in,
                                                     stride, size);
            kernels_->pool_weights(d_weights, d_pooled, terms, count, in, stride, size);
            return 0;
        }
        if (d_in != nullptr)
            std::fill_n(d_in, size, Real(0));
        for (int t = 0; t < count;
             ++t) {  // the first pair that attains the maximum takes the gradient
            const Real weight = terms[t].weight;
            const Real* pooled = d_sums.pooled + terms[t].rule * stride;
            Real* d_sum = d_pooled + terms[t].rule * stride;
            Real* claimed = d_sums.scratch;
            for (int i = 0; i < size; ++i) {
                const bool wins = weight * in[i] >= pooled[i];
                claimed[i] = wins ? d_sum[i] : Real(0);
                d_sum[i] = wins ? Real(0) : d_sum[i];
            }
            d_weights[t] += kernels_->dot(claimed, in, size);
            if (d_in != nullptr)
                kernels_->add_scaled(d_in, claimed, weight, size);
        }
        return d_in == nullptr ? Real(0) : kernels_->largest(d_in, size);
    }

    /// With sum pooling vectors are pooled as such, with max pooling as matrices.
    bool pools_vector(const PairWorkspace<Real>& w) const { return is_sum_ && w.pair->is_vector(); }

    const Kernels<Real>* kernels_;
    bool is_sum_;
    int n_ = 0, ld_ = 0, area_ = 0;
};

}  // namespace hri::soft
