// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists of small pairs. Where there are few constants, a call would cost more than its work, so
// that one call works off all pairs of one shape. The lists are made once for all steps; views are
// looked up where they stay.

#include "soft/pair_ops.hpp"
#include "soft/scheduler.hpp"
#include "soft/views.hpp"

#include <algorithm>
#include <vector>

namespace hri::soft {

/// Neighbours among the pairs: small ones that have shape and converged_after in common, or any
/// that are not small.
struct PairRun {
    std::size_t first;
    std::size_t last;
    bool small;
    Shape shape;  // of small ones
    int converged_after;
    std::uint64_t rules;  // of all its pairs
};

template <class Real>
class SmallPairs {
  public:
    SmallPairs(const Kernels<Real>& kernels, const Options& options, int rules)
        : kernels_(&kernels), is_sum_(options.pool == Pool::sum) {
        some_work_.resize(kListed);
        some_pairs_.resize(kListed);
        some_terms_.resize(kListed * static_cast<std::size_t>(rules));
        d_some_weights_.resize(some_terms_.size());
    }

    /// For so many pairs at most, list() allocates nothing.
    void reserve(std::size_t pairs) {
        runs_.reserve(pairs);
        work_.reserve(pairs);
    }

    /// d_terms: (terms), the weights' gradients. All pointers have to stay valid until the next
    /// call.
    void list(const Schedule<Real>& schedule, ViewSet<Real>& views, std::vector<Real>& d_terms,
              int n, int ld) {
        n_ = n;
        ld_ = ld;
        runs_.clear();
        work_.clear();
        for (const Pair& pair : schedule.pairs) {
            const bool small = is_sum_ && ld_ <= kPairColumns<Real>() && pair.total == 0 &&
                               (pair.reduced == 0 || pair.shape == Shape::meet);
            if (runs_.empty() || runs_.back().small != small ||
                (small && (runs_.back().shape != pair.shape ||
                           runs_.back().converged_after != pair.converged_after)))
                runs_.push_back(
                    {work_.size(), work_.size(), small, pair.shape, pair.converged_after, 0});
            runs_.back().last += 1;
            runs_.back().rules |= pair.rules;
            PairWork<Real>& work = work_.emplace_back();
            if (!small)
                continue;
            const bool maxima = pair.right_is_maxima();
            work.left = views.matrix_at(pair.left_view, pair.left);
            work.right = maxima ? views.column_max_at(pair.right_view, pair.right)
                                : views.matrix_at(pair.right_view, pair.right);
            work.left_touched = views.touched_at(pair.left_view, pair.left);
            work.right_touched = views.touched_at(pair.right_view, pair.right);
            work.d_left = schedule.has_gradient(pair.left)
                              ? views.d_matrix(pair.left_view, pair.left)
                              : nullptr;
            work.d_right = !schedule.has_gradient(pair.right) ? nullptr
                           : maxima ? views.d_column_max(pair.right_view, pair.right)
                                    : views.d_matrix(pair.right_view, pair.right);
            work.terms = schedule.terms.data() + pair.first;
            work.d_weights = d_terms.data() + pair.first;
            work.direct = pair.direct;
            work.reduced = pair.reduced;
        }
    }

    const std::vector<PairRun>& runs() const { return runs_; }

    /// The pairs of a run of small ones, into `sums`: (rules, n, ld), or the workspace's vectors.
    void pool(const Schedule<Real>& schedule, const PairRun& run, const RuleSet& live,
              Workspace<Real>& shared, Real* sums) {
        const bool vector = run.shape == Shape::column || run.shape == Shape::row;
        Real* pooled = !vector                      ? sums
                       : run.shape == Shape::column ? shared.columns.data()
                                                    : shared.rows.data();
        each_list(schedule, run, live, [&](const PairWork<Real>* work, std::size_t count) {
            kernels_->pool_pairs[static_cast<int>(run.shape)](pooled, work, static_cast<int>(count),
                                                              n_, ld_);
            for (std::size_t i = 0; vector && i < count; ++i)
                for (int t = 0; t < work[i].direct; ++t)
                    shared.has_vectors[static_cast<std::size_t>(work[i].terms[t].rule)] = 1;
        });
    }

    /// Adds to the sides' gradients where one is above min_gradient, to d_terms and to d_alpha.
    void pool_backward(const Scheduler<Real>& scheduler, const PairRun& run, const RuleSet& live,
                       const SumGradients<Real>& d_sums, Real min_gradient, Real* d_alpha) {
        const Schedule<Real>& schedule = scheduler.schedule();
        const Real* d_pooled = run.shape == Shape::column ? d_sums.columns
                               : run.shape == Shape::row  ? d_sums.rows
                                                          : d_sums.matrices;
        each_list(schedule, run, live, [&](const PairWork<Real>* work, std::size_t count) {
            kernels_->pool_pairs_backward[static_cast<int>(run.shape)](
                work, static_cast<int>(count), d_pooled, min_gradient, n_, ld_);
            if (work == work_.data() + run.first)
                return;  // the weights' gradients are in d_terms
            for (std::size_t i = 0; i < count; ++i)
                if (work[i].terms != schedule.terms.data() + some_pairs_[i]->first)
                    scheduler.weights_backward(d_alpha, *some_pairs_[i], work[i].terms,
                                               work[i].d_weights, work[i].direct + work[i].reduced);
        });
    }

  private:
    static constexpr std::size_t kListed = 64;  // pairs with live terms of their own

    template <class Body>
    // body(work, count) for the lists of a run whose rules are live: the run itself, or parts of it
    // with the terms that are left, and their pairs in some_pairs_.
    void each_list(const Schedule<Real>& schedule, const PairRun& run, const RuleSet& live,
                   const Body& body) {
        if ((run.rules & live.some_out) == 0) {
            body(work_.data() + run.first, run.last - run.first);
            return;
        }
        for (std::size_t i = run.first; i < run.last;) {
            std::size_t count = 0;
            Weighted<Real>* room = some_terms_.data();
            for (; i < run.last && count < kListed; ++i) {
                const Pair& pair = schedule.pairs[i];
                const LiveTerms<Real> terms = schedule.live_terms(pair, live, room);
                if (terms.count() == 0)
                    continue;
                PairWork<Real>& work = some_work_[count];
                work = work_[i];
                if (terms.terms == room) {
                    work.terms = room;
                    work.d_weights = d_some_weights_.data() + (room - some_terms_.data());
                    work.direct = terms.direct;
                    work.reduced = terms.reduced;
                    room += terms.count();
                }
                some_pairs_[count++] = &pair;
            }
            std::fill_n(d_some_weights_.begin(), room - some_terms_.data(), Real(0));
            body(some_work_.data(), count);
        }
    }

    const Kernels<Real>* kernels_;
    bool is_sum_;
    int n_ = 0, ld_ = 0;
    std::vector<PairRun> runs_;
    std::vector<PairWork<Real>> work_;       // by pair
    std::vector<PairWork<Real>> some_work_;  // of pairs not all of whose terms are live
    std::vector<const Pair*> some_pairs_;
    std::vector<Weighted<Real>> some_terms_;  // (listed pairs, rules)
    std::vector<Real> d_some_weights_;        // (listed pairs, rules)
};

}  // namespace hri::soft
