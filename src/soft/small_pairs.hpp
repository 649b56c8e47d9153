// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists of small pairs. Where there are few constants, a call would cost more than its work, so
// that one call works off all pairs of one shape. The lists are made once for all steps; views are
// looked up where they stay.

#include "soft/pair_ops.hpp"
#include "soft/scheduler.hpp"
#include "soft/views.hpp"

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
    SmallPairs(const Kernels<Real>& kernels, const Options& options, int rules);

    /// d_terms: (terms), the weights' gradients. All pointers have to stay valid until the next
    /// call.
    void list(const Schedule<Real>& schedule, ViewSet<Real>& views, std::vector<Real>& d_terms,
              int n, int ld);

    const std::vector<PairRun>& runs() const { return runs_; }

    /// The pairs of a run of small ones, into `sums`: (rules, n, ld), or the workspace's vectors.
    void pool(const Schedule<Real>& schedule, const PairRun& run, const RuleSet& live,
              Workspace<Real>& shared, Real* sums);
    /// Adds to the sides' gradients where one is above min_gradient, to d_terms and to d_alpha.
    void pool_backward(const Scheduler<Real>& scheduler, const PairRun& run, const RuleSet& live,
                       const SumGradients<Real>& d_sums, Real min_gradient, Real* d_alpha);

  private:
    static constexpr std::size_t kListed = 64;  // pairs with live terms of their own

    template <class Body>
    void each_list(const Schedule<Real>& schedule, const PairRun& run, const RuleSet& live,
                   const Body& body);

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

extern template class SmallPairs<float>;
extern template class SmallPairs<double>;

}  // namespace hri::soft
