// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target's atoms from the last valuations of its slot's candidates: pooled, and clamped to 1.
// A binary candidate of a unary target counts by its maxima over the second argument, and all
// candidates of a target without arguments by their largest entry.

#include "hri/model.hpp"

#include "soft/kernels/kernels.hpp"

#include <algorithm>
#include <vector>

namespace hri::soft {

template <class Real>
class TargetPool {
  public:
    /// The hierarchy has to stay alive.
    TargetPool(const Hierarchy& hierarchy, const Kernels<Real>& kernels, Pool pool)
        : hierarchy_(&hierarchy), kernels_(&kernels), is_sum_(pool == Pool::sum) {}

    void resize(int n, int ld) {
        n_ = n;
        ld_ = ld;
        pooled_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(ld), Real(0));
        row_.assign(static_cast<std::size_t>(ld), Real(0));
        row_winner_.assign(static_cast<std::size_t>(ld), 0);
    }

    /// The candidates, ascending; `values` below are theirs, (n, ld) each.
    const std::vector<int>& candidates() const { return hierarchy_->slots.back().candidates; }

    /// alpha: (predicates), the slot's scores.
    void forward(std::vector<Real>& target, const Real* alpha,
                 const std::vector<const Real*>& values) {
        const bool pairs = arity() == 2;
        const bool one = arity() == 0;
        const int size = pairs ? n_ * ld_ : ld_;
        const auto pool = is_sum_ ? kernels_->add_scaled : kernels_->keep_larger;
        std::fill_n(pooled_.begin(), size, Real(0));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Real* v = values[i];
            if (!pairs) {
                kernels_->row_max(row_.data(), row_winner_.data(), v, n_, ld_);
                if (one)
                    row_[0] = *std::max_element(row_.begin(), row_.begin() + n_);
                v = row_.data();
            }
            pool(pooled_.data(), v, alpha[candidates()[i]], size);
        }
        target.resize(
            one ? 1 : static_cast<std::size_t>(n_) * static_cast<std::size_t>(pairs ? n_ : 1));
        for (int x = 0; x < (pairs ? n_ : 1); ++x)
            for (int y = 0; y < (one ? 1 : n_); ++y)
                target[static_cast<std::size_t>(x * n_ + y)] =
                    std::min(pooled_[static_cast<std::size_t>(x * ld_ + y)], Real(1));
    }

    /// Adds to d_alpha and to d_values: (auxiliaries, n, ld).
    void backward(Real* d_alpha, Real* d_values, const Real* d_target, const Real* alpha,
                  const std::vector<const Real*>& values) {
        if (!is_sum_) {
            backward_best(d_alpha, d_values, d_target, alpha, values);
            return;
        }
        const bool pairs = arity() == 2;
        const bool one = arity() == 0;
        std::fill_n(pooled_.begin(), pairs ? n_ * ld_ : ld_, Real(0));
        for (int x = 0; x < (pairs ? n_ : 1); ++x)
            std::copy_n(d_target + x * n_, one ? 1 : n_, pooled_.begin() + x * ld_);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const int p = candidates()[i];
            Real* d_v = d_value(d_values, p);
            if (pairs) {
                d_alpha[p] +=
                    kernels_->pool_backward(d_v, pooled_.data(), values[i], alpha[p], n_ * ld_);
                continue;
            }
            kernels_->row_max(row_.data(), row_winner_.data(), values[i], n_, ld_);
            const auto add = [&](int x, Real d) {
                d_v[x * ld_ + static_cast<int>(row_winner_[static_cast<std::size_t>(x)])] +=
                    alpha[p] * d;
            };
            if (one) {
                const auto top = std::max_element(row_.begin(), row_.begin() + n_) - row_.begin();
                d_alpha[p] += d_target[0] * row_[static_cast<std::size_t>(top)];
                add(static_cast<int>(top), d_target[0]);
                continue;
            }
            d_alpha[p] += kernels_->dot(pooled_.data(), row_.data(), ld_);
            for (int x = 0; x < n_; ++x)
                add(x, d_target[x]);
        }
    }

  private:
    // With max pooling the best candidate alone counts: the first of those that attain the maximum.
    void backward_best(Real* d_alpha, Real* d_values, const Real* d_target, const Real* alpha,
                       const std::vector<const Real*>& values) const {
        const bool pairs = arity() == 2;
        for (int x = 0; x < (arity() == 0 ? 1 : n_); ++x) {
            for (int y = 0; y < (pairs ? n_ : 1); ++y) {
                const Real g = d_target[pairs ? x * n_ + y : x];
                const auto term = [&](std::size_t i) {
                    return alpha[candidates()[i]] * values[i][source(values[i], x, y)];
                };
                std::size_t best = 0;
                for (std::size_t i = 1; i < values.size(); ++i)
                    if (term(i) > term(best))
                        best = i;
                const int p = candidates()[best];
                const int at = source(values[best], x, y);
                d_alpha[p] += g * values[best][at];
                d_value(d_values, p)[at] += g * alpha[p];
            }
        }
    }

    // Where a candidate's valuation for the target's atom (x, y) is read.
    int source(const Real* value, int x, int y) const {
        if (arity() == 2)
            return x * ld_ + y;
        if (arity() == 1) {
            const Real* row = value + x * ld_;
            return x * ld_ + static_cast<int>(std::max_element(row, row + n_) - row);
        }
        int best = 0;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j)
                best = value[i * ld_ + j] > value[best] ? i * ld_ + j : best;
        return best;
    }

    int arity() const { return hierarchy_->target_arity; }

    Real* d_value(Real* d_values, int predicate) const {
        return d_values + (predicate - hierarchy_->first_auxiliary()) * n_ * ld_;
    }

    const Hierarchy* hierarchy_;
    const Kernels<Real>* kernels_;
    bool is_sum_;
    int n_ = 0, ld_ = 0;
    std::vector<Real> pooled_;             // (n, ld): and its gradient in turn
    std::vector<Real> row_;                // (ld)
    std::vector<Index<Real>> row_winner_;  // (ld)
};

}  // namespace hri::soft
