// SPDX-License-Identifier: Apache-2.0
// The gradient of inference.cpp, step by step from the last to the first.

#include "model/inference.hpp"

#include <algorithm>
#include <cmath>

namespace hri {

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
        if (rule.plan.disjunct_head == Plan::Head::diagonal)
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
        if (!(kernels_->largest(d_value, area_) > least_gradient_))
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
            if (rule.plan.combine == Combine::single)
                backward_slot(d_alpha, rule.left_slot, rule.left_view, d_ands_.data() + r * area_,
                              auxiliary_at(ands_, r, s), predicate);
        }
    };
    if (is_shared())
        crew_->each(predicates_, to);
    else
        to(-1);
}

// What products that are vectors get of the pooled gradients.
template <class Real>
void Inference<Real>::sum_vectors(const Real* d_sums, const RuleSet& live) {
    if (!is_sum_)
        return;
    each(auxiliaries_, [&](int r) {
        if (!live[r] || rule(r).plan.combine != Combine::join)
            return;
        kernels_->row_sum(d_columns_.data() + r * ld_, d_sums + r * area_, n_, ld_);
        kernels_->column_sum(d_rows_.data() + r * ld_, d_sums + r * area_, n_, ld_);
    });
}

// Through the pooling of one matrix or vector into several rules' sums: d_in, unless it is null,
// and the weights' gradients. The largest of d_in.
template <class Real>
Real Inference<Real>::backward_terms(Real* d_in, Real* d_weights, Real* d_sums, Terms terms,
                                     int count, const Real* in, int stride, int size, int s) {
    if (is_sum_) {
        if (d_in != nullptr)
            return kernels_->pool_terms_backward(d_in, d_weights, d_sums, terms, count, in, stride,
                                                 size);
        kernels_->pool_weights(d_weights, d_sums, terms, count, in, stride, size);
        return 0;
    }
    if (d_in != nullptr)
        std::fill_n(d_in, size, Real(0));
    for (int t = 0; t < count; ++t) {  // the first pair that attains the maximum takes the gradient
        const Real weight = terms[t].weight;
        const Real* pooled = auxiliary_at(ands_, terms[t].rule, s);
        Real* d_sum = d_sums + terms[t].rule * stride;
        Real* claimed = placed_.data();
        for (int i = 0; i < size; ++i) {
            const bool wins = weight * in[i] >= pooled[i];
            claimed[i] = wins ? d_sum[i] : Real(0);
            d_sum[i] = wins ? Real(0) : d_sum[i];
        }
        d_weights[t] = kernels_->dot(claimed, in, size);
        if (d_in != nullptr)
            kernels_->add_scaled(d_in, claimed, weight, size);
    }
    return d_in == nullptr ? Real(0) : kernels_->largest(d_in, size);
}

// d_sums: (auxiliaries, n, ld), gradients of the pooled conjunctions of step s, or for settled
// pairs of that step and all later ones.
template <class Real>
void Inference<Real>::backward_pair(Real* d_alpha, const Pair& pair, int s, Real* d_sums,
                                    const RuleSet& live_rules) {
    const Live live = live_terms(pair, live_rules, live_.data());
    const int count = live.count();
    if (count == 0)
        return;
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const bool inputs = is_given(pair.left) && is_given(pair.right);
    const bool vector = pair.shape == Shape::column || pair.shape == Shape::row;
    const Real* product = product_.data();
    if (pair.shape == Shape::join && !inputs)
        kernels_->join_with_winner(joined(), views_.matrix(group.left_view, pair.left),
                                   views_.matrix(group.right_view, pair.right), n_, n_, ld_);
    else
        product = combine(pair);

    Terms terms = live.terms;
    Real* d_weights = d_weights_.data();
    Real largest = 0;  // of what the product gets
    if (vector && is_sum_) {
        Real* d_vectors = pair.shape == Shape::column ? d_columns_.data() : d_rows_.data();
        largest = backward_terms(inputs ? nullptr : d_row_.data(), d_weights, d_vectors, terms,
                                 live.direct, product, ld_, ld_, s);
    } else {
        if (vector) {
            expand(pair);
            product = product_.data();
        }
        reduce(pair, product);
        largest = collect(live, product, d_sums, !inputs, s);
    }
    add_weights(d_alpha, pair, live.terms, d_weights, count);
    if (inputs || !(largest > least_gradient_))
        return;
    if (vector && !is_sum_) {  // back from the matrix to the vector
        const auto sum = pair.shape == Shape::column ? kernels_->row_sum : kernels_->column_sum;
        sum(d_row_.data(), d_product_.data(), n_, ld_);
    }
    scatter(pair);
}

