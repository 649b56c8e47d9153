// SPDX-License-Identifier: Apache-2.0
#include "soft/views.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::soft {

template <class Real>
int ViewSet<Real>::add(const hypotheses::View& view) {
    const auto found = std::find(views_.begin(), views_.end(), view);
    const auto v = found - views_.begin();
    if (found == views_.end())
        views_.push_back(view);
    return static_cast<int>(v);
}

template <class Real>
void ViewSet<Real>::forget_uses() {
    std::fill(used_.begin(), used_.end(), 0);
}

template <class Real>
void ViewSet<Real>::resize(const Kernels<Real>& kernels, int predicates, int n, int ld) {
    if (kernels_ == &kernels && predicates_ == predicates && n_ == n && ld_ == ld)
        return;
    kernels_ = &kernels;
    predicates_ = predicates;
    n_ = n;
    ld_ = ld;
    const std::size_t count = views_.size() * static_cast<std::size_t>(predicates);
    static_cast<void>(base::checked_size(
        "matrix views", {{"predicates", predicates}, {"constants", n}, {"columns", ld}},
        sizeof(Real)));
    base::require_memory(
        "matrix views",
        {{"views", size()}, {"predicates", predicates}, {"constants", n}, {"columns", ld}},
        2.0 * sizeof(Real) * static_cast<double>(count) * static_cast<double>(n) *
            static_cast<double>(ld));
    storage_.assign(count * area(), Real(0));
    matrices_.assign(count, nullptr);
    columns_.assign(count * static_cast<std::size_t>(ld), Real(0));
    column_matrices_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        column_matrices_[i] = columns_.data() + i * static_cast<std::size_t>(ld);
    column_winner_.assign(count * static_cast<std::size_t>(ld), 0);
    d_storage_.assign(count * area(), Real(0));
    d_columns_.assign(count * static_cast<std::size_t>(ld), Real(0));
    touched_.assign(count, 0);
    used_.assign(count, 0);
    vectors_.assign(static_cast<std::size_t>(predicates) * static_cast<std::size_t>(ld), Real(0));
    winner_.assign(count * static_cast<std::size_t>(ld), 0);
}

template <class Real>
void ViewSet<Real>::update(int p, const Real* value) {
    for (int v = 0; v < size(); ++v) {
        if (used_[at(v, p)] == 0)
            continue;
        if (view(v).is_identity()) {
            matrices_[at(v, p)] = value;
        } else {
            Real* out = storage_.data() + at(v, p) * area();
            apply(out, v, p, value);
            matrices_[at(v, p)] = out;
        }
        if ((used_[at(v, p)] & 2) != 0) {
            const std::size_t offset = at(v, p) * static_cast<std::size_t>(ld_);
            kernels_->column_max(columns_.data() + offset, column_winner_.data() + offset,
                                 matrix(v, p), n_, ld_);
        }
    }
}

template <class Real>
void ViewSet<Real>::apply(Real* out, int v, int p, const Real* value) {
    const hypotheses::View& view = this->view(v);
    Index<Real>* winner = winner_.data() + at(v, p) * static_cast<std::size_t>(ld_);
    if (view.reduce == hypotheses::View::Reduce::none) {
        kernels_->transpose(out, value, n_, ld_);
        return;
    }
    Real* vector = vector_of(p);
    switch (view.reduce) {
        case hypotheses::View::Reduce::rows:
        case hypotheses::View::Reduce::all:
            kernels_->row_max(vector, winner, value, n_, ld_);
            break;
        case hypotheses::View::Reduce::columns:
            kernels_->column_max(vector, winner, value, n_, ld_);
            break;
        case hypotheses::View::Reduce::row:
        case hypotheses::View::Reduce::column:
        case hypotheses::View::Reduce::any_of_row:
        case hypotheses::View::Reduce::any_of_column:
        case hypotheses::View::Reduce::cell:
            select(view, p, value);
            break;
        default:
            for (int x = 0; x < n_; ++x)
                vector[x] = value[x * ld_ + x];
    }
    if (view.reduce == hypotheses::View::Reduce::all ||
        view.reduce == hypotheses::View::Reduce::all_diagonal)
        std::fill_n(vector, n_, *std::max_element(vector, vector + n_));
    for (int x = 0; x < n_; ++x) {
        if (view.transposed)
            std::copy_n(vector, n_, out + x * ld_);
        else
            std::fill_n(out + x * ld_, n_, vector[x]);
    }
}

