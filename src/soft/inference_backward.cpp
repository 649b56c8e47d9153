// SPDX-License-Identifier: Apache-2.0
// The gradient of inference.cpp, step by step from the last to the first.

#include "base/flush.hpp"
#include "soft/inference.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

// d_values_ = gradient of the last step's valuations, from the target's.
template <class Real>
void Inference<Real>::seed_target(Real* d_alpha, const Real* d_target) {
    const bool pairs = hierarchy_->target_arity == 2;
    const bool one = hierarchy_->target_arity == 0;
    const int slot = hierarchy_->target_slot();
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    if (options_.target_pool == Pool::max) {
        seed_best(d_slot, d_target);
        return;
    }
    std::vector<Real>& d_pooled = d_product_;
    std::fill_n(d_pooled.begin(), pairs ? area_ : ld_, Real(0));
    for (int x = 0; x < (pairs ? n_ : 1); ++x)
        std::copy_n(d_target + x * n_, one ? 1 : n_, d_pooled.begin() + x * ld_);
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates) {
        const Real* v = value_at(p, last_step_);
        Real* d_v = d_values_.data() + (p - first_) * area_;
        if (pairs) {
            d_slot[p] += kernels_->pool_backward(d_v, d_pooled.data(), v, alpha[p], area_);
            continue;
        }
        kernels_->row_max(row_.data(), row_winner_.data(), v, n_, ld_);
        if (one) {
            const auto top = std::max_element(row_.begin(), row_.begin() + n_) - row_.begin();
            d_slot[p] += d_target[0] * row_[static_cast<std::size_t>(top)];
            d_v[static_cast<int>(top) * ld_ +
                static_cast<int>(row_winner_[static_cast<std::size_t>(top)])] +=
                alpha[p] * d_target[0];
            continue;
        }
        d_slot[p] += kernels_->dot(d_pooled.data(), row_.data(), ld_);
        for (int x = 0; x < n_; ++x)
            d_v[x * ld_ + static_cast<int>(row_winner_[static_cast<std::size_t>(x)])] +=
                alpha[p] * d_target[x];
    }
}

// The same where the best candidate alone counts: the first of those that attain the maximum.
template <class Real>
void Inference<Real>::seed_best(Real* d_slot, const Real* d_target) {
    const bool pairs = hierarchy_->target_arity == 2;
    const bool one = hierarchy_->target_arity == 0;
    const int slot = hierarchy_->target_slot();
    const Real* alpha = alpha_of(slot);
    const std::vector<int>& candidates =
        hierarchy_->slots[static_cast<std::size_t>(slot)].candidates;
    // Where predicate p's valuation for the target's atom (x, y) is read.
    const auto source = [&](int p, int x, int y) {
        if (pairs)
            return x * ld_ + y;
        if (one) {
            int best = 0;
            const Real* v = value_at(p, last_step_);
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j)
                    best = v[i * ld_ + j] > v[best] ? i * ld_ + j : best;
            return best;
        }
        const Real* row = value_at(p, last_step_) + x * ld_;
        return x * ld_ + static_cast<int>(std::max_element(row, row + n_) - row);
    };
    for (int x = 0; x < (one ? 1 : n_); ++x) {
        for (int y = 0; y < (pairs ? n_ : 1); ++y) {
            const Real g = d_target[pairs ? x * n_ + y : x];
            const auto term = [&](int p) {
                return alpha[p] * value_at(p, last_step_)[source(p, x, y)];
            };
            int best = candidates.front();
            for (const int p : candidates)
                if (term(p) > term(best))
                    best = p;
            const int at = source(best, x, y);
            d_slot[best] += g * value_at(best, last_step_)[at];
            d_values_[static_cast<std::size_t>((best - first_) * area_ + at)] += g * alpha[best];
        }
    }
}

