// SPDX-License-Identifier: Apache-2.0
#include "model/unification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hri {

namespace {

/// Rows of unit length (rows of length 0 stay 0); norms as an output.
template <class Real>
void normalise(std::vector<Real>& rows, std::vector<Real>& norms, int dimension) {
    for (std::size_t r = 0; r < norms.size(); ++r) {
        Real* row = rows.data() + r * static_cast<std::size_t>(dimension);
        Real sum = 0;
        for (int k = 0; k < dimension; ++k)
            sum += row[k] * row[k];
        const Real norm = std::max(std::sqrt(sum), Real(1e-12));
        norms[r] = norm;
        for (int k = 0; k < dimension; ++k)
            row[k] /= norm;
    }
}

/// d_rows holds gradients of unit rows; turns them into gradients of the rows before normalise().
template <class Real>
void normalise_backward(Real* d_rows, const std::vector<Real>& rows, const std::vector<Real>& norms,
                        int dimension) {
    for (std::size_t r = 0; r < norms.size(); ++r) {
        const Real* row = rows.data() + r * static_cast<std::size_t>(dimension);
        Real* d_row = d_rows + r * static_cast<std::size_t>(dimension);
        Real along = 0;
        for (int k = 0; k < dimension; ++k)
            along += row[k] * d_row[k];
        for (int k = 0; k < dimension; ++k)
            d_row[k] = (d_row[k] - along * row[k]) / norms[r];
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

}  // namespace

template <class Real>
Unification<Real>::Unification(const Hierarchy& hierarchy, int dimension, Similarity similarity)
    : hierarchy_(&hierarchy), dimension_(dimension), similarity_(similarity) {
    const auto predicates = static_cast<std::size_t>(hierarchy.predicates());
    const auto slots = hierarchy.slots.size();
    const auto d = static_cast<std::size_t>(dimension);
    alpha_.resize(slots * predicates);
    d_similarity_.resize(slots * predicates);
    predicates_.resize(predicates * d);
    transposed_.resize(d * predicates);
    slots_.resize(slots * d);
    predicate_norm_.assign(predicates, Real(1));
    slot_norm_.assign(slots, Real(1));
}

template <class Real>
void Unification<Real>::measure() {
    const int predicates = hierarchy_->predicates();
    const int slots = static_cast<int>(hierarchy_->slots.size());
    if (similarity_ == Similarity::l1 || similarity_ == Similarity::l2) {
        for (int s = 0; s < slots; ++s)
            for (const int p : hierarchy_->slots[static_cast<std::size_t>(s)].candidates)
                alpha_[static_cast<std::size_t>(s * predicates + p)] =
                    -distance(predicates_.data() + p * dimension_, slots_.data() + s * dimension_, dimension_,
                              similarity_);
        return;
    }
    for (int p = 0; p < predicates; ++p)
        for (int k = 0; k < dimension_; ++k)
            transposed_[static_cast<std::size_t>(k * predicates + p)] =
                predicates_[static_cast<std::size_t>(p * dimension_ + k)];
    std::fill(alpha_.begin(), alpha_.end(), Real(0));
    for (int s = 0; s < slots; ++s) {
        Real* out = alpha_.data() + s * predicates;
        for (int k = 0; k < dimension_; ++k) {
            const Real weight = slots_[static_cast<std::size_t>(s * dimension_ + k)];
            const Real* column = transposed_.data() + k * predicates;
#pragma omp simd
            for (int p = 0; p < predicates; ++p)
                out[p] += weight * column[p];
        }
    }
}

template <class Real>
void Unification<Real>::forward(const Real* predicates, const Real* slots, const Real* noise,
                                Real temperature) {
    temperature_ = temperature;
    std::copy_n(predicates, predicates_.size(), predicates_.begin());
    std::copy_n(slots, slots_.size(), slots_.begin());
    if (similarity_ == Similarity::cosine) {
        normalise(predicates_, predicate_norm_, dimension_);
        normalise(slots_, slot_norm_, dimension_);
    }
    measure();

    const int width = hierarchy_->predicates();
    for (std::size_t s = 0; s < hierarchy_->slots.size(); ++s) {
        const std::vector<int>& candidates = hierarchy_->slots[s].candidates;
        Real* row = alpha_.data() + s * static_cast<std::size_t>(width);
        const Real* row_noise = noise == nullptr ? nullptr : noise + s * static_cast<std::size_t>(width);
        Real best = -std::numeric_limits<Real>::infinity();
        for (const int p : candidates) {
            row[p] = (row[p] + (row_noise == nullptr ? Real(0) : row_noise[p])) / temperature;
            best = std::max(best, row[p]);
        }
        Real sum = 0;
        for (const int p : candidates) {
            row[p] = std::exp(row[p] - best);
            sum += row[p];
        }
        int next = 0;  // zero what is no candidate
        for (const int p : candidates) {
            std::fill(row + next, row + p, Real(0));
            row[p] /= sum;
            next = p + 1;
        }
        std::fill(row + next, row + width, Real(0));
    }
}

template <class Real>
void Unification<Real>::backward(Real* d_predicates, Real* d_slots, const Real* d_alpha) {
    const auto width = static_cast<std::size_t>(hierarchy_->predicates());
    for (std::size_t s = 0; s < hierarchy_->slots.size(); ++s) {
        const Real* a = alpha_.data() + s * width;
        const Real* d = d_alpha + s * width;
        Real mean = 0;
        for (const int p : hierarchy_->slots[s].candidates)
            mean += a[p] * d[p];
        for (const int p : hierarchy_->slots[s].candidates)
            d_similarity_[s * width + static_cast<std::size_t>(p)] = a[p] * (d[p] - mean) / temperature_;
    }
    measure_backward(d_predicates, d_slots);
}

template <class Real>
void Unification<Real>::measure_backward(Real* d_predicates, Real* d_slots) {
    const auto width = static_cast<std::size_t>(hierarchy_->predicates());
    const int d = dimension_;
    std::fill_n(d_predicates, predicates_.size(), Real(0));
    std::fill_n(d_slots, slots_.size(), Real(0));
    for (std::size_t s = 0; s < hierarchy_->slots.size(); ++s) {
        const Real* slot = slots_.data() + s * static_cast<std::size_t>(d);
        Real* d_slot = d_slots + s * static_cast<std::size_t>(d);
        for (const int p : hierarchy_->slots[s].candidates) {
            const Real g = d_similarity_[s * width + static_cast<std::size_t>(p)];
            if (g == 0)
                continue;
            const Real* predicate = predicates_.data() + p * d;
            Real* d_predicate = d_predicates + p * d;
            if (similarity_ == Similarity::cosine || similarity_ == Similarity::scalar_product) {
#pragma omp simd
                for (int k = 0; k < d; ++k) {
                    d_slot[k] += g * predicate[k];
                    d_predicate[k] += g * slot[k];
                }
            } else if (similarity_ == Similarity::l1) {
                for (int k = 0; k < d; ++k) {
                    const Real difference = predicate[k] - slot[k];
                    const Real sign = difference > 0 ? Real(1) : difference < 0 ? Real(-1) : Real(0);
                    d_predicate[k] -= g * sign;
                    d_slot[k] += g * sign;
                }
            } else {
                const Real length = std::max(distance(predicate, slot, d, similarity_), Real(1e-12));
                for (int k = 0; k < d; ++k) {
                    const Real share = (predicate[k] - slot[k]) / length;
                    d_predicate[k] -= g * share;
                    d_slot[k] += g * share;
                }
            }
        }
    }
    if (similarity_ == Similarity::cosine) {
        normalise_backward(d_predicates, predicates_, predicate_norm_, d);
        normalise_backward(d_slots, slots_, slot_norm_, d);
    }
}

template class Unification<float>;
template class Unification<double>;

}  // namespace hri
