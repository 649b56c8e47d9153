// SPDX-License-Identifier: Apache-2.0
#pragma once

// Phases, and those that compute what entries see. A phase is a function of one item; items of a
// phase are independent of each other, and each number is written by one item alone. So any number
// of threads gives the same bits.

#include "hypotheses/plan.hpp"
#include "soft/cuda/dense_work.hpp"
#include "soft/cuda/equations.hpp"

#include <math.h>  // names without std, as CUDA has them

namespace hri::soft::phases {

/// What the phases of a step are about.
struct At {
    int stratum = 0;
    int s = 0;      // step
    int chunk = 0;  // of pairs
    int first = 0;  // of the items: entry or so
    bool flag = false;
    bool winners = false;  // of products are needed, for their gradients
};

using Reduce = hypotheses::View::Reduce;
using Head = hypotheses::Plan::Head;

template <class Real>
struct Largest {
    Real value;
    int index;
};

/// The first index that attains the maximum.
template <class Real>
HRI_BOTH inline Largest<Real> largest(const Real* values, int count, int stride) {
    constexpr int kAtOnce = 8;  // of many, so that reads overlap
    Largest<Real> best = {values[0], 0};
    int i = 1;
    for (; count > 4 * kAtOnce && i + kAtOnce <= count; i += kAtOnce) {
        Real some[kAtOnce];
        for (int k = 0; k < kAtOnce; ++k)
            some[k] = values[static_cast<long long>(i + k) * stride];
        for (int k = 0; k < kAtOnce; ++k)
            if (some[k] > best.value)
                best = {some[k], i + k};
    }
    for (; i < count; ++i)
        if (values[static_cast<long long>(i) * stride] > best.value)
            best = {values[static_cast<long long>(i) * stride], i};
    return best;
}

HRI_BOTH inline bool takes_maximum(int reduce) {
    const auto kind = static_cast<Reduce>(reduce);
    return kind == Reduce::all || kind == Reduce::all_diagonal || kind == Reduce::any_of_row ||
           kind == Reduce::any_of_column;
}

/// Where argument `i` of an entry's predicate is; -1: the instance lacks the constant.
template <class Real>
HRI_BOTH inline int place_of(const DenseWork<Real>& w, const DenseEntry& entry, int constant,
                             int i) {
    return constant < 0 || w.plan.arity[entry.predicate] <= i ? 0 : w.constant[constant];
}

// vector[e, x]: what a view that reduces gives for x. Items: (entry, x).
template <class Real>
HRI_BOTH inline void view_vectors(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const DenseEntry& entry = w.plan.entry[e];
    if (entry.matrix < 0 || static_cast<Reduce>(entry.reduce) == Reduce::none)
        return;
    const Real* v = w.valuation(entry.predicate, entry.moves != 0 ? k.s : w.plan.steps);
    const int c = place_of(w, entry, entry.first, 0);
    const int d = place_of(w, entry, entry.second, 1);
    Largest<Real> result = {Real(0), 0};
    switch (static_cast<Reduce>(entry.reduce)) {
        case Reduce::rows:
        case Reduce::all:
            result = largest(v + x * n, n, 1);
            break;
        case Reduce::columns:
            result = largest(v + x, n, n);
            break;
        case Reduce::diagonal:
        case Reduce::all_diagonal:
            result = {v[x * n + x], x};
            break;
        default: {
            const auto kind = static_cast<Reduce>(entry.reduce);
            const bool by_row = kind == Reduce::row || kind == Reduce::any_of_row;
            if (c >= 0 && d >= 0)
                result.value = v[kind == Reduce::cell ? c * n + d : by_row ? c * n + x : x * n + d];
        }
    }
    w.vector[e * n + x] = result.value;
    w.vector_winner[e * n + x] = result.index;
}

// The matrix of an entry. Items: (entry, cell).
template <class Real>
HRI_BOTH inline void view_matrices(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseEntry& entry = w.plan.entry[e];
    if (entry.matrix < 0)
        return;
    const int x = w.plan.by_n.quotient(cell);
    const int y = w.plan.by_n.rest(cell);
    Real* out = w.matrix + w.cell_of(entry.matrix);
    if (static_cast<Reduce>(entry.reduce) == Reduce::none)
        out[cell] = w.valuation(entry.predicate, entry.moves != 0 ? k.s : w.plan.steps)[y * n + x];
    else if (takes_maximum(entry.reduce))
        out[cell] = largest(w.vector + e * n, n, 1).value;
    else
        out[cell] = w.vector[e * n + (entry.transposed != 0 ? y : x)];
}

// Items: entries.
template <class Real>
HRI_BOTH inline void locate(const DenseWork<Real>& w, int item, At k) {
    w.seen[k.first + item] = w.located(k.first + item, k.s);
}

// columns[e, y] = max_x of the entry's matrix. Items: (entry, y).
template <class Real>
HRI_BOTH inline void view_columns(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + w.plan.by_n.quotient(item);
    if (w.plan.entry[e].needs_columns == 0)
        return;
    const Largest<Real> top = largest(w.seen[e] + w.plan.by_n.rest(item), n, n);
    w.columns[e * n + w.plan.by_n.rest(item)] = top.value;
    w.column_winner[e * n + w.plan.by_n.rest(item)] = top.index;
}

}  // namespace hri::soft::phases
