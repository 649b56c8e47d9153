// SPDX-License-Identifier: Apache-2.0
#include "soft/inference.hpp"

#include "base/flush.hpp"
#include "soft/inference_pairs.ipp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

template <class Real>
Inference<Real>::Inference(const Hierarchy& hierarchy, const ProtoRules& protorules,
                           const Options& options, int first_gradient, base::ThreadPool* pool)
    : hierarchy_(&hierarchy),
      kernels_(&kernels<Real>(options.fuzzy_and)),
      pool_(pool),
      is_sum_(options.pool == Pool::sum),
      min_gradient_(static_cast<Real>(options.skip_gradients)),
      first_(hierarchy.first_auxiliary()),
      auxiliaries_(static_cast<int>(hierarchy.auxiliaries.size())),
      predicates_(hierarchy.predicates()),
      rules_(std::make_shared<const CompiledRules>(compile_rules(hierarchy, protorules))),
      scheduler_(hierarchy, rules_, options, first_gradient < 0 ? first_ : first_gradient),
      space_(auxiliaries_),
      pair_ops_(*kernels_, is_sum_),
      small_pairs_(*kernels_, options, auxiliaries_),
      rule_ops_(*kernels_, options),
      target_pool_(hierarchy, *kernels_, options.target_pool) {
    for (const hypotheses::View& view : rules_->views)
        views_.add(view);
    // The scheduler reserves for all that it may ever list, so that training allocates nothing.
    d_terms_.reserve(schedule().terms.capacity());
    small_pairs_.reserve(schedule().pairs.capacity());
    target_values_.reserve(hierarchy.auxiliaries.size());
}

// steps < 0: without end.
template <class Real>
void Inference<Real>::begin(const Real* alpha, const DenseInstance<Real>& instance, int steps,
                            int history) {
    alpha_ = alpha;
    instance_ = &instance;
    const bool resized = space_.resize(instance.n, instance.ld, history);
    if (resized) {
        // Max pooling passes its gradient from pair to pair: it has one worker.
        const bool parallel = pool_ != nullptr && instance.n >= kMinParallel && is_sum_;
        workers_ = parallel ? pool_->size() : 1;
        space_.resize_batch(workers_);
        views_.resize(*kernels_, predicates_, instance.n, instance.ld);
        pair_ops_.resize(instance.n, instance.ld);
        rule_ops_.resize(instance.n, instance.ld);
        target_pool_.resize(instance.n, instance.ld);
    }
    if (scheduler_.update(alpha, instance.zero, steps, all_needed_) || resized) {
        mark_views();
        d_terms_.resize(schedule().terms.size());
        small_pairs_.list(schedule(), views_, d_terms_, instance.n, instance.ld);
    }
    views_.set_constants(instance.constants, hierarchy_->arity);
    each(first_, [&](int p) { views_.update(p, instance.matrix(p)); });
    view_step_.assign(static_cast<std::size_t>(auxiliaries_), -1);
    std::fill_n(space_.base.begin(), auxiliaries_ * space_.area, Real(0));
    std::fill_n(space_.values.begin(), auxiliaries_ * space_.area, Real(0));
    last_step_ = 0;
}

// Views that nothing reads are not computed.
template <class Real>
void Inference<Real>::mark_views() {
    views_.forget_uses();
    for (const Pair& pair : schedule().pairs) {
        views_.use(pair.left_view, pair.left);
        views_.use(pair.right_view, pair.right);
        if (pair.right_is_maxima())
            views_.use_columns(pair.right_view, pair.right);
    }
    const auto use_slot = [&](int view, int slot) {
        for (const int p : schedule().candidates_of(slot))
            views_.use(view, p);
    };
    for (const CompiledRule& r : rules_->rules) {
        if (r.plan.combine == hypotheses::Combine::single)
            use_slot(r.left_view, r.left_slot);
        if (r.disjunct_slot >= 0)
            use_slot(r.disjunct_view, r.disjunct_slot);
    }
}

template <class Real>
void Inference<Real>::update_views(int s) {
    if (s == 0)
        return;  // all auxiliaries are 0 and nothing reads them
    each_rule(schedule().needed_at(s), [&](int a) {
        const int changed = std::min(s, converged_after(first_ + a));
        int& held = view_step_[static_cast<std::size_t>(a)];
        if (held != changed)
            views_.update(first_ + a, value_at(first_ + a, s));
        held = changed;
    });
}

template <class Real>
void Inference<Real>::step(int s) {
    const RuleSet& computed = schedule().computed_at(s);
    const RuleSet& later = schedule().needed_later_at(s);
    last_step_ = s - 1;
    update_views(s - 1);
    pool_pairs(schedule().converging(s), space_.base.data(), later);
    each_rule(computed, [&](int r) {
        std::copy_n(space_.at(space_.base, r), space_.area, space_.at(space_.ands, r, s));
    });
    pool_pairs(schedule().changing(s), space_.at(space_.ands, 0, s), computed);
    each_rule(computed, [&](int r) { apply_rule(r, s); });
    last_step_ = s;
}

