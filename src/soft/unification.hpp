// SPDX-License-Identifier: Apache-2.0
#pragma once

// Soft unification: alpha[b][P] = softmax_P((similarity(theta_P, theta_b) + noise) / tau), the
// softmax over the slot's candidates only.

#include "hri/model.hpp"

#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::soft {

template <class Real>
class Unification {
  public:
    Unification(const Hierarchy& hierarchy, int dimension, Similarity similarity);

    /// Masks predicates: they take no part in any softmax; True and False always do. Only the first
    /// predicates need be told.
    void hide(const std::vector<bool>& hidden);

    /// predicates: (predicates, dimension), slots: (slots, dimension), noise: (slots, predicates)
    /// or null.
    void forward(const Real* predicates, const Real* slots, const Real* noise, Real temperature);

    /// Writes the gradients of what forward was given. d_alpha: (slots, predicates).
    void backward(Real* d_predicates, Real* d_slots, const Real* d_alpha);

    const std::vector<Real>& alpha() const { return alpha_; }  ///< (slots, predicates)

  private:
    void measure();           // scores_ = similarities
    void measure_backward();  // d_predicates_ and d_slots_ from d_scores_
    void distance_backward();

    const Hierarchy* hierarchy_;
    const Kernels<Real>* kernels_;
    int dimension_;
    Similarity similarity_;
    int row_;    // dimension_ rounded up to whole vectors; the rest is 0
    int width_;  // predicates rounded up likewise
    Real temperature_ = 1;
    std::vector<Real> alpha_;         // (slots, predicates)
    std::vector<Real> mask_;          // (slots, width): 0 for candidates, else very negative
    std::vector<bool> hidden_;        // (predicates)
    std::vector<Real> scores_;        // (slots, width): similarities, then their softmax
    std::vector<Real> d_scores_;      // (slots, width)
    std::vector<Real> d_transposed_;  // (width, slots)
    std::vector<Real> predicates_;    // (predicates, row), of unit length under cosine
    std::vector<Real> transposed_;    // (row, width), the same
    std::vector<Real> slots_;         // (slots, row), of unit length under cosine
    std::vector<Real> d_predicates_, d_slots_;  // (.., row)
    std::vector<Real> predicate_norm_;
    std::vector<Real> slot_norm_;
};

extern template class Unification<float>;
extern template class Unification<double>;

}  // namespace hri::soft
