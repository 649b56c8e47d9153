// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is done with one pair of predicates P and Q: their product AND(P, Q), its maxima, and its
// pooling into the sums of rules. Each operation is followed by its backward.

#include "soft/workspace.hpp"

namespace hri::soft {

/// Gradients of the sums of all rules.
template <class Real>
struct SumGradients {
    Real* matrices;      // (rules, n, ld); with max pooling a pair takes away what it gets
    Real* columns;       // (rules, ld): the matrices' sums over the second axis
    Real* rows;          // (rules, ld): and over the first
    const Real* pooled;  // (rules, n, ld): the sums themselves, for max pooling
    Real* scratch;       // (n, ld), for max pooling
};

template <class Real>
class PairOps {
  public:
    PairOps(const Kernels<Real>& kernels, bool is_sum) : kernels_(&kernels), is_sum_(is_sum) {}

    void resize(int n, int ld) {
        n_ = n;
        ld_ = ld;
        area_ = n * ld;
    }

    /// The product, with what attains it where it is a join and `winners` is set; and its maxima as
    /// the live terms need them.
    void multiply(PairWorkspace<Real>& w, bool winners) const;
    /// Adds to the sides' gradients; a side whose gradient nobody needs is null.
    void multiply_backward(PairWorkspace<Real>& w, Real* d_left, Real* d_right) const;

    /// Whether pool_rows() needs multiply() before it.
    bool multiplies_first(const PairWorkspace<Real>& w) const {
        return w.pair->shape == Shape::join || w.pair->is_vector() ||
               w.live.reduced + w.live.total > 0;
    }

    /// Pools rows x .. x + rows - 1 of the product into `sums`: (rules, n, ld). scratch: (n, ld).
    void pool_rows(const PairWorkspace<Real>& w, Real* sums, Real* scratch, int x, int rows) const;
    /// Pools what is a vector: the product into the workspace's columns or rows, or its maxima into
    /// `sums`.
    void pool_vectors(const PairWorkspace<Real>& w, Workspace<Real>& shared, Real* sums) const;
    /// Adds to w.d_weights, and sets the product's gradient unless nobody needs it. The largest of
    /// the latter.
    Real pool_backward(PairWorkspace<Real>& w, const SumGradients<Real>& d_sums,
                       bool to_product) const;

  private:
    using Terms = const Weighted<Real>*;

    const Real* multiply_rows(Real* out, const PairWorkspace<Real>& w, int x, int rows) const;
    void reduce(PairWorkspace<Real>& w) const;
    Real reduce_backward(PairWorkspace<Real>& w, Real largest) const;
    void pool_terms(Real* sums, Terms terms, int count, const Real* in, int stride, int size) const;
    Real pool_terms_backward(Real* d_in, Real* d_weights, const SumGradients<Real>& d_sums,
                             Real* d_pooled, Terms terms, int count, const Real* in, int stride,
                             int size) const;

    /// With sum pooling vectors are pooled as such, with max pooling as matrices.
    bool pools_vector(const PairWorkspace<Real>& w) const { return is_sum_ && w.pair->is_vector(); }

    const Kernels<Real>* kernels_;
    bool is_sum_;
    int n_ = 0, ld_ = 0, area_ = 0;
};

extern template class PairOps<float>;
extern template class PairOps<double>;

}  // namespace hri::soft