// out = pool_P alpha[slot][P] U[P] over the predicates that are not all zero.
template <class Real>
void Inference<Real>::pool_slot(Real* out, int slot, int view) {
    std::fill_n(out, space_.area, Real(0));
    const auto pool = is_sum_ ? kernels_->add_scaled : kernels_->keep_larger;
    const Real* alpha = alpha_of(slot);
    for (const int p : schedule().candidates_of(slot))
        if (!is_zero(p, last_step_))
            pool(out, views_.matrix(view, p), alpha[p], space_.area);
}

// To one predicate, or (-1) to all.
template <class Real>
void Inference<Real>::backward_slot(Real* d_alpha, int slot, int view, const Real* d_out,
                                    const Real* out, int predicate) {
    const int area = space_.area;
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    Real* unclaimed = space_.scratch.data();
    if (!is_sum_)
        std::copy_n(d_out, area, unclaimed);
    for (const int p : schedule().candidates_of(slot, predicate)) {
        if (is_zero(p, last_step_))
            continue;
        const Real* u = views_.matrix(view, p);
        const Real* d = d_out;
        if (!is_sum_) {
            Real* claimed = space_.claimed.data();
            for (int i = 0; i < area; ++i) {
                const bool wins = alpha[p] * u[i] >= out[i];
                claimed[i] = wins ? unclaimed[i] : Real(0);
                unclaimed[i] = wins ? Real(0) : unclaimed[i];
            }
            d = claimed;
        }
        if (schedule().has_gradient(p)) {
            d_slot[p] += kernels_->pool_backward(views_.d_matrix(view, p), d, u, alpha[p], area);
            views_.touch(view, p);
        } else {
            d_slot[p] += kernels_->dot(d, u, area);
        }
    }
}

// Through disjuncts and conjunctions of one slot. Workers share them by predicates, so that each
// gradient is summed in the order of the rules.
template <class Real>
void Inference<Real>::backward_slots(Real* d_alpha, int s) {
    each_predicate([&](int predicate) {
        for (int r = 0; r < auxiliaries_; ++r) {
            if (!has_gradient_[r])
                continue;
            const CompiledRule& rule = this->rule(r);
            if (rule.disjunct_slot >= 0)
                backward_slot(d_alpha, rule.disjunct_slot, rule.disjunct_view,
                              space_.at(space_.d_ors, r), space_.at(space_.ors, r, s), predicate);
            if (rule.plan.combine == hypotheses::Combine::single)
                backward_slot(d_alpha, rule.left_slot, rule.left_view, space_.at(space_.d_ands, r),
                              space_.at(space_.ands, r, s), predicate);
        }
    });
}

template <class Real>
void Inference<Real>::apply_rule(int r, int s) {
    const CompiledRule& rule = this->rule(r);
    if (rule.plan.combine == hypotheses::Combine::single)
        pool_slot(space_.at(space_.ands, r, s), rule.left_slot, rule.left_view);
    if (rule.disjunct_slot >= 0)
        pool_slot(space_.at(space_.ors, r, s), rule.disjunct_slot, rule.disjunct_view);
    rule_ops_.apply(rule, rule_values(r, s));
}

// Through the heads of all rules whose gradient counts.
template <class Real>
void Inference<Real>::backward_rules(int s) {
    const RuleSet& computed = schedule().computed_at(s);
    has_gradient_.clear(auxiliaries_);
    each_rule(schedule().needed_at(s), [&](int r) {
        const int area = space_.area;
        Real* d_value = space_.at(space_.d_values, r);
        Real* d_previous = space_.at(space_.d_previous, r);
        if (!computed[r]) {  // converged: the value of the step before
            std::copy_n(d_value, area, d_previous);
            return;
        }
        if (!(kernels_->largest(d_value, area) > min_gradient_))
            return;
        Real* d_and = space_.at(space_.d_ands, r);
        rule_ops_.apply_backward(rule(r), {d_value, d_previous, d_and, space_.at(space_.d_ors, r)},
                                 rule_values(r, s));
        Real* d_sum = space_.at(space_.d_ands_sum, r);
        if (ever_gradient_[r])
            kernels_->add_scaled(d_sum, d_and, Real(1), area);
        else
            std::copy_n(d_and, area, d_sum);
        has_gradient_.add(r);
        ever_gradient_.add(r);
    });
    has_gradient_.update_masks();
    ever_gradient_.update_masks();
}