// Through out = pool_P alpha[slot][P] U_view[P]: one slot alone, to one predicate or to all (-1).
template <class Real>
void Inference<Real>::backward_slot(Real* d_alpha, int slot, int view, const Real* d_out,
                                    const Real* out, int predicate) {
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    std::vector<Real>& unclaimed = placed_;
    if (!is_sum_)
        std::copy_n(d_out, area_, unclaimed.begin());
    for (const int p : candidates(slot, predicate)) {
        if (is_zero(p, last_step_))
            continue;
        const Real* u = views_.matrix(view, p);
        const Real* d = d_out;
        if (!is_sum_) {
            for (int i = 0; i < area_; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const bool wins = alpha[p] * u[i] >= out[i];
                d_product_[at] = wins ? unclaimed[at] : Real(0);
                unclaimed[at] = wins ? Real(0) : unclaimed[at];
            }
            d = d_product_.data();
        }
        if (is_given(p)) {
            d_slot[p] += kernels_->dot(d, u, area_);
        } else {
            d_slot[p] += kernels_->pool_backward(views_.d_matrix(view, p), d, u, alpha[p], area_);
            views_.touch(view, p);
        }
    }
}

template <class Real>
void Inference<Real>::place_backward(Real* d_sum, const RuleStep& rule, const Real* d_out) {
    const bool is_row = rule.reduced();
    std::fill_n(d_sum, area_, Real(0));
    for (int x = 0; x < n_; ++x) {
        for (int y = 0; y < n_; ++y) {
            const Real g = d_out[x * ld_ + y];
            switch (rule.plan.head) {
                case hypotheses::Plan::Head::direct:
                    d_sum[is_row ? x : x * ld_ + y] += g;
                    break;
                case hypotheses::Plan::Head::transposed:
                    d_sum[is_row ? y : y * ld_ + x] += g;
                    break;
                case hypotheses::Plan::Head::diagonal:
                    if (x == y)
                        d_sum[is_row ? x : x * ld_] += g;
                    break;
            }
        }
    }
}

