// SPDX-License-Identifier: Apache-2.0
// The gradient of inference.cpp, step by step from the last to the first.

#include "model/inference.hpp"

#include <algorithm>

namespace hri {

// d_values_ = gradient of the last step's valuations, from the target's.
template <class Real>
void Inference<Real>::seed_target(Real* d_alpha, const Real* d_target) {
    const int n = n_;
    const bool pairs = hierarchy_->target_arity == 2;
    const int slot = hierarchy_->target_slot();
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    const std::vector<int>& candidates =
        hierarchy_->slots[static_cast<std::size_t>(slot)].candidates;
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
void Inference<Real>::backward_slot(Real* d_alpha, int slot, int view, const Real* d_out,
                                    const Real* out) {
    const Real* alpha = alpha_of(slot);
    Real* d_slot = d_alpha + slot * predicates_;
    const bool is_sum = options_.pool == Pool::sum;
    std::vector<Real>& unclaimed = placed_;
    if (!is_sum)
        std::copy_n(d_out, area_, unclaimed.begin());
    for (const int p : hierarchy_->slots[static_cast<std::size_t>(slot)].candidates) {
        if (!counts(slot, p) || is_zero(p, last_step_))
            continue;
        const Real* u = views_.matrix(view, p);
        const Real* d = d_out;
        if (!is_sum) {
            for (int i = 0; i < area_; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const bool wins = alpha[p] * u[i] >= out[i];
                d_product_[at] = wins ? unclaimed[at] : Real(0);
                unclaimed[at] = wins ? Real(0) : unclaimed[at];
            }
            d = d_product_.data();
        }
        if (is_input(p)) {
            d_slot[p] += kernels_->dot(d, u, area_);
        } else {
            d_slot[p] +=
                kernels_->pool_backward(views_.d_matrix(view, p), d, u, alpha[p], false, area_);
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
    const Real* sum = auxiliary_at(ands_, r, s);
    if (rule.disjunct_slot >= 0) {
        const Real* conjunction = sum;
        if (!rule.direct()) {
            place(placed_.data(), rule, sum);
            conjunction = placed_.data();
        }
        const Real* other = auxiliary_at(ors_, r, s);
        kernels_->either_backward[static_cast<int>(options_.fuzzy_or)](
            d_out, d_disjunct_.data(), d_out, conjunction, other, area_);
        if (rule.plan.disjunct_head == Plan::Head::diagonal)
            for (int x = 0; x < n_; ++x)
                for (int y = 0; y < n_; ++y)
                    if (x != y)
                        d_disjunct_[static_cast<std::size_t>(x * ld_ + y)] = 0;
        backward_slot(d_alpha, rule.disjunct_slot, rule.disjunct_view, d_disjunct_.data(), other);
    }
    Real* d_sum = d_ands_.data() + r * area_;
    if (rule.direct())
        std::copy_n(d_out, area_, d_sum);
    else
        place_backward(d_sum, rule, d_out);
    if (rule.plan.combine == Combine::single)
        backward_slot(d_alpha, rule.left_slot, rule.left_view, d_sum, sum);
}

// What products that are vectors get of the pooled gradients.
template <class Real>
void Inference<Real>::sum_vectors(const Real* d_sums, const std::vector<char>& live) {
    if (options_.pool == Pool::max)
        return;
    for (int r = 0; r < auxiliaries_; ++r) {
        if (live[static_cast<std::size_t>(r)] == 0 || rule(r).plan.combine != Combine::join)
            continue;
        kernels_->row_sum(d_columns_.data() + r * ld_, d_sums + r * area_, n_, ld_);
        kernels_->column_sum(d_rows_.data() + r * ld_, d_sums + r * area_, n_, ld_);
    }
}

// d_sums: (auxiliaries, n, ld), gradients of the pooled conjunctions of step s (or their sum over
// the steps, for pairs of inputs).
template <class Real>
void Inference<Real>::backward_pair(Real* d_alpha, const Pair& pair, int s, Real* d_sums,
                                    const std::vector<char>& live) {
    bool needed = false;
    for (int e = pair.first; e < pair.first + pair.count && !needed; ++e)
        needed = live[static_cast<std::size_t>(entries_[static_cast<std::size_t>(e)].rule)] != 0;
    if (!needed)
        return;

    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const bool is_sum = options_.pool == Pool::sum;
    const bool vector = pair.shape == Shape::column || pair.shape == Shape::row;
    const Real* product = product_.data();
    if (pair.shape == Shape::join && !pair.inputs)
        kernels_->join_with_winner(product_.data(), winner_.data(),
                                   views_.matrix(group.left_view, pair.left),
                                   views_.matrix(group.right_view, pair.right), n_, ld_);
    else
        product = combine(pair);
    if (vector && !is_sum) {
        expand(pair);
        product = product_.data();
    }
    if (pair.reduces)
        kernels_->column_max(row_.data(), row_winner_.data(), product, n_, ld_);

    // Two gradients are collected: of the product itself, and of its reduction.
    bool first_product = true;
    bool first_row = true;
    for (int e = pair.first; e < pair.first + pair.count; ++e) {
        const Entry& entry = entries_[static_cast<std::size_t>(e)];
        if (live[static_cast<std::size_t>(entry.rule)] == 0)
            continue;
        const RuleStep& rule = this->rule(entry.rule);
        const bool by_vector = vector && is_sum;
        const bool to_row = rule.reduced() || by_vector;
        const int count = to_row ? ld_ : area_;
        const Real* values = rule.reduced() ? row_.data() : product;
        Real* d_sum = d_sums + entry.rule * area_;
        if (by_vector)
            d_sum = (pair.shape == Shape::column ? d_columns_ : d_rows_).data() + entry.rule * ld_;
        int top = 0;  // the column that wins where columns are reduced too
        if (rule.plan.reduce_all) {
            top =
                static_cast<int>(std::max_element(row_.begin(), row_.begin() + n_) - row_.begin());
            std::fill_n(placed_.begin(), n_, row_[static_cast<std::size_t>(top)]);
            std::fill_n(placed_.begin() + n_, ld_ - n_, Real(0));
            values = placed_.data();
        }
        if (!is_sum) {  // the first pair that attains the maximum takes the gradient
            const Real* pooled = auxiliary_at(ands_, entry.rule, s);
            for (int i = 0; i < count; ++i) {
                const bool wins = entry.weight * values[i] >= pooled[i];
                d_disjunct_[static_cast<std::size_t>(i)] = wins ? d_sum[i] : Real(0);
                d_sum[i] = wins ? Real(0) : d_sum[i];
            }
            d_sum = d_disjunct_.data();
        }
        Real d_weight = 0;
        if (pair.inputs) {
            d_weight = kernels_->dot(d_sum, values, count);
        } else if (rule.plan.reduce_all) {
            d_weight = kernels_->dot(d_sum, values, count);
            if (first_row)
                std::fill(d_row_.begin(), d_row_.end(), Real(0));
            first_row = false;
            Real total = 0;
            for (int x = 0; x < n_; ++x)
                total += d_sum[x];
            d_row_[static_cast<std::size_t>(top)] += entry.weight * total;
        } else {
            bool& first = to_row ? first_row : first_product;
            d_weight = kernels_->pool_backward(to_row ? d_row_.data() : d_product_.data(), d_sum,
                                               values, entry.weight, first, count);
            first = false;
        }
        d_alpha[rule.left_slot * predicates_ + pair.left] +=
            d_weight * alpha_of(rule.right_slot)[pair.right];
        d_alpha[rule.right_slot * predicates_ + pair.right] +=
            d_weight * alpha_of(rule.left_slot)[pair.left];
    }
    if (pair.inputs)
        return;
    if (vector) {
        if (!is_sum) {  // back from the matrix to the vector
            if (pair.shape == Shape::column)
                kernels_->row_sum(d_row_.data(), d_product_.data(), n_, ld_);
            else
                kernels_->column_sum(d_row_.data(), d_product_.data(), n_, ld_);
        }
    } else if (!first_row) {
        if (first_product)
            std::fill(d_product_.begin(), d_product_.end(), Real(0));
        for (int y = 0; y < n_; ++y)
            d_product_[static_cast<std::size_t>(
                static_cast<int>(row_winner_[static_cast<std::size_t>(y)]) * ld_ + y)] +=
                d_row_[static_cast<std::size_t>(y)];
    }
    scatter(pair);
}

// Through AND to the two predicates: d_product_, or d_row_ where the product is a vector.
template <class Real>
void Inference<Real>::scatter(const Pair& pair) {
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const bool vector = pair.shape == Shape::column || pair.shape == Shape::row;
    const Real largest = vector ? kernels_->largest(d_row_.data(), ld_)
                                : kernels_->largest(d_product_.data(), area_);
    if (!(largest > least_gradient_))
        return;
    const int left_view = pair.shape == Shape::column ? group.left_transposed : group.left_view;
    const bool by_columns = pair.shape == Shape::outer || pair.shape == Shape::row;
    const Real* left = views_.matrix(left_view, pair.left);
    const Real* right = by_columns ? views_.column_max(group.right_view, pair.right)
                                   : views_.matrix(group.right_view, pair.right);
    Real* d_left = nullptr;
    Real* d_right = nullptr;
    if (!is_input(pair.left)) {
        d_left = views_.d_matrix(left_view, pair.left);
        views_.touch(left_view, pair.left);
    }
    if (!is_input(pair.right)) {
        d_right = by_columns ? views_.d_column_max(group.right_view, pair.right)
                             : views_.d_matrix(group.right_view, pair.right);
        views_.touch(group.right_view, pair.right);
    }
    switch (pair.shape) {
        case Shape::meet:
            kernels_->meet_backward(d_left, d_right, d_product_.data(), left, right, area_);
            break;
        case Shape::join:
            kernels_->join_backward(d_left, d_right, d_product_.data(), winner_.data(), left, right,
                                    n_, ld_);
            break;
        case Shape::outer:
            kernels_->outer_backward(d_left, d_right, d_product_.data(), left, right, n_, ld_);
            break;
        case Shape::column:
            kernels_->join_column_backward(d_left, d_right, d_row_.data(), row_winner_.data(), left,
                                           right, n_, ld_);
            break;
        case Shape::row:
            kernels_->outer_backward(d_left, d_right, d_row_.data(), left, right, 1, ld_);
            break;
    }
}

template <class Real>
void Inference<Real>::backward_step(Real* d_alpha, int s) {
    const std::vector<char>& wanted = wanted_at(s);
    std::fill(d_previous_.begin(), d_previous_.end(), Real(0));
    last_step_ = s - 1;
    prepare_views(s - 1);
    views_.begin_backward(first_);
    for (int r = 0; r < auxiliaries_; ++r) {
        const auto i = static_cast<std::size_t>(r);
        has_gradient_[i] = wanted[i] != 0 && kernels_->largest(d_values_.data() + r * area_,
                                                               area_) > least_gradient_
                               ? 1
                               : 0;
        if (has_gradient_[i] == 0)
            continue;
        ever_gradient_[i] = 1;
        backward_rule(d_alpha, r, s);
        kernels_->add_scaled(d_ands_sum_.data() + r * area_, d_ands_.data() + r * area_, Real(1),
                             area_);
    }
    // With max pooling the winner is found among all pairs of the step, in the order of forward.
    sum_vectors(d_ands_.data(), has_gradient_);
    const std::size_t first =
        options_.pool == Pool::max ? 0 : static_cast<std::size_t>(input_pairs_);
    const std::size_t last = s > 1 ? pairs_.size() : static_cast<std::size_t>(input_pairs_);
    for (std::size_t i = first; i < last; ++i)
        backward_pair(d_alpha, pairs_[i], s, d_ands_.data(), has_gradient_);
    if (s > 1)
        for (int a = 0; a < auxiliaries_; ++a)
            views_.backward(first_ + a, d_previous_.data() + a * area_,
                            auxiliary_at(values_, a, s - 1));
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
    if (options_.pool == Pool::sum) {  // pairs of inputs are the same in every step: once for all
        sum_vectors(d_ands_sum_.data(), ever_gradient_);
        for (int i = 0; i < input_pairs_; ++i)
            backward_pair(d_alpha, pairs_[static_cast<std::size_t>(i)], 0, d_ands_sum_.data(),
                          ever_gradient_);
    }
}

// Instantiates the members that this file defines; inference.cpp does the same for its own.
template class Inference<float>;
template class Inference<double>;

}  // namespace hri
