// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target, its loss, and their gradient in phases.

#include "soft/cuda/sums.hpp"
#include "soft/cuda/views.hpp"

namespace hri::soft::phases {

// Maxima of candidates over the second argument, where the target has fewer. Items: (candidate, x).
template <class Real>
HRI_BOTH inline void target_rows(const DenseWork<Real>& w, int item, At) {
    const int n = w.plan.n;
    const int r = w.plan.target_candidate[w.plan.by_n.quotient(item)] - w.plan.inputs_end;
    const Largest<Real> top = largest(w.value(w.plan.steps, r) + w.plan.by_n.rest(item) * n, n, 1);
    w.target_row[item] = top.value;
    w.target_winner[item] = top.index;
}

/// Candidate i's valuation of an atom of the target.
template <class Real>
HRI_BOTH inline Real candidate_value(const DenseWork<Real>& w, int i, int atom) {
    const int n = w.plan.n;
    if (w.plan.target_arity == 2)
        return w.value(w.plan.steps, w.plan.target_candidate[i] - w.plan.inputs_end)[atom];
    if (w.plan.target_arity == 1)
        return w.target_row[i * n + atom];
    return largest(w.target_row + i * n, n, 1).value;
}

template <class Real>
HRI_BOTH inline Real target_score(const DenseWork<Real>& w, int i) {
    return w.alpha[(w.plan.slots - 1) * w.plan.predicates + w.plan.target_candidate[i]];
}

HRI_BOTH inline float logarithm(float x) { return logf(x); }

HRI_BOTH inline double logarithm(double x) { return log(x); }

/// -log of what is given to the truth, at most 100.
template <class Real>
HRI_BOTH inline Real surprise(Real target, int label) {
    const Real right = label == 1 ? target : 1 - target;
    if (!(right > 0))
        return 100;
    const Real loss = -logarithm(right);
    return loss < 100 ? loss : Real(100);
}

// The target and the gradient of its cross-entropy. Items: atoms.
template <class Real>
HRI_BOTH inline void pool_target(const DenseWork<Real>& w, int item, At) {
    Real sum = 0;
    for (int i = 0; i < w.plan.target_candidates; ++i) {
        const Real value = target_score(w, i) * candidate_value(w, i, item);
        if (w.plan.target_by_max == 0)
            sum += value;
        else
            sum = value > sum ? value : sum;
    }
    const Real v = sum < 1 ? sum : Real(1);
    w.target[item] = v;
    const int label = w.label == nullptr ? -1 : w.label[item];
    const Real floor = static_cast<Real>(w.plan.log_floor);
    const Real right = label == 1 ? v : 1 - v;
    const Real slope = 1 / (right > floor ? right : floor);
    w.d_target[item] = label < 0 ? Real(0) : label == 1 ? -slope : slope;
}

/// Parts of the loss.
HRI_BOTH inline int parts_of_loss(const PlanView& plan) { return plan.parts > 1 ? 512 : 64; }

// Sums of the loss, of square errors and of labelled atoms. Items: parts_of_loss().
template <class Real>
HRI_BOTH inline void loss_parts(const DenseWork<Real>& w, int item, At) {
    Real loss = 0;
    Real error = 0;
    Real count = 0;
    for (int i = item; i < w.plan.atoms; i += parts_of_loss(w.plan)) {
        const int label = w.label[i];
        if (label < 0)
            continue;
        loss += surprise(w.target[i], label);
        const Real difference = w.target[i] - static_cast<Real>(label);
        error += difference * difference;
        count += 1;
    }
    Real spread = 0;
    for (int i = item; i < w.plan.slots * w.plan.predicates; i += parts_of_loss(w.plan))
        spread += w.alpha[i] * (1 - w.alpha[i]);
    Real* out = w.partial + 3 * item;
    out[0] = loss + static_cast<Real>(w.plan.regularisation) * spread;
    out[1] = error;
    out[2] = count;
}

// One item.
template <class Real>
HRI_BOTH inline void loss_sum(const DenseWork<Real>& w, int, At) {
    Real sums[3] = {0, 0, 0};
    for (int i = 0; i < parts_of_loss(w.plan); ++i)
        for (int j = 0; j < 3; ++j)
            sums[j] += w.partial[3 * i + j];
    w.outcome[0] = sums[0];
    w.outcome[1] = sums[2] > 0 ? sums[1] / sums[2] : Real(0);
}

// lambda (1 - 2 a). Items: scores.
template <class Real>
HRI_BOTH inline void regularise(const DenseWork<Real>& w, int item, At) {
    w.d_alpha[item] = static_cast<Real>(w.plan.regularisation) * (1 - 2 * w.alpha[item]);
}

/// With max pooling, the first candidate that attains the maximum takes an atom's gradient.
template <class Real>
HRI_BOTH inline bool takes_atom(const DenseWork<Real>& w, int i, int atom) {
    if (w.plan.target_by_max == 0)
        return true;
    const Real mine = target_score(w, i) * candidate_value(w, i, atom);
    for (int j = 0; j < w.plan.target_candidates; ++j) {
        const Real other = target_score(w, j) * candidate_value(w, j, atom);
        if (other > mine || (other == mine && j < i))
            return false;
    }
    return true;
}

// The gradient of the target's scores. Items: (candidate, part).
template <class Real>
HRI_BOTH inline void target_scores_backward(const DenseWork<Real>& w, int item, At) {
    const int i = item / w.plan.parts;
    const int part = item % w.plan.parts;
    Real sum = 0;
    for (int atom = part; atom < w.plan.atoms; atom += w.plan.parts)
        if (takes_atom(w, i, atom))
            sum += w.d_target[atom] * candidate_value(w, i, atom);
    const int score = (w.plan.slots - 1) * w.plan.predicates + w.plan.target_candidate[i];
    add_part(w, w.d_alpha + score, i, part, sum);
}

template <class Real>
HRI_BOTH inline void target_scores_sum(const DenseWork<Real>& w, int item, At) {
    w.d_alpha[(w.plan.slots - 1) * w.plan.predicates + w.plan.target_candidate[item]] +=
        sum_of_parts(w, item);
}

// d_values of the top stratum. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void target_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    Real d = 0;
    for (int i = 0; i < w.plan.target_candidates; ++i) {
        if (w.plan.target_candidate[i] - w.plan.inputs_end != r)
            continue;
        int atom = cell;
        bool is_source = true;
        if (w.plan.target_arity < 2) {
            const int x = w.plan.by_n.quotient(cell);
            atom = w.plan.target_arity == 1 ? x : 0;
            is_source =
                w.target_winner[i * n + x] == w.plan.by_n.rest(cell) &&
                (w.plan.target_arity == 1 || largest(w.target_row + i * n, n, 1).index == x);
        }
        if (is_source && takes_atom(w, i, atom))
            d += target_score(w, i) * w.d_target[atom];
    }
    w.d_values[w.cell_of(r) + cell] = d;
}

}  // namespace hri::soft::phases
