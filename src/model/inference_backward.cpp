// SPDX-License-Identifier: Apache-2.0
// The gradient of inference.cpp, step by step from the last to the first.

#include <algorithm>

#include "model/inference.hpp"

namespace hri {

// d_values_ = gradient of the last step's valuations, from the target's.
template <class Real>
void Inference<Real>::seed_target(Real* d_alpha, const Real* d_target) {
    const int n = n_;
    const bool pairs = hierarchy_->target_arity == 2;
    const int slot = hierarchy_->target_slot();
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    const std::vector<int>& candidates = hierarchy_->slots[static_cast<std::size_t>(slot)].candidates;
    const auto pass = [&](int p, int at, Real g) {
        d_slot[p] += g * value_at(p, last_step_)[at];
        d_values_[static_cast<std::size_t>((p - first_) * area_ + at)] += g * alpha[p];
    };
    // Where predicate p's valuation for the target's atom (x, y) is read.
    const auto source = [&](int p, int x, int y) {
        if (pairs)
            return x * ld_ + y;
        const Real* row = value_at(p, last_step_) + x * ld_;
        return x * ld_ + static_cast<int>(std::max_element(row, row + n) - row);
    };
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < (pairs ? n : 1); ++y) {
            const Real g = d_target[pairs ? x * n + y : x];
            if (g == 0)
                continue;
            if (options_.target_pool == Pool::sum) {
                for (const int p : candidates)
                    pass(p, source(p, x, y), g);
                continue;
            }
            int best = candidates.front();
            for (const int p : candidates)
                if (alpha[p] * value_at(p, last_step_)[source(p, x, y)] >
                    alpha[best] * value_at(best, last_step_)[source(best, x, y)])
                    best = p;
            pass(best, source(best, x, y), g);
        }
    }
}

// Through out = pool_P alpha[slot][P] U_view[P]: one slot alone.
template <class Real>
void Inference<Real>::backward_pool(Real* d_alpha, int slot, int view, const Real* d_out, const Real* out) {
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    const bool is_sum = options_.pool == Pool::sum;
    if (!is_sum)
        std::copy_n(d_out, area_, d_placed_.begin());  // what is not yet claimed
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates) {
        if (!(alpha[p] > static_cast<Real>(options_.skip_pairs)) || is_zero(p, last_step_))
            continue;
        const Real* u = views_.matrix(view, p);
        const Real* d = d_out;
        if (!is_sum) {
            for (int i = 0; i < area_; ++i) {
                const bool wins = alpha[p] * u[i] >= out[i];
                d_product_[static_cast<std::size_t>(i)] = wins ? d_placed_[static_cast<std::size_t>(i)] : Real(0);
                d_placed_[static_cast<std::size_t>(i)] = wins ? Real(0) : d_placed_[static_cast<std::size_t>(i)];
            }
            d = d_product_.data();
        }
        d_slot[p] += kernels_->dot(d, u, area_);
        if (!is_input(p)) {
            kernels_->add_scaled(views_.d_matrix(view, p), d, alpha[p], area_);
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
                case Plan::Head::direct:
                    d_sum[is_row ? x : x * ld_ + y] += g;
                    break;
                case Plan::Head::transposed:
                    d_sum[is_row ? y : y * ld_ + x] += g;
                    break;
                case Plan::Head::diagonal:
                    if (x == y)
                        d_sum[is_row ? x : x * ld_] += g;
                    break;
            }
        }
    }
}