// Through the head of a rule: d_ands_ and d_ors_ from d_values_.
template <class Real>
void Inference<Real>::backward_rule(int r, int s) {
    const RuleStep& rule = this->rule(r);
    Real* d_out = d_values_.data() + r * area_;
    if (options_.merge == Merge::sum && s > 1) {
        // v = min(1, old + new): both get the gradient unless the bound holds
        const Real* now = auxiliary_at(values_, r, s);
        Real* d_old = d_previous_.data() + r * area_;
        for (int i = 0; i < area_; ++i) {
            if (now[i] >= Real(1))
                d_out[i] = 0;
            d_old[i] += d_out[i];
        }
    }
    Real* d_sum = d_ands_.data() + r * area_;
    if (rule.disjunct_slot >= 0) {
        const Real* conjunction = auxiliary_at(ands_, r, s);
        if (!rule.direct()) {
            place(d_sum, rule, conjunction);
            conjunction = d_sum;
        }
        Real* d_disjunct = d_ors_.data() + r * area_;
        kernels_->either_backward[static_cast<int>(options_.fuzzy_or)](
            d_out, d_disjunct, d_out, conjunction, auxiliary_at(ors_, r, s), area_);
        if (rule.plan.disjunct_head == hypotheses::Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    if (x != y)
                        d_disjunct[x * ld_ + y] = 0;
    }
    if (rule.direct())
        std::copy_n(d_out, area_, d_sum);
    else
        place_backward(d_sum, rule, d_out);
}

// Through the heads of all rules whose gradient counts.
template <class Real>
void Inference<Real>::backward_rules(int s) {
    const RuleSet& active = active_at(s);
    has_gradient_.clear(auxiliaries_);
    each(auxiliaries_, [&](int r) {
        Real* d_value = d_values_.data() + r * area_;
        if (!active[r]) {
            if (wanted_[static_cast<std::size_t>(s)][r])  // settled: the value of the step before
                std::copy_n(d_value, area_, d_previous_.data() + r * area_);
            return;
        }
        if (!(kernels_->largest(d_value, area_) > min_gradient_))
            return;
        has_gradient_.add(r);
        backward_rule(r, s);
        Real* d_sum = d_ands_sum_.data() + r * area_;
        if (ever_gradient_[r])
            kernels_->add_scaled(d_sum, d_ands_.data() + r * area_, Real(1), area_);
        else
            std::copy_n(d_ands_.data() + r * area_, area_, d_sum);
        ever_gradient_.add(r);
    });
    has_gradient_.close();
    ever_gradient_.close();
}

// Through disjuncts and conjunctions of one slot. A crew shares them by predicates, so that each
// gradient is still summed in the order of the rules.
template <class Real>
void Inference<Real>::backward_slots(Real* d_alpha, int s) {
    const auto to = [&](int predicate) {
        for (int r = 0; r < auxiliaries_; ++r) {
            if (!has_gradient_[r])
                continue;
            const RuleStep& rule = this->rule(r);
            if (rule.disjunct_slot >= 0)
                backward_slot(d_alpha, rule.disjunct_slot, rule.disjunct_view,
                              d_ors_.data() + r * area_, auxiliary_at(ors_, r, s), predicate);
            if (rule.plan.combine == hypotheses::Combine::single)
                backward_slot(d_alpha, rule.left_slot, rule.left_view, d_ands_.data() + r * area_,
                              auxiliary_at(ands_, r, s), predicate);
        }
    };
    if (is_shared())
        crew_->each(predicates_, to);
    else
        to(-1);
}

template <class Real>
void Inference<Real>::backward_step(Real* d_alpha, int s) {
    const RuleSet& wanted_before = wanted_[static_cast<std::size_t>(s - 1)];
    last_step_ = s - 1;
    prepare_views(s - 1);
    each(auxiliaries_, [&](int a) {
        if (wanted_before[a])
            std::fill_n(d_previous_.data() + a * area_, area_, Real(0));
    });
    if (is_shared())
        crew_->each(auxiliaries_,
                    [&](int a) { views_.begin_backward(first_ + a, first_ + a + 1); });
    else
        views_.begin_backward(first_, predicates_);
    backward_rules(s);
    backward_slots(d_alpha, s);
    // With max pooling the winner is found among all pairs of the step, in the order of forward.
    const std::size_t unsettled = is_sum_ ? static_cast<std::size_t>(settled_by(s - 1)) : 0;
    const std::size_t last = s > 1 ? pairs_.size() : static_cast<std::size_t>(settled_by(0));
    if (unsettled < last) {
        sum_vectors(d_ands_.data(), has_gradient_);
        backward_pairs(d_alpha, unsettled, last, s, d_ands_.data(), has_gradient_);
    }
    // What is settled from this step on is the same in all later ones: once for all.
    const auto newly = static_cast<std::size_t>(settled_by(s - 2));
    if (newly < unsettled) {
        sum_vectors(d_ands_sum_.data(), ever_gradient_);
        backward_pairs(d_alpha, newly, unsettled, s, d_ands_sum_.data(), ever_gradient_);
    }
    if (s > 1)
        each(auxiliaries_, [&](int a) {
            if (wanted_before[a])
                views_.backward(first_ + a, d_previous_.data() + a * area_,
                                value_at(first_ + a, s - 1));
        });
    std::swap(d_values_, d_previous_);
}

template <class Real>
void Inference<Real>::start_backward() {
    const auto all = static_cast<std::size_t>(auxiliaries_ * area_);
    for (auto* buffer : {&d_values_, &d_previous_, &d_ands_, &d_ands_sum_, &d_ors_})
        buffer->resize(std::max(buffer->size(), all));
    std::fill(d_terms_.begin(), d_terms_.end(), Real(0));
    ever_gradient_.clear(auxiliaries_);
    views_.begin_backward(learned_, first_);
}

template <class Real>
void Inference<Real>::run_backward(Real* d_alpha) {
    const base::FlushSubnormals flush;
    const int steps = last_step_;
    for (int s = steps; s >= 1; --s)
        backward_step(d_alpha, s);
    last_step_ = steps;
    for (const Pair& pair : pairs_)
        add_scores(d_alpha, pair, terms_.data() + pair.first, d_terms_.data() + pair.first,
                   pair.terms());
    d_inputs_.assign(static_cast<std::size_t>((first_ - learned_) * area_), Real(0));
    for (int p = learned_; p < first_; ++p)
        views_.backward(p, d_inputs_.data() + (p - learned_) * area_, instance_->matrix(p));
}

template <class Real>
void Inference<Real>::backward(Real* d_alpha, const Real* d_target) {
    start_backward();
    std::fill_n(d_values_.begin(), auxiliaries_ * area_, Real(0));
    seed_target(d_alpha, d_target);
    run_backward(d_alpha);
}

template <class Real>
void Inference<Real>::backward_values(Real* d_alpha, const Real* d_values) {
    start_backward();
    std::copy_n(d_values, auxiliaries_ * area_, d_values_.begin());
    run_backward(d_alpha);
}

// Instantiates the members that this file defines; inference.cpp does the same for its own.
template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
