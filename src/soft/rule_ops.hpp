// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a rule does with its pooled sums: the head's place, OR and MERGE. Each operation is followed
// by its backward.

#include "soft/compiled_rules.hpp"
#include "soft/kernels/kernels.hpp"

namespace hri::soft {

/// The matrices of a rule in one step, (n, ld) each.
template <class Real>
struct RuleValues {
    Real* value;      // after the step
    const Real* old;  // before it; null in the first step
    const Real* sum;  // the pooled conjunction
    Real* disjunct;   // the pooled disjunct, where the rule has one
};

template <class Real>
struct RuleGradients {
    Real* d_value;  // used up
    Real* d_old;    // added to, with MERGE = sum
    Real* d_sum;    // overwritten
    Real* d_disjunct;
};

template <class Real>
class RuleOps {
  public:
    RuleOps(const Kernels<Real>& kernels, const Options& options)
        : kernels_(&kernels),
          fuzzy_or_(static_cast<int>(options.fuzzy_or)),
          merges_by_sum_(options.merge == Merge::sum) {}

    void resize(int n, int ld) {
        n_ = n;
        ld_ = ld;
    }

    /// value = MERGE(old, OR(sum under the head, disjunct))
    void apply(const CompiledRule& rule, const RuleValues<Real>& v) const;
    void apply_backward(const CompiledRule& rule, const RuleGradients<Real>& d,
                        const RuleValues<Real>& v) const;

  private:
    void place(Real* out, const CompiledRule& rule, const Real* sum) const;
    void place_backward(Real* d_sum, const CompiledRule& rule, const Real* d_out) const;
    void keep_diagonal(Real* matrix) const;

    const Kernels<Real>* kernels_;
    int fuzzy_or_;
    bool merges_by_sum_;
    int n_ = 0, ld_ = 0;
};

extern template class RuleOps<float>;
extern template class RuleOps<double>;

}  // namespace hri::soft
