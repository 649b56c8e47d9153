// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target's atoms from the last valuations of its slot's candidates: pooled, and clamped to 1.
// A binary candidate of a unary target counts by its maxima over the second argument, and all
// candidates of a target without arguments by their largest entry.

#include "hri/model.hpp"

#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::soft {

template <class Real>
class TargetPool {
  public:
    /// The hierarchy has to stay alive.
    TargetPool(const Hierarchy& hierarchy, const Kernels<Real>& kernels, Pool pool)
        : hierarchy_(&hierarchy), kernels_(&kernels), is_sum_(pool == Pool::sum) {}

    void resize(int n, int ld);

    /// The candidates, ascending; `values` below are theirs, (n, ld) each.
    const std::vector<int>& candidates() const { return hierarchy_->slots.back().candidates; }

    /// alpha: (predicates), the slot's scores.
    void forward(std::vector<Real>& target, const Real* alpha,
                 const std::vector<const Real*>& values);
    /// Adds to d_alpha and to d_values: (auxiliaries, n, ld).
    void backward(Real* d_alpha, Real* d_values, const Real* d_target, const Real* alpha,
                  const std::vector<const Real*>& values);

  private:
    void backward_best(Real* d_alpha, Real* d_values, const Real* d_target, const Real* alpha,
                       const std::vector<const Real*>& values) const;
    int source(const Real* value, int x, int y) const;

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

extern template class TargetPool<float>;
extern template class TargetPool<double>;

}  // namespace hri::soft
