// SPDX-License-Identifier: Apache-2.0
#include "soft/unification.hpp"

#include "base/checked_size.hpp"

#include <algorithm>
#include <cmath>

namespace hri::soft {

namespace {

template <class Real>
constexpr Real kMasked = Real(-1e30);

/// Rows of unit length (rows of length 0 stay 0); norms as an output.
template <class Real>
void normalise(std::vector<Real>& rows, std::vector<Real>& norms, int row) {
    for (std::size_t r = 0; r < norms.size(); ++r) {
        Real* values = rows.data() + r * static_cast<std::size_t>(row);
        Real sum = 0;
        for (int k = 0; k < row; ++k)
            sum += values[k] * values[k];
        const Real norm = std::max(std::sqrt(sum), Real(1e-12));
        norms[r] = norm;
        for (int k = 0; k < row; ++k)
            values[k] /= norm;
    }
}

/// d_rows holds gradients of unit rows; turns them into gradients of the rows before normalise().
template <class Real>
void normalise_backward(std::vector<Real>& d_rows, const std::vector<Real>& rows,
                        const std::vector<Real>& norms, int row) {
    for (std::size_t r = 0; r < norms.size(); ++r) {
        const Real* values = rows.data() + r * static_cast<std::size_t>(row);
        Real* d_values = d_rows.data() + r * static_cast<std::size_t>(row);
        Real along = 0;
        for (int k = 0; k < row; ++k)
            along += values[k] * d_values[k];
        for (int k = 0; k < row; ++k)
            d_values[k] = (d_values[k] - along * values[k]) / norms[r];
    }
}

template <class Real>
Real distance(const Real* a, const Real* b, int dimension, Similarity similarity) {
    Real sum = 0;
    for (int k = 0; k < dimension; ++k) {
        const Real difference = a[k] - b[k];
        sum += similarity == Similarity::l1 ? std::abs(difference) : difference * difference;
    }
    return similarity == Similarity::l1 ? sum : std::sqrt(sum);
}

/// Copies (count, from_row) to (count, to_row), the shorter of the two rows.
template <class Real>
void copy_rows(Real* to, int to_row, const Real* from, int from_row, std::size_t count) {
    for (std::size_t r = 0; r < count; ++r)
        std::copy_n(from + r * static_cast<std::size_t>(from_row), std::min(from_row, to_row),
                    to + r * static_cast<std::size_t>(to_row));
}

}  // namespace

template <class Real>
Unification<Real>::Unification(const Hierarchy& hierarchy, int dimension, Similarity similarity)
    : hierarchy_(&hierarchy),
      kernels_(&kernels<Real>(And::min)),
      dimension_(dimension),
      similarity_(similarity),
      row_(stride_for<Real>(dimension)),
      width_(stride_for<Real>(hierarchy.predicates())) {
    const auto predicates = static_cast<std::size_t>(hierarchy.predicates());
    const auto slots = hierarchy.slots.size();
    const auto row = static_cast<std::size_t>(row_);
    const auto width = static_cast<std::size_t>(width_);
    static_cast<void>(base::checked_size(
        "unification scores",
        {{"body atoms", static_cast<std::int64_t>(slots)}, {"predicates", width_}}, sizeof(Real)));
    static_cast<void>(base::checked_size(
        "embeddings", {{"predicates", width_}, {"dimensions", row_}}, sizeof(Real)));
    alpha_.resize(slots * predicates);
    mask_.assign(slots * width, kMasked<Real>);
    hidden_.assign(predicates, false);
    for (std::size_t s = 0; s < slots; ++s)
        for (const int p : hierarchy.slots[s].candidates)
            mask_[s * width + static_cast<std::size_t>(p)] = 0;
    scores_.resize(slots * width);
    d_scores_.resize(slots * width);
    d_transposed_.resize(width * slots);
    predicates_.resize(predicates * row);
    transposed_.resize(row * width);
    slots_.resize(slots * row);
    d_predicates_.resize(predicates * row);
    d_slots_.resize(slots * row);
    predicate_norm_.assign(predicates, Real(1));
    slot_norm_.assign(slots, Real(1));
}

template <class Real>
void Unification<Real>::hide(const std::vector<bool>& hidden) {
    for (std::size_t p = 2; p < hidden.size(); ++p) {
        if (hidden[p] == hidden_[p])
            continue;
        hidden_[p] = hidden[p];
        for (std::size_t s = 0; s < hierarchy_->slots.size(); ++s) {
            const std::vector<int>& candidates = hierarchy_->slots[s].candidates;
            if (std::binary_search(candidates.begin(), candidates.end(), static_cast<int>(p)))
                mask_[s * static_cast<std::size_t>(width_) + p] =
                    hidden[p] ? kMasked<Real> : Real(0);
        }
    }
}

template <class Real>
void Unification<Real>::measure() {
    const int predicates = hierarchy_->predicates();
    const int slots = static_cast<int>(hierarchy_->slots.size());
    if (similarity_ == Similarity::l1 || similarity_ == Similarity::l2) {
        std::fill(scores_.begin(), scores_.end(), Real(0));
        for (int s = 0; s < slots; ++s)
            for (const int p : hierarchy_->slots[static_cast<std::size_t>(s)].candidates)
                scores_[static_cast<std::size_t>(s * width_ + p)] =
                    -distance(predicates_.data() + p * row_, slots_.data() + s * row_, dimension_,
                              similarity_);
        return;
    }
    for (int p = 0; p < predicates; ++p)
        for (int k = 0; k < dimension_; ++k)
            transposed_[static_cast<std::size_t>(k * width_ + p)] =
                predicates_[static_cast<std::size_t>(p * row_ + k)];
    kernels_->multiply(scores_.data(), slots_.data(), transposed_.data(), slots, dimension_, width_,
                       row_);
}

template <class Real>
void Unification<Real>::forward(const Real* predicates, const Real* slots, const Real* noise,
                                Real temperature) {
    temperature_ = temperature;
    const int count = hierarchy_->predicates();
    const auto slot_count = hierarchy_->slots.size();
    copy_rows(predicates_.data(), row_, predicates, dimension_, predicate_norm_.size());
    copy_rows(slots_.data(), row_, slots, dimension_, slot_count);
    if (similarity_ == Similarity::cosine) {
        normalise(predicates_, predicate_norm_, row_);
        normalise(slots_, slot_norm_, row_);
    }
    measure();
    if (noise != nullptr)
        for (std::size_t s = 0; s < slot_count; ++s)
            for (int p = 0; p < count; ++p)
                scores_[s * static_cast<std::size_t>(width_) + static_cast<std::size_t>(p)] +=
                    noise[s * static_cast<std::size_t>(count) + static_cast<std::size_t>(p)];
    kernels_->softmax_rows(scores_.data(), mask_.data(), 1 / temperature,
                           static_cast<int>(slot_count), width_);
    copy_rows(alpha_.data(), count, scores_.data(), width_, slot_count);
}

template <class Real>
void Unification<Real>::backward(Real* d_predicates, Real* d_slots, const Real* d_alpha) {
    const auto slot_count = hierarchy_->slots.size();
    copy_rows(d_scores_.data(), width_, d_alpha, hierarchy_->predicates(), slot_count);
    kernels_->softmax_backward_rows(d_scores_.data(), d_scores_.data(), scores_.data(),
                                    1 / temperature_, static_cast<int>(slot_count), width_);
    measure_backward();
    copy_rows(d_predicates, dimension_, d_predicates_.data(), row_, predicate_norm_.size());
    copy_rows(d_slots, dimension_, d_slots_.data(), row_, slot_count);
}

template <class Real>
void Unification<Real>::measure_backward() {
    if (similarity_ == Similarity::l1 || similarity_ == Similarity::l2) {
        distance_backward();
        return;
    }
    const int predicates = hierarchy_->predicates();
    const int slots = static_cast<int>(hierarchy_->slots.size());
    for (int s = 0; s < slots; ++s)
        for (int p = 0; p < predicates; ++p)
            d_transposed_[static_cast<std::size_t>(p * slots + s)] =
                d_scores_[static_cast<std::size_t>(s * width_ + p)];
    kernels_->multiply(d_slots_.data(), d_scores_.data(), predicates_.data(), slots, predicates,
                       row_, width_);
    kernels_->multiply(d_predicates_.data(), d_transposed_.data(), slots_.data(), predicates, slots,
                       row_, slots);
    if (similarity_ == Similarity::cosine) {
        normalise_backward(d_predicates_, predicates_, predicate_norm_, row_);
        normalise_backward(d_slots_, slots_, slot_norm_, row_);
    }
}

template <class Real>
void Unification<Real>::distance_backward() {
    std::fill(d_predicates_.begin(), d_predicates_.end(), Real(0));
    std::fill(d_slots_.begin(), d_slots_.end(), Real(0));
    for (int s = 0; s < static_cast<int>(hierarchy_->slots.size()); ++s) {
        const Real* slot = slots_.data() + s * row_;
        Real* d_slot = d_slots_.data() + s * row_;
        for (const int p : hierarchy_->slots[static_cast<std::size_t>(s)].candidates) {
            const Real g = d_scores_[static_cast<std::size_t>(s * width_ + p)];
            const Real* predicate = predicates_.data() + p * row_;
            Real* d_predicate = d_predicates_.data() + p * row_;
            const Real length =
                similarity_ == Similarity::l1
                    ? Real(1)
                    : std::max(distance(predicate, slot, dimension_, similarity_), Real(1e-12));
            for (int k = 0; k < dimension_; ++k) {
                const Real difference = predicate[k] - slot[k];
                const Real sign = difference > 0 ? Real(1) : difference < 0 ? Real(-1) : Real(0);
                const Real share = similarity_ == Similarity::l1 ? sign : difference / length;
                d_predicate[k] -= g * share;
                d_slot[k] += g * share;
            }
        }
    }
}

template class Unification<float>;
template class Unification<double>;

}  // namespace hri::soft
