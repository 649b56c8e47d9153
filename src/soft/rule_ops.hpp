// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations of a rule on its pooled sums: the head's place, OR and MERGE. Each operation is
// followed by its backward.

#include "soft/compiled_rules.hpp"
#include "soft/kernels/kernels.hpp"

#include <algorithm>

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
    using Head = hypotheses::Plan::Head;

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
    void apply(const CompiledRule& rule, const RuleValues<Real>& v) const {
        const int area = n_ * ld_;
        const Real* conjunction = v.sum;
        if (!rule.direct()) {
            place(v.value, rule, v.sum);
            conjunction = v.value;
        }
        if (rule.disjunct_slot >= 0) {
            if (rule.plan.disjunct_head == Head::diagonal)
                keep_diagonal(v.disjunct);
            kernels_->disjunction[fuzzy_or_](v.value, conjunction, v.disjunct, area);
        } else if (conjunction != v.value) {
            std::copy_n(conjunction, area, v.value);
        }
        // MERGE = max needs no work: valuations start at 0 and a step is monotone, so that the new
        // value is never below the old one. It therefore also takes the whole gradient.
        if (merges_by_sum_ && v.old != nullptr)
            for (int i = 0; i < area; ++i)
                v.value[i] = std::min(Real(1), v.old[i] + v.value[i]);
    }

    void apply_backward(const CompiledRule& rule, const RuleGradients<Real>& d,
                        const RuleValues<Real>& v) const {
        const int area = n_ * ld_;
        if (merges_by_sum_ && v.old != nullptr) {
            // value = min(1, old + new): both get the gradient unless the bound holds
            for (int i = 0; i < area; ++i) {
                if (v.value[i] >= Real(1))
                    d.d_value[i] = 0;
                d.d_old[i] += d.d_value[i];
            }
        }
        if (rule.disjunct_slot >= 0) {
            const Real* conjunction = v.sum;
            if (!rule.direct()) {
                place(d.d_sum, rule, v.sum);
                conjunction = d.d_sum;
            }
            kernels_->either_backward[fuzzy_or_](d.d_value, d.d_disjunct, d.d_value, conjunction,
                                                 v.disjunct, area);
            if (rule.plan.disjunct_head == Head::diagonal)
                keep_diagonal(d.d_disjunct);
        }
        if (rule.direct())
            std::copy_n(d.d_value, area, d.d_sum);
        else
            place_backward(d.d_sum, rule, d.d_value);
    }

  private:
    // The pooled conjunction under the head: (n, ld), but for what fills up its rows.
    void place(Real* out, const CompiledRule& rule, const Real* sum) const {
        const bool is_row = rule.plan.reduce;
        for (int x = 0; x < n_; ++x) {
            for (int y = 0; y < n_; ++y) {
                Real v = 0;
                switch (rule.plan.head) {
                    case Head::direct:
                        v = is_row ? sum[x] : sum[x * ld_ + y];
                        break;
                    case Head::transposed:
                        v = is_row ? sum[y] : sum[y * ld_ + x];
                        break;
                    case Head::diagonal:
                        v = x == y ? (is_row ? sum[x] : sum[x * ld_]) : Real(0);
                        break;
                }
                out[x * ld_ + y] = v;
            }
        }
    }

    void place_backward(Real* d_sum, const CompiledRule& rule, const Real* d_out) const {
        const bool is_row = rule.plan.reduce;
        std::fill_n(d_sum, n_ * ld_, Real(0));
        for (int x = 0; x < n_; ++x) {
            for (int y = 0; y < n_; ++y) {
                const Real g = d_out[x * ld_ + y];
                switch (rule.plan.head) {
                    case Head::direct:
                        d_sum[is_row ? x : x * ld_ + y] += g;
                        break;
                    case Head::transposed:
                        d_sum[is_row ? y : y * ld_ + x] += g;
                        break;
                    case Head::diagonal:
                        if (x == y)
                            d_sum[is_row ? x : x * ld_] += g;
                        break;
                }
            }
        }
    }

    void keep_diagonal(Real* matrix) const {
        for (int x = 0; x < n_; ++x)
            for (int y = 0; y < n_; ++y)
                matrix[x * ld_ + y] = x == y ? matrix[x * ld_ + y] : Real(0);
    }

    const Kernels<Real>* kernels_;
    int fuzzy_or_;
    bool merges_by_sum_;
    int n_ = 0, ld_ = 0;
};

}  // namespace hri::soft
