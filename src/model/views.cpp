// SPDX-License-Identifier: Apache-2.0
#include "model/views.hpp"

#include <algorithm>

namespace hri {

template <class Real>
int ViewSet<Real>::add(const View& view) {
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
    storage_.assign(count * area(), Real(0));
    matrices_.assign(count, nullptr);
    columns_.assign(count * static_cast<std::size_t>(ld), Real(0));
    column_winner_.assign(count * static_cast<std::size_t>(ld), 0);
    d_storage_.assign(count * area(), Real(0));
    d_columns_.assign(count * static_cast<std::size_t>(ld), Real(0));
    touched_.assign(count, 0);
    used_.assign(count, 0);
    vectors_.assign(static_cast<std::size_t>(predicates * ld), Real(0));
    winners_.assign(static_cast<std::size_t>(predicates * ld), 0);
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
            apply(out, view(v), p, value);
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
void ViewSet<Real>::apply(Real* out, const View& view, int p, const Real* value) {
    if (view.reduce == View::Reduce::none) {
        kernels_->transpose(out, value, n_, ld_);
        return;
    }
    Real* vector = vector_of(p);
    Index<Real>* winner = winners_.data() + p * ld_;
    switch (view.reduce) {
        case View::Reduce::rows:
        case View::Reduce::all:
            kernels_->row_max(vector, winner, value, n_, ld_);
            break;
        case View::Reduce::columns:
            kernels_->column_max(vector, winner, value, n_, ld_);
            break;
        case View::Reduce::row:
        case View::Reduce::column:
        case View::Reduce::any_of_row:
        case View::Reduce::any_of_column:
        case View::Reduce::cell:
            select(view, p, value);
            break;
        default:
            for (int x = 0; x < n_; ++x)
                vector[x] = value[x * ld_ + x];
    }
    if (view.reduce == View::Reduce::all || view.reduce == View::Reduce::all_diagonal)
        std::fill_n(vector, n_, *std::max_element(vector, vector + n_));
    for (int x = 0; x < n_; ++x)
        for (int y = 0; y < n_; ++y)
            out[x * ld_ + y] = vector[view.transposed ? y : x];
}

// The predicate's vector = what a view with a constant reads; nothing where the instance lacks it.
template <class Real>
void ViewSet<Real>::select(const View& view, int p, const Real* value) {
    using Reduce = View::Reduce;
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
void ViewSet<Real>::select_backward(Real* d_value, const View& view, int p, const Real* value) {
    using Reduce = View::Reduce;
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
            apply_backward(d_value, view(v), p, d_out, value);
    }
}

template <class Real>
void ViewSet<Real>::apply_backward(Real* d_value, const View& view, int p, const Real* d_out,
                                   const Real* value) {
    if (view.reduce == View::Reduce::none) {
        kernels_->add_transposed(d_value, d_out, n_, ld_);
        return;
    }
    Real* d_vector = vector_of(p);
    std::fill_n(d_vector, ld_, Real(0));
    for (int x = 0; x < n_; ++x)
        for (int y = 0; y < n_; ++y)
            d_vector[view.transposed ? y : x] += d_out[x * ld_ + y];
    if (view.first >= 0 || view.second >= 0) {
        select_backward(d_value, view, p, value);
        return;
    }
    if (view.reduce == View::Reduce::all || view.reduce == View::Reduce::all_diagonal) {
        Real sum = 0;
        for (int x = 0; x < n_; ++x)
            sum += d_vector[x];
        int best = 0;
        const bool diagonal = view.reduce == View::Reduce::all_diagonal;
        for (int i = 0; i < (diagonal ? n_ : n_ * n_); ++i) {
            const int place = diagonal ? i * ld_ + i : i / n_ * ld_ + i % n_;
            best = value[place] > value[best] ? place : best;
        }
        d_value[best] += sum;
        return;
    }
    for (int x = 0; x < n_; ++x) {
        int best = view.reduce == View::Reduce::rows      ? x * ld_
                   : view.reduce == View::Reduce::columns ? x
                                                          : x * ld_ + x;
        if (view.reduce != View::Reduce::diagonal) {
            const int first = best;
            const int stride = view.reduce == View::Reduce::rows ? 1 : ld_;
            for (int k = 1; k < n_; ++k)
                best = value[first + k * stride] > value[best] ? first + k * stride : best;
        }
        d_value[best] += d_vector[x];
    }
}

template class ViewSet<float>;
template class ViewSet<double>;

}  // namespace hri
