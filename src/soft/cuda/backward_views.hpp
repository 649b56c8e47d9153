// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward through views, as backward.hpp.

#include "soft/cuda/views.hpp"

namespace hri::soft::phases {

// Columns' maxima to the matrices that they are of. Items: (entry, y).
template <class Real>
HRI_BOTH inline void columns_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + w.plan.by_n.quotient(item);
    const int y = w.plan.by_n.rest(item);
    if (w.plan.entry[e].needs_columns == 0 || w.plan.entry[e].has_gradient == 0)
        return;
    w.d_entry[w.cell_of(e) + w.column_winner[e * n + y] * n + y] += w.d_columns[e * n + y];
}

// vector[e, x]: sums of an entry's gradients over the axis on which a reducing view does not
// depend. Items: (entry, x).
template <class Real>
HRI_BOTH inline void vectors_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const DenseEntry& entry = w.plan.entry[e];
    if (entry.has_gradient == 0 || static_cast<Reduce>(entry.reduce) == Reduce::none)
        return;
    const Real* d = w.d_entry + w.cell_of(e);
    Real sum = 0;
    for (int i = 0; i < n; ++i)
        sum += entry.transposed != 0 ? d[i * n + x] : d[x * n + i];
    w.d_columns[e * n + x] = sum;
}

template <class Real>
HRI_BOTH inline Real sum_of(const Real* values, int count) {
    Real sum = 0;
    for (int i = 0; i < count; ++i)
        sum += values[i];
    return sum;
}

/// What a cell of a predicate's valuation gets through an entry.
template <class Real>
HRI_BOTH inline Real through_view(const DenseWork<Real>& w, int e, int cell) {
    const int n = w.plan.n;
    const int x = w.plan.by_n.quotient(cell);
    const int y = w.plan.by_n.rest(cell);
    const DenseEntry& entry = w.plan.entry[e];
    const Real* d = w.d_entry + w.cell_of(e);
    const auto kind = static_cast<Reduce>(entry.reduce);
    if (kind == Reduce::none)
        return d[entry.transposed != 0 ? y * n + x : cell];
    const Real* d_vector = w.d_columns + e * n;
    const int* winner = w.vector_winner + e * n;
    const Real* vector = w.vector + e * n;
    const int c = place_of(w, entry, entry.first, 0);
    const int f = place_of(w, entry, entry.second, 1);
    const auto best = [&] { return largest(vector, n, 1).index; };
    switch (kind) {
        case Reduce::rows:
            return winner[x] == y ? d_vector[x] : Real(0);
        case Reduce::columns:
            return winner[y] == x ? d_vector[y] : Real(0);
        case Reduce::diagonal:
            return x == y ? d_vector[x] : Real(0);
        case Reduce::all:
            return winner[x] == y && best() == x ? sum_of(d_vector, n) : Real(0);
        case Reduce::all_diagonal:
            return x == y && best() == x ? sum_of(d_vector, n) : Real(0);
        default:
            break;
    }
    if (c < 0 || f < 0)
        return 0;
    switch (kind) {
        case Reduce::row:
            return x == c ? d_vector[y] : Real(0);
        case Reduce::column:
            return y == f ? d_vector[x] : Real(0);
        case Reduce::any_of_row:
            return x == c && best() == y ? sum_of(d_vector, n) : Real(0);
        case Reduce::any_of_column:
            return y == f && best() == x ? sum_of(d_vector, n) : Real(0);
        default:
            return x == c && y == f ? sum_of(d_vector, n) : Real(0);
    }
}

// Entries that move to the valuations of the step before. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void moving_backward(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    Real sum = w.d_previous[w.cell_of(r) + cell];
    for (int i = w.plan.moving_first[r]; i < w.plan.moving_first[r + 1]; ++i)
        sum += through_view(w, w.plan.moving_entry[i], cell);
    w.d_values[w.cell_of(r) + cell] = sum;
}

// Entries of lower strata to their last valuations. Items: (auxiliary, cell).
template <class Real>
HRI_BOTH inline void fixed_backward(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const int* first = w.plan.fixed_first + k.stratum * (w.plan.auxiliaries + 1);
    for (int i = first[r]; i < first[r + 1]; ++i) {
        const int e = w.plan.fixed_entry[i];
        const bool is_negation =
            w.plan.entry[e].predicate >= w.plan.inputs_end + w.plan.auxiliaries;
        const Real d = through_view(w, e, cell);
        w.d_final[w.cell_of(r) + cell] += is_negation ? -d : d;
    }
}

// The weights' gradients to the scores that they are products of. Items: scores.
template <class Real>
HRI_BOTH inline void scores_from_weights(const DenseWork<Real>& w, int item, At) {
    Real sum = 0;
    for (int i = w.plan.alpha_first[item]; i < w.plan.alpha_first[item + 1]; ++i)
        sum += w.d_weight[w.plan.alpha_term[i]] * w.alpha[w.plan.alpha_other[i]];
    w.d_alpha[item] += sum;
}

}  // namespace hri::soft::phases
