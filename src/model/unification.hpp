// SPDX-License-Identifier: Apache-2.0
#pragma once

// Soft unification: alpha[b][P] = softmax_P((similarity(theta_P, theta_b) + noise) / tau), the softmax over the
// slot's candidates only.

#include <vector>

#include "hri/model.hpp"

namespace hri {

template <class Real>
class Unification {
  public:
    Unification(const Hierarchy& hierarchy, int dimension, Similarity similarity);

    /// predicates: (predicates, dimension), slots: (slots, dimension), noise: (slots, predicates) or null.
    void forward(const Real* predicates, const Real* slots, const Real* noise, Real temperature);

    /// Writes the gradients of what forward was given. d_alpha: (slots, predicates).
    void backward(Real* d_predicates, Real* d_slots, const Real* d_alpha);

    const std::vector<Real>& alpha() const { return alpha_; }  ///< (slots, predicates)

  private:
    void measure();       // alpha_ = similarities
    void measure_backward(Real* d_predicates, Real* d_slots);

    const Hierarchy* hierarchy_;
    int dimension_;
    Similarity similarity_;
    Real temperature_ = 1;
    std::vector<Real> alpha_;          // (slots, predicates)
    std::vector<Real> d_similarity_;   // (slots, predicates)
    std::vector<Real> predicates_;     // (predicates, dimension), of unit length under cosine
    std::vector<Real> transposed_;     // (dimension, predicates), the same
    std::vector<Real> slots_;          // (slots, dimension), of unit length under cosine
    std::vector<Real> predicate_norm_;
    std::vector<Real> slot_norm_;
};

extern template class Unification<float>;
extern template class Unification<double>;

}  // namespace hri