template <class Real>
void Inference<Real>::backward_rule(Real* d_alpha, int r, int s) {
    const RuleStep& rule = rules_[static_cast<std::size_t>(r)];
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
    const Real* sum = auxiliary_at(ands_, r, s);
    const bool direct = rule.plan.head == Plan::Head::direct && !rule.reduced();
    if (rule.disjunct_slot >= 0) {
        const Real* conjunction = sum;
        if (!direct) {
            place(placed_.data(), rule, sum);
            conjunction = placed_.data();
        }
        const Real* other = auxiliary_at(ors_, r, s);
        for (int i = 0; i < area_; ++i) {
            const Real a = conjunction[i];
            const Real b = other[i];
            const Real g = d_out[i];
            Real d_a = 0;
            Real d_b = 0;
            switch (options_.fuzzy_or) {
                case Or::max:
                    d_a = a > b ? g : a < b ? Real(0) : g / 2;
                    d_b = g - d_a;
                    break;
                case Or::prodminus:
                    d_a = g * (1 - b);
                    d_b = g * (1 - a);
                    break;
                case Or::lukasiewicz:
                    d_a = a + b <= 1 ? g : Real(0);
                    d_b = d_a;
                    break;
            }
            d_out[i] = d_a;
            d_disjunct_[static_cast<std::size_t>(i)] = d_b;
        }
        if (rule.plan.disjunct_head == Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    if (x != y)
                        d_disjunct_[static_cast<std::size_t>(x * ld_ + y)] = 0;
        backward_pool(d_alpha, rule.disjunct_slot, rule.disjunct_view, d_disjunct_.data(), other);
    }
    Real* d_sum = d_ands_.data() + r * area_;
    if (direct)
        std::copy_n(d_out, area_, d_sum);
    else
        place_backward(d_sum, rule, d_out);
    if (rule.plan.combine == Combine::single)
        backward_pool(d_alpha, rule.left_slot, rule.left_view, d_sum, sum);
}

template <class Real>
void Inference<Real>::backward_pair(Real* d_alpha, const Group& group, const Pair& pair, int s,
                                    bool inputs_only) {
    // Gradients summed over the steps for pairs of inputs, of this step for the others.
    Real* d_sums = inputs_only ? d_ands_sum_.data() : d_ands_.data();
    const std::vector<char>& live = inputs_only ? ever_gradient_ : has_gradient_;
    bool needed = false;
    for (int e = pair.first; e < pair.first + pair.count && !needed; ++e)
        needed = live[static_cast<std::size_t>(entries_[static_cast<std::size_t>(e)].rule)] != 0;
    if (!needed)
        return;

    const Real* left = views_.matrix(group.left_view, pair.left);
    const Real* right = views_.matrix(group.right_view, pair.right);
    const bool outer = group.combine == Combine::join &&
                       views_.view(group.left_view)
                           .constant_along_second(hierarchy_->arity[static_cast<std::size_t>(pair.left)]);
    const bool join = group.combine == Combine::join && !outer;
    if (join && !pair.inputs)
        kernels_->join_with_winner(product_.data(), winner_.data(), left, right, n_, ld_);
    else
        combine(product_.data(), group, pair);
    if (pair.reduces)
        kernels_->column_max(row_.data(), row_winner_.data(), product_.data(), n_, ld_);

    std::fill(d_product_.begin(), d_product_.end(), Real(0));
    std::fill(d_row_.begin(), d_row_.end(), Real(0));
    for (int e = pair.first; e < pair.first + pair.count; ++e) {
        const Entry& entry = entries_[static_cast<std::size_t>(e)];
        if (live[static_cast<std::size_t>(entry.rule)] == 0)
            continue;
        const RuleStep& rule = rules_[static_cast<std::size_t>(entry.rule)];
        const int count = rule.reduced() ? ld_ : area_;
        const Real* values = rule.reduced() ? row_.data() : product_.data();
        int top = 0;  // the column that wins where columns are reduced too
        if (rule.plan.reduce_all) {
            top = static_cast<int>(std::max_element(row_.begin(), row_.begin() + n_) - row_.begin());
            std::fill_n(placed_.begin(), n_, row_[static_cast<std::size_t>(top)]);
            std::fill_n(placed_.begin() + n_, ld_ - n_, Real(0));
            values = placed_.data();
        }
        Real* d_sum = d_sums + entry.rule * area_;
        if (options_.pool == Pool::max) {  // the first pair that attains the maximum takes the gradient
            const Real* pooled = auxiliary_at(ands_, entry.rule, s);
            for (int i = 0; i < count; ++i) {
                const bool wins = entry.weight * values[i] >= pooled[i];
                d_disjunct_[static_cast<std::size_t>(i)] = wins ? d_sum[i] : Real(0);
                d_sum[i] = wins ? Real(0) : d_sum[i];
            }
            d_sum = d_disjunct_.data();
        }
        const Real d_weight = kernels_->dot(d_sum, values, count);
        d_alpha[rule.left_slot * predicates_ + pair.left] += d_weight * alpha_of(rule.right_slot)[pair.right];
        d_alpha[rule.right_slot * predicates_ + pair.right] += d_weight * alpha_of(rule.left_slot)[pair.left];
        if (pair.inputs)
            continue;
        if (rule.plan.reduce_all) {
            Real total = 0;
            for (int x = 0; x < n_; ++x)
                total += d_sum[x];
            d_row_[static_cast<std::size_t>(top)] += entry.weight * total;
        } else {
            kernels_->add_scaled(rule.reduced() ? d_row_.data() : d_product_.data(), d_sum, entry.weight, count);
        }
    }
    if (pair.inputs)
        return;
    if (pair.reduces)
        for (int y = 0; y < n_; ++y)
            d_product_[static_cast<std::size_t>(static_cast<int>(row_winner_[static_cast<std::size_t>(y)]) * ld_ + y)] +=
                d_row_[static_cast<std::size_t>(y)];
    if (!(kernels_->largest(d_product_.data(), area_) > static_cast<Real>(options_.skip_gradients)))
        return;

    Real* d_left = unused_.data();
    Real* d_right = unused_.data();
    if (!is_input(pair.left)) {
        d_left = views_.d_matrix(group.left_view, pair.left);
        views_.touch(group.left_view, pair.left);
    }
    if (!is_input(pair.right)) {
        d_right = outer ? views_.d_column_max(group.right_view, pair.right)
                        : views_.d_matrix(group.right_view, pair.right);
        views_.touch(group.right_view, pair.right);
    }
    if (join)
        kernels_->join_backward(d_left, d_right, d_product_.data(), winner_.data(), left, right, n_, ld_);
    else if (outer)
        kernels_->outer_backward(d_left, d_right, d_product_.data(), left,
                                 views_.column_max(group.right_view, pair.right), n_, ld_);
    else
        kernels_->meet_backward(d_left, d_right, d_product_.data(), left, right, area_);
}

template <class Real>
void Inference<Real>::backward_step(Real* d_alpha, int s) {
    const std::vector<char>& wanted = wanted_[static_cast<std::size_t>(s)];
    std::fill(d_previous_.begin(), d_previous_.end(), Real(0));
    last_step_ = s - 1;
    prepare_views(s - 1);
    views_.begin_backward(first_);
    for (int r = 0; r < auxiliaries_; ++r) {
        const auto i = static_cast<std::size_t>(r);
        has_gradient_[i] = wanted[i] != 0 && kernels_->largest(d_values_.data() + r * area_, area_) >
                                                 static_cast<Real>(options_.skip_gradients);
        if (has_gradient_[i] == 0)
            continue;
        ever_gradient_[i] = 1;
        backward_rule(d_alpha, r, s);
        kernels_->add_scaled(d_ands_sum_.data() + r * area_, d_ands_.data() + r * area_, Real(1), area_);
    }
    // With max pooling the winner is found among all pairs of the step, in the order of forward.
    if (options_.pool == Pool::max)
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const Pair& pair : pairs_[g])
                if (pair.inputs)
                    backward_pair(d_alpha, groups_[g], pair, s, false);
    if (s > 1) {
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const Pair& pair : pairs_[g])
                if (!pair.inputs)
                    backward_pair(d_alpha, groups_[g], pair, s, false);
        for (int a = 0; a < auxiliaries_; ++a)
            views_.backward(first_ + a, d_previous_.data() + a * area_, auxiliary_at(values_, a, s - 1));
    }
    std::swap(d_values_, d_previous_);
}

template <class Real>
void Inference<Real>::backward(Real* d_alpha, const Real* d_target) {
    const auto all = static_cast<std::size_t>(auxiliaries_ * area_);
    for (auto* buffer : {&d_values_, &d_previous_, &d_ands_, &d_ands_sum_})
        buffer->assign(all, Real(0));
    has_gradient_.assign(static_cast<std::size_t>(auxiliaries_), 0);
    ever_gradient_.assign(static_cast<std::size_t>(auxiliaries_), 0);
    const int steps = last_step_;
    seed_target(d_alpha, d_target);
    for (int s = steps; s >= 1; --s)
        backward_step(d_alpha, s);
    last_step_ = steps;
    if (options_.pool == Pool::sum)  // pairs of inputs are the same in every step: once for all
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const Pair& pair : pairs_[g])
                if (pair.inputs)
                    backward_pair(d_alpha, groups_[g], pair, 0, true);
}

// Instantiates the members that this file defines; inference.cpp does the same for its own.
template class Inference<float>;
template class Inference<double>;

}  // namespace hri
