// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward through rules and slots of one atom, as forward.hpp. What a processor adds where it
// belongs is collected here by the one item that owns the sum.

#include "soft/cuda/forward.hpp"
#include "soft/cuda/sums.hpp"

namespace hri::soft::phases {

// d_values of a lower stratum. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void take_final(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const long long i = w.cell_of(r) + w.plan.by_cells.rest(item);
    w.d_values[i] = w.d_final[i];
}

// Items: (auxiliary, cell).
template <class Real>
HRI_BOTH inline void clear_final(const DenseWork<Real>& w, int item, At) {
    w.d_final[w.cell_of(w.plan.by_cells.quotient(item)) + w.plan.by_cells.rest(item)] = 0;
}

// Gradients of fixed entries begin at 0, and so does d_and_sum. Items: (entry, cell).
template <class Real>
HRI_BOTH inline void clear_entries(const DenseWork<Real>& w, int item, At k) {
    const int e = k.first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    w.d_entry[w.cell_of(e) + cell] = 0;
    if (cell < w.plan.n)
        w.d_columns[e * w.plan.n + cell] = 0;
}

// Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void clear_sums(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    w.d_and_sum[w.cell_of(r) + w.plan.by_cells.rest(item)] = 0;
}

// Through MERGE and OR: d_values becomes the gradient of the conjunction under the head. Items:
// (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void rules_backward(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const long long i = w.cell_of(r) + cell;
    const DenseRule& rule = w.plan.rule[r];
    if (w.plan.pools_by_max != 0)
        w.claim[i] = -1;
    w.d_previous[i] = 0;
    if (!matters(w, rule.depth, k.s)) {
        w.d_values[i] = 0;
        w.d_or[i] = 0;
        return;
    }
    Real g = w.d_values[i];
    if (w.plan.merges_by_sum != 0 && k.s > 1) {
        if (w.value(k.s, r)[cell] >= 1)
            g = 0;
        w.d_previous[i] = g;
    }
    if (rule.has_disjunct != 0) {
        const Operands<Real> d =
            disjunction_backward(w.plan.fuzzy_or, placed(w, rule, w.conjunction_of(k.s, r), cell),
                                 w.disjunct_of(k.s, r)[cell], g);
        const bool kept = static_cast<Head>(rule.disjunct_head) != Head::diagonal ||
                          w.plan.by_n.quotient(cell) == w.plan.by_n.rest(cell);
        g = d.left;
        w.d_or[i] = kept ? d.right : Real(0);
    }
    w.d_values[i] = g;
}

// d_and from d_values, back from under the head. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void heads_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const int x = w.plan.by_n.quotient(cell);
    const int y = w.plan.by_n.rest(cell);
    const DenseRule& rule = w.plan.rule[r];
    const Real* d = w.d_values + w.cell_of(r);
    Real sum = 0;
    if (rule.reduce != 0) {
        if (cell >= n)
            sum = 0;
        else if (static_cast<Head>(rule.head) == Head::diagonal)
            sum = d[cell * n + cell];
        else
            for (int i = 0; i < n; ++i)
                sum +=
                    d[static_cast<Head>(rule.head) == Head::direct ? cell * n + i : i * n + cell];
    } else if (static_cast<Head>(rule.head) == Head::direct) {
        sum = d[cell];
    } else if (static_cast<Head>(rule.head) == Head::transposed) {
        sum = d[y * n + x];
    } else {
        sum = y == 0 ? d[x * n + x] : Real(0);
    }
    w.d_and[w.cell_of(r) + cell] = sum;
    w.d_and_sum[w.cell_of(r) + cell] += sum;
}

// row_sum[rule, x] = sum_y d_and[x, y], or (flag) of d_and_sum. Items: (rule of the stratum, x).
template <class Real>
HRI_BOTH inline void sum_rows(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const Real* d = (k.flag ? w.d_and_sum : w.d_and) + w.cell_of(r) + x * n;
    Real sum = 0;
    for (int y = 0; y < n; ++y)
        sum += d[y];
    (k.flag ? w.row_sums : w.row_sum)[r * n + x] = sum;
}

/// With max pooling, the first read that attains the maximum takes a cell's gradient.
template <class Real>
HRI_BOTH inline bool takes_cell(const DenseWork<Real>& w, int i, int cell, int s) {
    if (w.plan.pools_by_max == 0)
        return true;
    const DenseRead& mine = w.plan.read[i];
    const DenseRule& rule = w.plan.rule[mine.rule];
    const Real pooled = mine.is_disjunct != 0 ? w.disjunct_of(s, mine.rule)[cell]
                                              : w.conjunction_of(s, mine.rule)[cell];
    const auto attains = [&](const DenseRead& read) {
        return w.alpha[read.alpha] > 0 && !w.is_zero(read.entry, s - 1) &&
               w.alpha[read.alpha] * w.seen[read.entry][cell] >= pooled;
    };
    if (!attains(mine))
        return false;
    for (int j = mine.is_disjunct != 0 ? rule.disjunct_first : rule.single_first; j < i; ++j)
        if (attains(w.plan.read[j]))
            return false;
    return true;
}

template <class Real>
HRI_BOTH inline const Real* d_read(const DenseWork<Real>& w, const DenseRead& read) {
    return (read.is_disjunct != 0 ? w.d_or : w.d_and) + w.cell_of(read.rule);
}

template <class Real>
HRI_BOTH inline bool is_in(const DenseWork<Real>& w, int rule, int stratum) {
    return rule >= w.plan.stratum[stratum].rule_first && rule < w.plan.stratum[stratum].rule_last;
}

// The gradient of the scores of slots of one atom. Items: (read, part).
template <class Real>
HRI_BOTH inline void reads_backward(const DenseWork<Real>& w, int item, At k) {
    const int i = item / w.plan.parts;
    const int part = item % w.plan.parts;
    const DenseRead& read = w.plan.read[i];
    Real sum = 0;
    if (is_in(w, read.rule, k.stratum) && matters(w, w.plan.rule[read.rule].depth, k.s) &&
        !(w.plan.entry[read.entry].moves != 0 && k.s == 1)) {
        const Real* d = d_read(w, read);
        const Real* u = w.seen[read.entry];
        for (int cell = part; cell < w.plan.cells; cell += w.plan.parts)
            if (takes_cell(w, i, cell, k.s))
                sum += d[cell] * u[cell];
    }
    add_part(w, w.d_alpha + read.alpha, i, part, sum);
}

template <class Real>
HRI_BOTH inline void reads_sum(const DenseWork<Real>& w, int item, At) {
    w.d_alpha[w.plan.read[item].alpha] += sum_of_parts(w, item);
}

// What slots of one atom give to entries: those that move start with it. Items: (entry, cell).
template <class Real>
HRI_BOTH inline void entries_from_reads(const DenseWork<Real>& w, int item, At k) {
    const int e = k.first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseEntry& entry = w.plan.entry[e];
    if (entry.has_gradient == 0)
        return;
    Real sum = 0;
    for (int j = entry.reads_first; j < entry.reads_last; ++j) {
        const int i = w.plan.entry_read[j];
        const DenseRead& read = w.plan.read[i];
        if (matters(w, w.plan.rule[read.rule].depth, k.s) && takes_cell(w, i, cell, k.s))
            sum += w.alpha[read.alpha] * d_read(w, read)[cell];
    }
    Real* out = w.d_entry + w.cell_of(e) + cell;
    *out = entry.moves != 0 ? sum : *out + sum;
    if (entry.moves != 0 && cell < w.plan.n)
        w.d_columns[e * w.plan.n + cell] = 0;
}

}  // namespace hri::soft::phases
