// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loss of training on one instance, and its gradient: binary cross-entropy over the labelled
// atoms plus lambda * sum of a (1 - a) over all unification scores.

#include "hri/model.hpp"

#include "soft/dense.hpp"
#include "soft/stratified.hpp"
#include "soft/unification.hpp"

#include <algorithm>
#include <vector>

namespace hri::training {

/// Sets to 0 what training never changes: True and False are fixed, and the two dimensions that are
/// theirs are 0 for all other predicates.
template <class Real>
void clear_fixed(Real* d_predicates, const Hierarchy& hierarchy, int dimension) {
    std::fill_n(d_predicates, 2 * dimension, Real(0));
    for (int p = 2; p < hierarchy.predicates(); ++p)
        std::fill_n(d_predicates + p * dimension, 2, Real(0));
}

template <class Real>
class Objective {
  public:
    Objective(const Hierarchy& hierarchy, const ProtoRules& protorules, int dimension,
              const Options& options, base::ThreadPool* pool = nullptr);

    /// The loss at given embeddings; `gumbel` is (slots, predicates) or null.
    Real loss(const Real* predicates, const Real* slots, const Real* gumbel, Real temperature,
              const soft::DenseInstance<Real>& instance, int steps);
    /// The gradient of the last loss(): overwrites both. `d_target`: slopes of another loss by
    /// target(), in the place of the cross-entropy's.
    void gradient(Real* d_predicates, Real* d_slots, const Real* d_target = nullptr);

    const std::vector<Real>& target() const { return inference_.target(); }

    const std::vector<Real>& alpha() const { return unification_.alpha(); }

    /// Mean square error of the last target() over labelled atoms.
    double mean_square_error() const;

  private:
    const Hierarchy* hierarchy_;
    int dimension_;
    Options options_;
    soft::Unification<Real> unification_;
    soft::StratifiedInference<Real> inference_;
    const soft::DenseInstance<Real>* instance_ = nullptr;
    std::vector<Real> d_target_;
    std::vector<Real> d_alpha_;
};

extern template class Objective<float>;
extern template class Objective<double>;

}  // namespace hri::training
