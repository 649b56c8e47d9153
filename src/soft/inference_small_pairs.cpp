// SPDX-License-Identifier: Apache-2.0
// Lists of pairs: where there are few constants, what a call costs would be most of it, so that all
// pairs of one shape are worked off in one. The lists are made once for all steps; views
// are looked up where they stay.

#include "soft/inference.hpp"

#include <algorithm>

namespace hri::soft {

// After order_pairs() and list_uses().
template <class Real>
void Inference<Real>::list_runs() {
    const auto is_small = [&](const Pair& pair) {
        return is_sum_ && ld_ <= kPairColumns<Real>() && pair.total == 0 &&
               (pair.reduced == 0 || pair.shape == Shape::meet);
    };
    runs_.clear();
    work_.clear();
    for (const Pair& pair : pairs_) {
        const bool small = is_small(pair);
        if (runs_.empty() || runs_.back().shape != pair.shape ||
            runs_.back().settled != pair.settled || runs_.back().small != small)
            runs_.push_back({work_.size(), work_.size(), pair.shape, pair.settled, small, 0});
        runs_.back().last += 1;
        runs_.back().rules |= pair.rules;
        PairWork<Real>& work = work_.emplace_back();
        if (!small)
            continue;
        const Sides sides = sides_of(pair);
        work.left = views_.matrix_at(sides.left, pair.left);
        work.right = sides.by_columns ? views_.column_max_at(sides.right, pair.right)
                                      : views_.matrix_at(sides.right, pair.right);
        work.left_touched = views_.touched_at(sides.left, pair.left);
        work.right_touched = views_.touched_at(sides.right, pair.right);
        work.d_left = is_given(pair.left) ? nullptr : views_.d_matrix(sides.left, pair.left);
        work.d_right = is_given(pair.right) ? nullptr
                       : sides.by_columns   ? views_.d_column_max(sides.right, pair.right)
                                            : views_.d_matrix(sides.right, pair.right);
        work.terms = terms_.data() + pair.first;
        work.d_weights = d_terms_.data() + pair.first;
        work.direct = pair.direct;
        work.reduced = pair.reduced;
    }
}

template <class Real>
typename Inference<Real>::Sides Inference<Real>::sides_of(const Pair& pair) const {
    const Group& group = groups_[static_cast<std::size_t>(pair.group)];
    return {pair.shape == Shape::column ? group.left_transposed : group.left_view, group.right_view,
            pair.shape == Shape::outer || pair.shape == Shape::row};
}

// body(work, count) for the lists of a run whose rules are live: the run itself, or parts of it
// with the terms that are left, and their pairs in some_pairs_.
template <class Real>
template <class Body>
void Inference<Real>::each_list(const Run& run, const RuleSet& live, const Body& body) {
    if ((run.rules & live.some_out) == 0) {
        body(work_.data() + run.first, run.last - run.first);
        return;
    }
    for (std::size_t i = run.first; i < run.last;) {
        std::size_t count = 0;
        Weighted<Real>* room = live_.data();
        for (; i < run.last && count < kListed; ++i) {
            const Live terms = live_terms(pairs_[i], live, room);
            if (terms.count() == 0)
                continue;
            PairWork<Real>& work = some_work_[count];
            work = work_[i];
            if (terms.terms == room) {
                work.terms = room;
                work.d_weights = d_weights_.data() + (room - live_.data());
                work.direct = terms.direct;
                work.reduced = terms.reduced;
                room += terms.count();
            }
            some_pairs_[count++] = &pairs_[i];
        }
        std::fill_n(d_weights_.begin(), room - live_.data(), Real(0));
        body(some_work_.data(), count);
    }
}

// Pairs from `first` on are the beginning of a run.
template <class Real>
void Inference<Real>::pool_pairs(std::size_t first, std::size_t last, Real* sums,
                                 const RuleSet& wanted) {
    if (is_shared()) {
        share_pool(first, last, sums, wanted);
        return;
    }
    for (const Run& run : runs_) {
        if (run.first < first || run.first >= last)
            continue;
        if (!run.small) {
            for (std::size_t i = run.first; i < run.last; ++i)
                pool_pair(pairs_[i], sums, wanted);
            continue;
        }
        const bool vector = run.shape == Shape::column || run.shape == Shape::row;
        Real* pooled = !vector ? sums : run.shape == Shape::column ? columns_.data() : rows_.data();
        each_list(run, wanted, [&](const PairWork<Real>* work, std::size_t count) {
            kernels_->pool_pairs[static_cast<int>(run.shape)](pooled, work, static_cast<int>(count),
                                                              n_, ld_);
            for (std::size_t i = 0; vector && i < count; ++i)
                for (int t = 0; t < work[i].direct; ++t)
                    has_vectors_[static_cast<std::size_t>(work[i].terms[t].rule)] = 1;
        });
    }
}

template <class Real>
void Inference<Real>::backward_pairs(Real* d_alpha, std::size_t first, std::size_t last, int s,
                                     Real* d_sums, const RuleSet& live) {
    if (is_shared()) {
        share_backward(d_alpha, first, last, d_sums, live);
        return;
    }
    for (const Run& run : runs_) {
        if (run.first < first || run.first >= last)
            continue;
        if (!run.small) {
            for (std::size_t i = run.first; i < run.last; ++i)
                backward_pair(d_alpha, pairs_[i], s, d_sums, live);
            continue;
        }
        const Real* d_pooled = run.shape == Shape::column ? d_columns_.data()
                               : run.shape == Shape::row  ? d_rows_.data()
                                                          : d_sums;
        each_list(run, live, [&](const PairWork<Real>* work, std::size_t count) {
            kernels_->pool_pairs_backward[static_cast<int>(run.shape)](
                work, static_cast<int>(count), d_pooled, min_gradient_, n_, ld_);
            if (work == work_.data() + run.first)
                return;  // the weights' gradients are in d_terms_
            for (std::size_t i = 0; i < count; ++i)
                if (work[i].terms != terms_.data() + some_pairs_[i]->first)
                    add_scores(d_alpha, *some_pairs_[i], work[i].terms, work[i].d_weights,
                               work[i].direct + work[i].reduced);
        });
    }
}

template class Inference<float>;
template class Inference<double>;

}  // namespace hri::soft
