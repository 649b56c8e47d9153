// SPDX-License-Identifier: Apache-2.0
#pragma once

// Noise, unification, its gradient and Adam in phases, as views.hpp.

#include "soft/cuda/views.hpp"

namespace hri::soft::phases {

HRI_BOTH inline float root(float x) { return sqrtf(x); }

HRI_BOTH inline double root(double x) { return sqrt(x); }

HRI_BOTH inline float power_of_e(float x) { return expf(x); }

HRI_BOTH inline double power_of_e(double x) { return exp(x); }

/// Purposes of random numbers in an iteration.
enum Purpose { kPredicateNoise, kSlotNoise, kGumbelNoise, kPurposes };

template <class Real>
HRI_BOTH inline unsigned long long bits_for(const DenseWork<Real>& w, int purpose, int index) {
    const auto number = static_cast<unsigned long long>(w.now.number);
    return counted_bits(w.seed, number * kPurposes + static_cast<unsigned long long>(purpose),
                        static_cast<unsigned long long>(index));
}

/// Standard normal, by Box and Muller from 24 bits each.
HRI_BOTH inline double normal_from(unsigned long long bits) {
    const float u = (static_cast<float>(bits >> 40) + 1.0F) * 0x1.0p-24F;
    const float turn = static_cast<float>((bits >> 8) & 0xFFFFFF) * 0x1.0p-24F;
    return static_cast<double>(sqrtf(-2.0F * logf(u)) * cosf(6.28318531F * turn));
}

/// Gumbel noise with its scale inside the logarithms or outside; none where u = 0.
HRI_BOTH inline double gumbel_from(unsigned long long bits, double scale, bool inside) {
    const float u = static_cast<float>(bits >> 40) * 0x1.0p-24F;
    if (!(u > 0))
        return 0;
    const auto g = static_cast<float>(scale);
    return static_cast<double>(inside ? -logf(-logf(g * u)) : -g * logf(-logf(u)));
}

// Rows of unit length at the start of an annealing; True and False are fixed. Items: rows of
// predicates, then of slots.
template <class Real>
HRI_BOTH inline void scale_rows(const DenseWork<Real>& w, int item, At) {
    const int d = w.plan.dimension;
    const bool is_slot = item >= w.plan.predicates;
    if (w.now.to_unit_length == 0 || (!is_slot && (item < 2 || w.plan.trains_predicates == 0)))
        return;
    Real* row = is_slot ? w.slots + (item - w.plan.predicates) * d : w.predicates + item * d;
    Real sum = 0;
    for (int i = 0; i < d; ++i)
        sum += row[i] * row[i];
    const Real norm = root(sum) > Real(1e-12) ? root(sum) : Real(1e-12);
    for (int i = 0; i < d; ++i)
        row[i] /= norm;
}

// Items: entries of the predicates' rows, then of the slots'.
template <class Real>
HRI_BOTH inline void add_noise(const DenseWork<Real>& w, int item, At) {
    const int count = w.plan.predicates * w.plan.dimension;
    const bool is_slot = item >= count;
    const int i = is_slot ? item - count : item;
    const double scale = is_slot ? w.now.slot_noise : w.now.predicate_noise;
    const bool is_fixed =
        !is_slot && (i < 2 * w.plan.dimension || i % w.plan.dimension < 2);  // True's and False's
    Real value = is_slot ? w.slots[i] : w.predicates[i];
    if (scale > 0 && !is_fixed)
        value += static_cast<Real>(
            scale * normal_from(bits_for(w, is_slot ? kSlotNoise : kPredicateNoise, i)));
    (is_slot ? w.noisy_slots : w.noisy_predicates)[i] = value;
}

// Unit length under cosine. Items: rows of predicates, then of slots.
template <class Real>
HRI_BOTH inline void normalise(const DenseWork<Real>& w, int item, At) {
    const int d = w.plan.dimension;
    const bool is_slot = item >= w.plan.predicates;
    const int r = is_slot ? item - w.plan.predicates : item;
    Real* row = (is_slot ? w.noisy_slots : w.noisy_predicates) + r * d;
    Real sum = 0;
    for (int i = 0; i < d; ++i)
        sum += row[i] * row[i];
    const Real norm = root(sum) > Real(1e-12) ? root(sum) : Real(1e-12);
    (is_slot ? w.slot_norm : w.predicate_norm)[r] = norm;
    for (int i = 0; i < d; ++i)
        row[i] /= norm;
}

template <class Real>
HRI_BOTH inline Real distance(const Real* a, const Real* b, int dimension, bool l1) {
    Real sum = 0;
    for (int i = 0; i < dimension; ++i) {
        const Real difference = a[i] - b[i];
        sum += l1 ? (difference < 0 ? -difference : difference) : difference * difference;
    }
    return l1 ? sum : root(sum);
}

template <class Real>
HRI_BOTH inline bool is_candidate(const DenseWork<Real>& w, int score) {
    const int p = score % w.plan.predicates;
    const bool hidden =
        w.plan.mask_absent != 0 && p >= 2 && p < w.plan.inputs_end && w.zero[p] != 0;
    return w.plan.candidate[score] != 0 && !hidden;
}

// Similarities with noise, over the temperature, into alpha. Items: scores.
template <class Real>
HRI_BOTH inline void measure(const DenseWork<Real>& w, int item, At) {
    const int d = w.plan.dimension;
    const Real* slot = w.noisy_slots + item / w.plan.predicates * d;
    const Real* predicate = w.noisy_predicates + item % w.plan.predicates * d;
    Real score = 0;
    if (!is_candidate(w, item)) {
        w.alpha[item] = 0;
        return;
    }
    if (w.plan.similarity == Similarity::l1 || w.plan.similarity == Similarity::l2)
        score = -distance(predicate, slot, d, w.plan.similarity == Similarity::l1);
    else
        for (int i = 0; i < d; ++i)
            score += slot[i] * predicate[i];
    if (w.given_gumbel != nullptr)
        score += w.given_gumbel[item];
    else if (w.now.gumbel > 0)
        score += static_cast<Real>(
            gumbel_from(bits_for(w, kGumbelNoise, item), w.now.gumbel, w.plan.gumbel_inside != 0));
    w.alpha[item] = score * (1 / static_cast<Real>(w.now.temperature));
}

// Items: slots.
template <class Real>
HRI_BOTH inline void softmax(const DenseWork<Real>& w, int item, At) {
    const int first = item * w.plan.predicates;
    Real top = Real(-1e30);
    for (int p = 0; p < w.plan.predicates; ++p)
        if (is_candidate(w, first + p) && w.alpha[first + p] > top)
            top = w.alpha[first + p];
    Real sum = 0;
    for (int p = 0; p < w.plan.predicates; ++p) {
        const bool counts = is_candidate(w, first + p);
        const Real e = counts ? power_of_e(w.alpha[first + p] - top) : Real(0);
        w.alpha[first + p] = e;
        sum += e;
    }
    const Real share = 1 / sum;
    for (int p = 0; p < w.plan.predicates; ++p)
        w.alpha[first + p] *= share;
}

// Items: terms.
template <class Real>
HRI_BOTH inline void weigh_terms(const DenseWork<Real>& w, int item, At) {
    const DenseTerm& term = w.plan.term[item];
    w.weight[item] = w.alpha[term.left_alpha] * w.alpha[term.right_alpha];
    w.d_weight[item] = 0;
}

// d_alpha becomes the gradient of the similarities. Items: slots.
template <class Real>
HRI_BOTH inline void softmax_backward(const DenseWork<Real>& w, int item, At) {
    const int first = item * w.plan.predicates;
    Real mean = 0;
    for (int p = 0; p < w.plan.predicates; ++p)
        mean += w.alpha[first + p] * w.d_alpha[first + p];
    const Real scale = 1 / static_cast<Real>(w.now.temperature);
    for (int p = 0; p < w.plan.predicates; ++p)
        w.d_alpha[first + p] = w.alpha[first + p] * (w.d_alpha[first + p] - mean) * scale;
}

/// The share of dimension i in a distance.
template <class Real>
HRI_BOTH inline Real share_of(const DenseWork<Real>& w, const Real* predicate, const Real* slot,
                              int i) {
    const Real difference = predicate[i] - slot[i];
    if (w.plan.similarity == Similarity::l1)
        return difference > 0 ? Real(1) : difference < 0 ? Real(-1) : Real(0);
    const Real length = distance(predicate, slot, w.plan.dimension, false);
    return difference / (length > Real(1e-12) ? length : Real(1e-12));
}

// Items: entries of the predicates' rows, then of the slots'.
template <class Real>
HRI_BOTH inline void measure_backward(const DenseWork<Real>& w, int item, At) {
    const int d = w.plan.dimension;
    const int width = w.plan.predicates;
    const int count = width * d;
    const bool is_slot = item >= count;
    const int r = (is_slot ? item - count : item) / d;
    const int i = (is_slot ? item - count : item) % d;
    const bool is_distance =
        w.plan.similarity == Similarity::l1 || w.plan.similarity == Similarity::l2;
    Real sum = 0;
    for (int other = 0; other < (is_slot ? width : w.plan.slots); ++other) {
        const int slot = is_slot ? r : other;
        const int p = is_slot ? other : r;
        if (!is_candidate(w, slot * width + p))
            continue;
        const Real g = w.d_alpha[slot * width + p];
        const Real* predicate = w.noisy_predicates + p * d;
        const Real* row = w.noisy_slots + slot * d;
        if (is_distance) {
            const Real share = g * share_of(w, predicate, row, i);
            sum += is_slot ? share : -share;
        } else {
            sum += g * (is_slot ? predicate[i] : row[i]);
        }
    }
    (is_slot ? w.d_slots : w.d_predicates)[r * d + i] = sum;
}

// Through normalise(), under cosine; and what is fixed has no gradient. Items: rows of predicates,
// then of slots.
template <class Real>
HRI_BOTH inline void normalise_backward(const DenseWork<Real>& w, int item, At) {
    const int d = w.plan.dimension;
    const bool is_slot = item >= w.plan.predicates;
    const int r = is_slot ? item - w.plan.predicates : item;
    const Real* row = (is_slot ? w.noisy_slots : w.noisy_predicates) + r * d;
    Real* d_row = (is_slot ? w.d_slots : w.d_predicates) + r * d;
    if (w.plan.similarity == Similarity::cosine) {
        const Real norm = (is_slot ? w.slot_norm : w.predicate_norm)[r];
        Real along = 0;
        for (int i = 0; i < d; ++i)
            along += row[i] * d_row[i];
        for (int i = 0; i < d; ++i)
            d_row[i] = (d_row[i] - along * row[i]) / norm;
    }
    if (!is_slot)
        for (int i = 0; i < (r < 2 ? d : 2); ++i)
            d_row[i] = 0;
}

// One step with the usual betas. Items: entries of the predicates' rows, then of the slots'.
template <class Real>
HRI_BOTH inline void adam(const DenseWork<Real>& w, int item, At) {
    const int count = w.plan.predicates * w.plan.dimension;
    const bool is_slot = item >= count;
    if (!is_slot && w.plan.trains_predicates == 0)
        return;
    const int i = is_slot ? item - count : item;
    const Real g = (is_slot ? w.d_slots : w.d_predicates)[i];
    Real& mean = (is_slot ? w.slot_mean : w.predicate_mean)[i];
    Real& square = (is_slot ? w.slot_square : w.predicate_square)[i];
    mean = Real(0.9) * mean + Real(0.1) * g;
    square = Real(0.999) * square + Real(0.001) * g * g;
    const Real rate = static_cast<Real>(is_slot ? w.now.slot_rate : w.now.predicate_rate);
    (is_slot ? w.slots : w.predicates)[i] -=
        rate * mean / (root(square) * static_cast<Real>(w.now.correction) + Real(1e-8));
}

}  // namespace hri::soft::phases