template <class Real>
void Inference<Real>::backward_step(Real* d_alpha, int s) {
    const RuleSet& needed_before = schedule().needed_at(s - 1);
    last_step_ = s - 1;
    update_views(s - 1);
    each_rule(needed_before,
              [&](int a) { std::fill_n(space_.at(space_.d_previous, a), space_.area, Real(0)); });
    each_predicate([&](int p) {
        if (p < 0 || !is_input(p))
            views_.begin_backward(p < 0 ? first_ : p, p < 0 ? predicates_ : p + 1);
    });
    backward_rules(s);
    backward_slots(d_alpha, s);
    PairRange changing = schedule().changing(s);
    // With max pooling the winner is found among all pairs of the step, in the order of forward.
    if (!is_sum_)
        changing.first = 0;
    backward_pairs(d_alpha, changing, s, space_.d_ands.data(), has_gradient_);
    // What converges before this step is the same in all later ones: once for all.
    if (is_sum_)
        backward_pairs(d_alpha, schedule().converging(s), s, space_.d_ands_sum.data(),
                       ever_gradient_);
    if (s > 1)
        each_rule(needed_before, [&](int a) {
            views_.backward(first_ + a, space_.at(space_.d_previous, a),
                            value_at(first_ + a, s - 1));
        });
    std::swap(space_.d_values, space_.d_previous);
}

template <class Real>
void Inference<Real>::run_backward(Real* d_alpha) {
    const base::FlushSubnormals flush;
    std::fill(d_terms_.begin(), d_terms_.end(), Real(0));
    ever_gradient_.clear(auxiliaries_);
    const int first_gradient = schedule().first_gradient;
    views_.begin_backward(first_gradient, first_);
    const int steps = last_step_;
    for (int s = steps; s >= 1; --s)
        backward_step(d_alpha, s);
    last_step_ = steps;
    for (const Pair& pair : schedule().pairs)
        scheduler_.weights_backward(d_alpha, pair, schedule().terms.data() + pair.first,
                                    d_terms_.data() + pair.first, pair.terms());
    d_inputs_.assign(
        static_cast<std::size_t>(first_ - first_gradient) * static_cast<std::size_t>(space_.area),
        Real(0));
    for (int p = first_gradient; p < first_; ++p)
        views_.backward(p, d_inputs_.data() + (p - first_gradient) * space_.area,
                        instance_->matrix(p));
}

template <class Real>
void Inference<Real>::pool_target() {
    target_values_.clear();
    for (const int p : target_pool_.candidates())
        target_values_.push_back(value_at(p, last_step_));
    target_pool_.forward(target_, alpha_of(hierarchy_->target_slot()), target_values_);
}

template <class Real>
void Inference<Real>::backward(Real* d_alpha, const Real* d_target) {
    const int slot = hierarchy_->target_slot();
    space_.resize_backward();
    std::fill_n(space_.d_values.begin(), auxiliaries_ * space_.area, Real(0));
    target_pool_.backward(d_alpha + slot * predicates_, space_.d_values.data(), d_target,
                          alpha_of(slot), target_values_);
    run_backward(d_alpha);
}

template <class Real>
void Inference<Real>::backward_values(Real* d_alpha, const Real* d_values) {
    space_.resize_backward();
    std::copy_n(d_values, auxiliaries_ * space_.area, space_.d_values.begin());
    run_backward(d_alpha);
}

template <class Real>
void Inference<Real>::forward(const Real* alpha, const DenseInstance<Real>& instance, int steps) {
    const base::FlushSubnormals flush;
    begin(alpha, instance, steps, steps + 1);
    for (int s = 1; s <= steps; ++s)
        step(s);
    pool_target();
}

template <class Real>
bool Inference<Real>::has_moved(int s) {
    Real change = 0;
    const Real* now = space_.at(space_.values, 0, s);
    const Real* before = space_.at(space_.values, 0, s - 1);
    for (int i = 0; i < auxiliaries_ * space_.area; ++i)
        change = std::max(change, std::abs(now[i] - before[i]));
    return change > Real(1e-6);
}

template <class Real>
void Inference<Real>::forward_only(const Real* alpha, const DenseInstance<Real>& instance,
                                   int steps) {
    const base::FlushSubnormals flush;
    begin(alpha, instance, steps, 2);
    // A crisp value takes at most n^2 steps per predicate to arrive, soft ones creep towards their
    // limit: the bound only guards against endless creeping.
    const std::int64_t crisp = std::int64_t{space_.n} * space_.n * auxiliaries_ + 1;
    const int most =
        steps >= 0 ? steps : static_cast<int>(std::clamp<std::int64_t>(crisp, 10'000, 1 << 30));
    for (int s = 1; s <= most; ++s) {
        step(s);
        if (steps < 0 && !has_moved(s))
            break;
    }
    pool_target();
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