// In the exact mode they are collected over the steps, where all of the pair's terms are live.
template <class Real>
void Inference<Real>::add_weights(Real* d_alpha, const Pair& pair, Terms terms,
                                  const Real* d_weights, int count) {
    if (!is_exact_ || terms != terms_.data() + pair.first) {
        add_scores(d_alpha, pair, terms, d_weights, count);
        return;
    }
    Real* d_terms = d_terms_.data() + pair.first;
    for (int t = 0; t < count; ++t)
        d_terms[t] += d_weights[t];
}

// The gradient of weights is one of their two scores.
template <class Real>
void Inference<Real>::add_scores(Real* d_alpha, const Pair& pair, Terms terms,
                                 const Real* d_weights, int count) {
    for (int t = 0; t < count; ++t) {
        const Scores& scores = scores_[static_cast<std::size_t>(terms[t].rule)];
        const int left = scores.left + pair.left;
        const int right = scores.right + pair.right;
        d_alpha[left] += d_weights[t] * alpha_[right];
        d_alpha[right] += d_weights[t] * alpha_[left];
    }
}

// d_product_ and d_weights_ from the live terms of a product that is a matrix. The largest of
// d_product_.
template <class Real>
Real Inference<Real>::collect(const Live& live, const Real* product, Real* d_sums, bool d_product,
                              int s) {
    Terms terms = live.terms;
    Real* d_weights = d_weights_.data();
    Real largest = 0;
    if (live.direct > 0)
        largest = backward_terms(d_product ? d_product_.data() : nullptr, d_weights, d_sums, terms,
                                 live.direct, product, area_, area_, s);
    else if (d_product)
        std::fill_n(d_product_.begin(), area_, Real(0));
    terms += live.direct;
    d_weights += live.direct;
    if (live.reduced + live.total == 0)
        return largest;
    std::fill_n(d_row_.begin(), ld_, Real(0));
    if (live.reduced > 0)
        backward_terms(d_product ? d_row_.data() : nullptr, d_weights, d_sums, terms, live.reduced,
                       row_.data(), area_, ld_, s);
    if (live.total > 0) {
        backward_terms(d_product ? d_all_.data() : nullptr, d_weights + live.reduced, d_sums,
                       terms + live.reduced, live.total, all_.data(), area_, ld_, s);
        const auto top = std::max_element(row_.begin(), row_.begin() + n_) - row_.begin();
        for (int x = 0; x < n_ && d_product; ++x)
            d_row_[static_cast<std::size_t>(top)] += d_all_[static_cast<std::size_t>(x)];
    }
    if (!d_product)
        return 0;
    for (int y = 0; y < n_; ++y) {
        const auto i = static_cast<std::size_t>(y);
        Real& d = d_product_[static_cast<std::size_t>(static_cast<int>(row_winner_[i]) * ld_ + y)];
        d += d_row_[i];
        largest = std::max(largest, std::abs(d));
    }
    return largest;
}

// Through AND to the two predicates: d_product_, or d_row_ where the product is a vector.
template <class Real>
void Inference<Real>::scatter(const Pair& pair) {
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    const int left_view = pair.shape == Shape::column ? group.left_transposed : group.left_view;
    const bool by_columns = pair.shape == Shape::outer || pair.shape == Shape::row;
    const Real* left = views_.matrix(left_view, pair.left);
    const Real* right = by_columns ? views_.column_max(group.right_view, pair.right)
                                   : views_.matrix(group.right_view, pair.right);
    Real* d_left = nullptr;
    Real* d_right = nullptr;
    if (!is_given(pair.left)) {
        d_left = views_.d_matrix(left_view, pair.left);
        views_.touch(left_view, pair.left);
    }
    if (!is_given(pair.right)) {
        d_right = by_columns ? views_.d_column_max(group.right_view, pair.right)
                             : views_.d_matrix(group.right_view, pair.right);
        views_.touch(group.right_view, pair.right);
    }
    switch (pair.shape) {
        case Shape::meet:
            kernels_->meet_backward(d_left, d_right, d_product_.data(), left, right, area_);
            break;
        case Shape::join:
            kernels_->join_backward(d_left, d_right, d_product_.data(), joined(), n_, ld_);
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
void Inference<Real>::backward_pairs(Real* d_alpha, std::size_t first, std::size_t last, int s,
                                     Real* d_sums, const RuleSet& live) {
    if (is_shared())
        share_backward(d_alpha, first, last, d_sums, live);
    else
        for (std::size_t i = first; i < last; ++i)
            backward_pair(d_alpha, pairs_[i], s, d_sums, live);
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
    if (is_exact_)
        d_terms_.assign(terms_.size(), Real(0));
    ever_gradient_.clear(auxiliaries_);
    views_.begin_backward(learned_, first_);
}

template <class Real>
void Inference<Real>::run_backward(Real* d_alpha) {
    const int steps = last_step_;
    for (int s = steps; s >= 1; --s)
        backward_step(d_alpha, s);
    last_step_ = steps;
    if (is_exact_)
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

}  // namespace hri
