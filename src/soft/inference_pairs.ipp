// SPDX-License-Identifier: Apache-2.0

// The pairs of a step: lists of small ones, batches of the others. Included by inference.cpp.

#include "soft/inference.hpp"

#include <algorithm>

namespace hri::soft {

template <class Real>
void Inference<Real>::pool_pairs(PairRange range, Real* sums, const RuleSet& live) {
    if (range.empty())
        return;
    for (const PairRun& run : small_pairs_.runs()) {
        const PairRange part = {std::max(run.first, range.first), std::min(run.last, range.last)};
        if (part.empty())
            continue;
        if (run.small)
            small_pairs_.pool(schedule(), run, live, space_, sums);
        else
            pool_batches(part, sums, live);
    }
    add_vectors(sums, live);
}

template <class Real>
void Inference<Real>::backward_pairs(Real* d_alpha, PairRange range, int s, Real* d_sums,
                                     const RuleSet& live) {
    if (range.empty())
        return;
    sum_vectors(d_sums, live);
    const SumGradients<Real> gradients = {d_sums, space_.d_columns.data(), space_.d_rows.data(),
                                          space_.at(space_.ands, 0, s), space_.scratch.data()};
    for (const PairRun& run : small_pairs_.runs()) {
        const PairRange part = {std::max(run.first, range.first), std::min(run.last, range.last)};
        if (part.empty())
            continue;
        if (run.small)
            small_pairs_.pool_backward(scheduler_, run, live, gradients, min_gradient_, d_alpha);
        else
            backward_batches(d_alpha, part, gradients, live);
    }
}

template <class Real>
int Inference<Real>::next_batch(PairRange& range, const RuleSet& live) {
    const Schedule<Real>& schedule = this->schedule();
    std::size_t count = 0;
    for (; !range.empty() && count < space_.batch; ++range.first) {
        const Pair& pair = schedule.pairs[range.first];
        PairWorkspace<Real>& w = space_.pairs[count];
        w.live = schedule.live_terms(pair, live, w.some_terms.data());
        if (w.live.count() == 0)
            continue;
        w.pair = &pair;
        w.left = views_.matrix(pair.left_view, pair.left);
        w.right = pair.right_is_maxima() ? views_.column_max(pair.right_view, pair.right)
                                         : views_.matrix(pair.right_view, pair.right);
        w.product = nullptr;
        ++count;
    }
    return static_cast<int>(count);
}

template <class Real>
void Inference<Real>::pool_batches(PairRange range, Real* sums, const RuleSet& live) {
    constexpr int kBlocks = 4;  // of rows for each worker, so that a slow one takes fewer
    constexpr int kMinRows = 8;
    const int n = space_.n;
    const int blocks = workers_ == 1 ? 1 : std::min(kBlocks * workers_, n / kMinRows);
    while (!range.empty()) {
        const auto count = static_cast<std::size_t>(next_batch(range, live));
        each(static_cast<int>(count), [&](int k) {
            PairWorkspace<Real>& w = space_.pairs[static_cast<std::size_t>(k)];
            if (pair_ops_.multiplies_first(w))
                pair_ops_.multiply(w, false);
        });
        each(blocks + 1, [&](int b) {
            const int x = (b - 1) * n / blocks;
            for (std::size_t k = 0; k < count; ++k) {
                if (b == 0)
                    pair_ops_.pool_vectors(space_.pairs[k], space_, sums);
                else
                    pair_ops_.pool_rows(space_.pairs[k], sums, space_.scratch.data(), x,
                                        b * n / blocks - x);
            }
        });
    }
}

// The gradients of the products and of their weights, then those of the predicates.
template <class Real>
void Inference<Real>::backward_batches(Real* d_alpha, PairRange range,
                                       const SumGradients<Real>& d_sums, const RuleSet& live) {
    const Schedule<Real>& schedule = this->schedule();
    const auto is_all = [&](const PairWorkspace<Real>& w) {
        return w.live.terms == schedule.terms.data() + w.pair->first;
    };
    while (!range.empty()) {
        const auto count = static_cast<std::size_t>(next_batch(range, live));
        each(static_cast<int>(count), [&](int k) {
            PairWorkspace<Real>& w = space_.pairs[static_cast<std::size_t>(k)];
            const bool to_product =
                schedule.has_gradient(w.pair->left) || schedule.has_gradient(w.pair->right);
            pair_ops_.multiply(w, to_product);
            w.d_weights = is_all(w) ? d_terms_.data() + w.pair->first : w.d_some_weights.data();
            if (!is_all(w))
                std::fill_n(w.d_weights, w.live.count(), Real(0));
            const Real largest = pair_ops_.pool_backward(w, d_sums, to_product);
            w.has_gradient = to_product && largest > min_gradient_;
        });
        for (std::size_t k = 0; k < count; ++k) {
            const PairWorkspace<Real>& w = space_.pairs[k];
            if (!is_all(w))
                scheduler_.weights_backward(d_alpha, *w.pair, w.live.terms, w.d_weights,
                                            w.live.count());
        }
        each_predicate([&](int predicate) {
            for (std::size_t k = 0; k < count; ++k)
                backward_product(space_.pairs[k], predicate);
        });
    }
}

// To those sides of the pair that are the predicate, or (-1) to both.
template <class Real>
void Inference<Real>::backward_product(PairWorkspace<Real>& w, int predicate) {
    const Pair& pair = *w.pair;
    const auto takes = [&](int side) {
        return schedule().has_gradient(side) && (predicate < 0 || predicate == side);
    };
    if (!w.has_gradient || (!takes(pair.left) && !takes(pair.right)))
        return;
    Real* d_left = nullptr;
    Real* d_right = nullptr;
    if (takes(pair.left)) {
        d_left = views_.d_matrix(pair.left_view, pair.left);
        views_.touch(pair.left_view, pair.left);
    }
    if (takes(pair.right)) {
        d_right = pair.right_is_maxima() ? views_.d_column_max(pair.right_view, pair.right)
                                         : views_.d_matrix(pair.right_view, pair.right);
        views_.touch(pair.right_view, pair.right);
    }
    pair_ops_.multiply_backward(w, d_left, d_right);
}

// Adds the pooled vectors to the pooled matrices, and clears them.
template <class Real>
void Inference<Real>::add_vectors(Real* sums, const RuleSet& live) {
    const int ld = space_.ld;
    each(auxiliaries_, [&](int r) {
        char& has_vectors = space_.has_vectors[static_cast<std::size_t>(r)];
        if (has_vectors == 0)
            return;
        Real* column = space_.columns.data() + r * ld;
        Real* row = space_.rows.data() + r * ld;
        if (live[r])
            kernels_->add_outer_sum(sums + r * space_.area, column, row, space_.n, ld);
        std::fill_n(column, ld, Real(0));
        std::fill_n(row, ld, Real(0));
        has_vectors = 0;
    });
}

// What products that are vectors get of the pooled gradients.
template <class Real>
void Inference<Real>::sum_vectors(const Real* d_sums, const RuleSet& live) {
    if (!is_sum_)
        return;
    each_rule(live, [&](int r) {
        if (rule(r).plan.combine != hypotheses::Combine::join)
            return;
        const Real* d_sum = d_sums + r * space_.area;
        kernels_->row_sum(space_.d_columns.data() + r * space_.ld, d_sum, space_.n, space_.ld);
        kernels_->column_sum(space_.d_rows.data() + r * space_.ld, d_sum, space_.n, space_.ld);
    });
}

}  // namespace hri::soft
