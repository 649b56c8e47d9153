// SPDX-License-Identifier: Apache-2.0
#pragma once

// The matrices through which body atoms read predicates (see rules/plan.hpp), for all predicates of
// one step.

#include "hypotheses/plan.hpp"
#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::soft {

template <class Real>
class ViewSet {
  public:
    /// The index of a view; equal views share one.
    int add(const hypotheses::View& view);
    void resize(const Kernels<Real>& kernels, int predicates, int n, int ld);

    int size() const { return static_cast<int>(views_.size()); }

    const hypotheses::View& view(int v) const { return views_[static_cast<std::size_t>(v)]; }

    /// The places of the views' constants; they have to outlive this object.
    /// `arity`: of each predicate; arguments beyond it are ignored, constants too.
    void set_constants(const std::vector<int>& constants, const std::vector<int>& arity) {
        constants_ = &constants;
        arity_ = &arity;
    }

    /// Marks the matrices that are read this time; update() computes no others.
    void forget_uses();

    void use(int view, int p) { used_[at(view, p)] |= 1; }

    void use_columns(int view, int p) { used_[at(view, p)] |= 2; }

    /// Computes predicate p's matrices in all views that read it. `value`: (n, ld).
    void update(int p, const Real* value);

    const Real* matrix(int v, int p) const { return matrices_[at(v, p)]; }

    /// Where matrix(v, p) and column_max(v, p) are looked up; until resize().
    const Real* const* matrix_at(int v, int p) const { return matrices_.data() + at(v, p); }

    const Real* const* column_max_at(int v, int p) const {
        return column_matrices_.data() + at(v, p);
    }

    /// out[y] = max_x matrix[x,y]; where use_columns was said.
    const Real* column_max(int v, int p) const {
        return columns_.data() + at(v, p) * static_cast<std::size_t>(ld_);
    }

    /// Gradients: matrix(v, p) and column_max(v, p), accumulated by the caller, cleared by
    /// begin_backward, for predicates from `first` to before `last`.
    void begin_backward(int first, int last);

    Real* d_matrix(int v, int p) { return d_storage_.data() + at(v, p) * area(); }

    Real* d_column_max(int v, int p) {
        return d_columns_.data() + at(v, p) * static_cast<std::size_t>(ld_);
    }

    void touch(int v, int p) { *touched_at(v, p) = 1; }

    char* touched_at(int v, int p) { return touched_.data() + at(v, p); }

    /// Adds what the views of predicate p collected to d_value: (n, ld).
    void backward(int p, Real* d_value, const Real* value);

  private:
    std::size_t at(int v, int p) const {
        return static_cast<std::size_t>(v) * static_cast<std::size_t>(predicates_) +
               static_cast<std::size_t>(p);
    }

    std::size_t area() const {
        return static_cast<std::size_t>(n_) * static_cast<std::size_t>(ld_);
    }

    Real* vector_of(int p) { return vectors_.data() + p * ld_; }

    void apply(Real* out, int v, int p, const Real* value);
    void apply_backward(Real* d_value, int v, int p, const Real* d_out, const Real* value);

    /// Where argument `i` of predicate p is, 0 where it has no such argument or it is no constant;
    /// -1: the instance lacks the constant.
    int place_of(int constant, int p, int i) const {
        return constant < 0 || (*arity_)[static_cast<std::size_t>(p)] <= i
                   ? 0
                   : (*constants_)[static_cast<std::size_t>(constant)];
    }

    void select(const hypotheses::View& view, int p, const Real* value);
    void select_backward(Real* d_value, const hypotheses::View& view, int p, const Real* value);

    const Kernels<Real>* kernels_ = nullptr;
    const std::vector<int>* constants_ = nullptr;
    const std::vector<int>* arity_ = nullptr;
    int predicates_ = 0, n_ = 0, ld_ = 0;
    std::vector<hypotheses::View> views_;
    std::vector<char> used_;  // (view, predicate): 1 its matrix is read, 2 its columns' maxima too
    std::vector<Real> storage_;          // (view, predicate, n, ld)
    std::vector<const Real*> matrices_;  // (view, predicate): into storage_, or the value itself
    std::vector<Real> columns_;          // (view, predicate, ld)
    std::vector<const Real*> column_matrices_;  // (view, predicate): into columns_
    std::vector<Index<Real>> column_winner_;
    std::vector<Real> d_storage_, d_columns_;
    std::vector<char> touched_;
    // (predicate, ld): scratch of its own for each, so that several can be worked on at once.
    std::vector<Real> vectors_;
    std::vector<Index<Real>> winner_;  // (view, predicate, ld): of maxima over an index
};

}  // namespace hri::soft
