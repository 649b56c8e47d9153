// SPDX-License-Identifier: Apache-2.0
// Through the products of pairs: gradients of their weights, and of the two predicates.

#include "soft/inference.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

// What products that are vectors get of the pooled gradients.
template <class Real>
void Inference<Real>::sum_vectors(const Real* d_sums, const RuleSet& live) {
    if (!is_sum_)
        return;
    each(auxiliaries_, [&](int r) {
        if (!live[r] || rule(r).plan.combine != hypotheses::Combine::join)
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
        d_weights[t] += kernels_->dot(claimed, in, size);
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
    const bool all = terms == terms_.data() + pair.first;
    Real* d_weights = all ? d_terms_.data() + pair.first : d_weights_.data();
    if (!all)
        std::fill_n(d_weights, count, Real(0));
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
        largest = collect(live, product, d_weights, d_sums, !inputs, s);
    }
    if (!all)
        add_scores(d_alpha, pair, terms, d_weights, count);
    if (inputs || !(largest > min_gradient_))
        return;
    if (vector && !is_sum_) {  // back from the matrix to the vector
        const auto sum = pair.shape == Shape::column ? kernels_->row_sum : kernels_->column_sum;
        sum(d_row_.data(), d_product_.data(), n_, ld_);
    }
    scatter(pair);
}

// Where all of the pair's terms are live they are collected over the steps.
template <class Real>
void Inference<Real>::add_weights(Real* d_alpha, const Pair& pair, Terms terms,
                                  const Real* d_weights, int count) {
    if (terms != terms_.data() + pair.first) {
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

// d_product_ and d_weights from the live terms of a product that is a matrix. The largest of
// d_product_.
template <class Real>
Real Inference<Real>::collect(const Live& live, const Real* product, Real* d_weights, Real* d_sums,
                              bool d_product, int s) {
    Terms terms = live.terms;
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
    const Sides sides = sides_of(pair);
    const Real* left = views_.matrix(sides.left, pair.left);
    const Real* right = sides.by_columns ? views_.column_max(sides.right, pair.right)
                                         : views_.matrix(sides.right, pair.right);
    Real* d_left = nullptr;
    Real* d_right = nullptr;
    if (!is_given(pair.left)) {
        d_left = views_.d_matrix(sides.left, pair.left);
        views_.touch(sides.left, pair.left);
    }
    if (!is_given(pair.right)) {
        d_right = sides.by_columns ? views_.d_column_max(sides.right, pair.right)
                                   : views_.d_matrix(sides.right, pair.right);
        views_.touch(sides.right, pair.right);
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

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