// The predicate's vector = what a view with a constant reads; nothing where the instance lacks it.
template <class Real>
void ViewSet<Real>::select(const hypotheses::View& view, int p, const Real* value) {
    using Reduce = hypotheses::View::Reduce;
    const int c = place_of(view.first, p, 0);
    const int d = place_of(view.second, p, 1);
    const bool by_row = view.reduce == Reduce::row || view.reduce == Reduce::any_of_row;
    Real* vector = vector_of(p);
    for (int x = 0; x < n_; ++x) {
        const int at = view.reduce == Reduce::cell ? c * ld_ + d
                       : by_row                    ? c * ld_ + x
                                                   : x * ld_ + d;
        vector[x] = c < 0 || d < 0 ? Real(0) : value[at];
    }
    if (view.reduce == Reduce::any_of_row || view.reduce == Reduce::any_of_column)
        std::fill_n(vector, n_, *std::max_element(vector, vector + n_));
}

// The predicate's vector holds the gradients of what select() read.
template <class Real>
void ViewSet<Real>::select_backward(Real* d_value, const hypotheses::View& view, int p,
                                    const Real* value) {
    using Reduce = hypotheses::View::Reduce;
    const int c = place_of(view.first, p, 0);
    const int d = place_of(view.second, p, 1);
    if (c < 0 || d < 0)
        return;
    const bool by_row = view.reduce == Reduce::row || view.reduce == Reduce::any_of_row;
    const auto place = [&](int x) { return by_row ? c * ld_ + x : x * ld_ + d; };
    int best = c * ld_ + d;
    if (view.reduce == Reduce::any_of_row || view.reduce == Reduce::any_of_column) {
        best = place(0);
        for (int x = 1; x < n_; ++x)
            best = value[place(x)] > value[best] ? place(x) : best;
    }
    const bool spread = view.reduce == Reduce::row || view.reduce == Reduce::column;
    for (int x = 0; x < n_; ++x)
        d_value[spread ? place(x) : best] += vector_of(p)[x];
}

template <class Real>
void ViewSet<Real>::begin_backward(int first, int last) {
    for (int v = 0; v < size(); ++v) {
        for (int p = first; p < last; ++p) {
            if (touched_[at(v, p)] == 0)
                continue;
            touched_[at(v, p)] = 0;
            std::fill_n(d_matrix(v, p), area(), Real(0));
            std::fill_n(d_column_max(v, p), ld_, Real(0));
        }
    }
}

template <class Real>
void ViewSet<Real>::backward(int p, Real* d_value, const Real* value) {
    for (int v = 0; v < size(); ++v) {
        if (touched_[at(v, p)] == 0)
            continue;
        Real* d_out = d_matrix(v, p);
        if ((used_[at(v, p)] & 2) != 0) {
            const Real* d_columns = d_column_max(v, p);
            const Index<Real>* winner =
                column_winner_.data() + at(v, p) * static_cast<std::size_t>(ld_);
            for (int y = 0; y < n_; ++y)
                d_out[static_cast<int>(winner[y]) * ld_ + y] += d_columns[y];
        }
        if (view(v).is_identity())
            kernels_->add_scaled(d_value, d_out, Real(1), n_ * ld_);
        else
            apply_backward(d_value, v, p, d_out, value);
    }
}

template <class Real>
void ViewSet<Real>::apply_backward(Real* d_value, int v, int p, const Real* d_out,
                                   const Real* value) {
    const hypotheses::View& view = this->view(v);
    if (view.reduce == hypotheses::View::Reduce::none) {
        kernels_->add_transposed(d_value, d_out, n_, ld_);
        return;
    }
    Real* d_vector = vector_of(p);
    (view.transposed ? kernels_->column_sum : kernels_->row_sum)(d_vector, d_out, n_, ld_);
    if (view.first >= 0 || view.second >= 0) {
        select_backward(d_value, view, p, value);
        return;
    }
    if (view.reduce == hypotheses::View::Reduce::all ||
        view.reduce == hypotheses::View::Reduce::all_diagonal) {
        Real sum = 0;
        for (int x = 0; x < n_; ++x)
            sum += d_vector[x];
        int best = 0;
        const bool diagonal = view.reduce == hypotheses::View::Reduce::all_diagonal;
        for (int i = 0; i < (diagonal ? n_ : n_ * n_); ++i) {
            const int place = diagonal ? i * ld_ + i : i / n_ * ld_ + i % n_;
            best = value[place] > value[best] ? place : best;
        }
        d_value[best] += sum;
        return;
    }
    const Index<Real>* winner = winner_.data() + at(v, p) * static_cast<std::size_t>(ld_);
    for (int x = 0; x < n_; ++x) {
        const int place =
            view.reduce == hypotheses::View::Reduce::diagonal ? x : static_cast<int>(winner[x]);
        d_value[view.reduce == hypotheses::View::Reduce::columns ? place * ld_ + x
                                                                 : x * ld_ + place] += d_vector[x];
    }
}

template class ViewSet<float>;
template class ViewSet<double>;

}  // namespace hri::soft
