// SPDX-License-Identifier: Apache-2.0
#include "soft/rule_ops.hpp"

#include <algorithm>

namespace hri::soft {

using Head = hypotheses::Plan::Head;

// The pooled conjunction under the head: (n, ld), but for what fills up its rows.
template <class Real>
void RuleOps<Real>::place(Real* out, const CompiledRule& rule, const Real* sum) const {
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

template <class Real>
void RuleOps<Real>::place_backward(Real* d_sum, const CompiledRule& rule, const Real* d_out) const {
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

template <class Real>
void RuleOps<Real>::keep_diagonal(Real* matrix) const {
    for (int x = 0; x < n_; ++x)
        for (int y = 0; y < n_; ++y)
            matrix[x * ld_ + y] = x == y ? matrix[x * ld_ + y] : Real(0);
}

template <class Real>
void RuleOps<Real>::apply(const CompiledRule& rule, const RuleValues<Real>& v) const {
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

template <class Real>
void RuleOps<Real>::apply_backward(const CompiledRule& rule, const RuleGradients<Real>& d,
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

template class RuleOps<float>;
template class RuleOps<double>;

}  // namespace hri::soft
