// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward through the products of pairs, as backward.hpp.

#include "soft/cuda/forward.hpp"
#include "soft/cuda/sums.hpp"

namespace hri::soft::phases {

// With max pooling: which term takes a cell's gradient, the first of all chunks that attains the
// maximum. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void claim_terms(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DenseRule& rule = w.plan.rule[r];
    int& claim = w.claim[w.cell_of(r) + cell];
    if (claim >= 0 || (rule.reduce != 0 && cell >= w.plan.n) || !matters(w, rule.depth, k.s))
        return;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int* range = w.plan.rule_term_first + 2 * (k.chunk * w.plan.auxiliaries + r);
    const Real pooled = w.conjunction_of(k.s, r)[cell];
    for (int i = range[0]; i < range[1]; ++i) {
        const int t = w.plan.rule_term[i];
        const DensePair& pair = w.plan.pair[w.plan.term[t].pair];
        const int p = w.plan.term[t].pair - chunk.pair_first;
        if (counts(w, pair, t, k.s - 1) &&
            w.weight[t] * product_for(w, rule, pair, p, cell) >= pooled) {
            claim = t;
            return;
        }
    }
}

/// The gradient of a rule's sum at a cell as far as a term takes it. `all`: of all steps.
template <class Real>
HRI_BOTH inline Real d_term(const DenseWork<Real>& w, int t, int rule, int cell, bool all) {
    const long long i = w.cell_of(rule) + cell;
    if (w.plan.pools_by_max != 0 && w.claim[i] != t)
        return 0;
    return (all ? w.d_and_sum : w.d_and)[i];
}

/// The same summed over y, for products that do not depend on it.
template <class Real>
HRI_BOTH inline Real d_term_row(const DenseWork<Real>& w, int t, int rule, int x, bool all) {
    if (w.plan.pools_by_max == 0)
        return (all ? w.row_sums : w.row_sum)[rule * w.plan.n + x];
    Real sum = 0;
    for (int y = 0; y < w.plan.n; ++y)
        sum += d_term(w, t, rule, x * w.plan.n + y, all);
    return sum;
}

// The gradient of the weights. Items: (term of the chunk, part).
template <class Real>
HRI_BOTH inline void weights_backward(const DenseWork<Real>& w, int item, At k) {
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int t = chunk.term_first + item / w.plan.parts;
    const int part = item % w.plan.parts;
    const DenseTerm& term = w.plan.term[t];
    const DenseRule& rule = w.plan.rule[term.rule];
    const DensePair& pair = w.plan.pair[term.pair];
    const int p = term.pair - chunk.pair_first;
    const int n = w.plan.n;
    Real sum = 0;
    if (matters(w, rule.depth, k.s)) {
        if (rule.reduce != 0) {
            for (int y = part; y < n; y += w.plan.parts)
                sum += d_term(w, t, term.rule, y, k.flag) * product_for(w, rule, pair, p, y);
        } else if (pair.shape == Shape::column) {
            for (int x = part; x < n; x += w.plan.parts)
                sum += d_term_row(w, t, term.rule, x, k.flag) * w.product[w.cell_of(p) + x];
        } else {
            const Real* product = w.product + w.cell_of(p);
            for (int cell = part; cell < w.plan.cells; cell += w.plan.parts)
                sum += d_term(w, t, term.rule, cell, k.flag) * product[cell];
        }
    }
    add_part(w, w.d_weight + t, item / w.plan.parts, part, sum);
}

template <class Real>
HRI_BOTH inline void weights_sum(const DenseWork<Real>& w, int item, At k) {
    w.d_weight[w.plan.chunk[k.chunk].term_first + item] += sum_of_parts(w, item);
}

template <class Real>
HRI_BOTH inline bool has_gradient(const DenseWork<Real>& w, const DensePair& pair) {
    return w.plan.entry[pair.left].has_gradient != 0 || w.plan.entry[pair.right].has_gradient != 0;
}

// The gradient of the products. Items: (pair of the chunk, cell).
template <class Real>
HRI_BOTH inline void products_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int p = item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DensePair& pair = w.plan.pair[chunk.pair_first + p];
    if (!has_gradient(w, pair) || !matters(w, pair.depth, k.s))
        return;
    const int x = cell / n;
    const int y = cell % n;
    if (pair.shape == Shape::column && y > 0)
        return;
    const bool column = pair.shape == Shape::column;
    int t = pair.term_first;
    Real sum = 0;
    for (const int end = t + pair.direct; t < end; ++t) {
        const int r = w.plan.term[t].rule;
        if (matters(w, w.plan.rule[r].depth, k.s))
            sum += w.weight[t] *
                   (column ? d_term_row(w, t, r, x, k.flag) : d_term(w, t, r, cell, k.flag));
    }
    if (pair.reduced + pair.total > 0 && w.reduced_winner[p * n + y] == x) {
        for (const int end = t + pair.reduced; t < end; ++t) {
            const int r = w.plan.term[t].rule;
            if (matters(w, w.plan.rule[r].depth, k.s))
                sum += w.weight[t] * d_term(w, t, r, y, k.flag);
        }
        for (const int end = t + pair.total; t < end && w.total_winner[p] == y; ++t) {
            const int r = w.plan.term[t].rule;
            for (int i = 0; i < n && matters(w, w.plan.rule[r].depth, k.s); ++i)
                sum += w.weight[t] * d_term(w, t, r, i, k.flag);
        }
    }
    w.d_product[w.cell_of(p) + (column ? x : cell)] = sum;
}

// To the left entries of the chunk's pairs, row by row. Items: (run, x).
template <class Real>
HRI_BOTH inline void left_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const DenseRun& run = w.plan.run[chunk.left_first + item / n];
    const int x = item % n;
    const And op = w.plan.fuzzy_and;
    const Real* left = w.seen(run.entry, k.s - 1) + x * n;
    Real* d_left = w.d_entry + w.cell_of(run.entry) + x * n;
    for (int i = run.first; i < run.last; ++i) {
        const DensePair& pair = w.plan.pair[w.plan.run_pair[i]];
        if (!matters(w, pair.depth, k.s))
            continue;
        const int p = w.plan.run_pair[i] - chunk.pair_first;
        const Real* right = w.seen(pair.right, k.s - 1);
        const Real* d = w.d_product + w.cell_of(p);
        const std::uint16_t* winner = w.winner + w.cell_of(p);
        if (pair.shape == Shape::meet) {
            for (int y = 0; y < n; ++y)
                d_left[y] +=
                    d[x * n + y] * conjunction_backward(op, left[y], right[x * n + y]).left;
        } else if (pair.shape == Shape::outer) {
            Real sum = 0;
            for (int y = 0; y < n; ++y)
                sum += d[x * n + y] *
                       conjunction_backward(op, left[0], w.columns[pair.right * n + y]).left;
            d_left[0] += sum;
        } else if (pair.shape == Shape::column) {
            const int z = winner[x];
            d_left[z] += d[x] * conjunction_backward(op, left[z], right[z * n]).left;
        } else {
            for (int y = 0; y < n; ++y) {
                const int z = winner[x * n + y];
                d_left[z] +=
                    d[x * n + y] * conjunction_backward(op, left[z], right[z * n + y]).left;
            }
        }
    }
}

// To the right entries, column by column. Items: (run, y).
template <class Real>
HRI_BOTH inline void right_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const DenseRun& run = w.plan.run[chunk.right_first + item / n];
    const int y = item % n;
    const And op = w.plan.fuzzy_and;
    const Real* right = w.seen(run.entry, k.s - 1) + y;
    Real* d_right = w.d_entry + w.cell_of(run.entry) + y;
    for (int i = run.first; i < run.last; ++i) {
        const DensePair& pair = w.plan.pair[w.plan.run_pair[i]];
        if (!matters(w, pair.depth, k.s))
            continue;
        const int p = w.plan.run_pair[i] - chunk.pair_first;
        const Real* left = w.seen(pair.left, k.s - 1);
        const Real* d = w.d_product + w.cell_of(p);
        const std::uint16_t* winner = w.winner + w.cell_of(p);
        if (pair.shape == Shape::meet) {
            for (int x = 0; x < n; ++x)
                d_right[x * n] +=
                    d[x * n + y] * conjunction_backward(op, left[x * n + y], right[x * n]).right;
        } else if (pair.shape == Shape::outer) {
            Real sum = 0;
            for (int x = 0; x < n; ++x)
                sum += d[x * n + y] *
                       conjunction_backward(op, left[x * n], w.columns[run.entry * n + y]).right;
            w.d_columns[run.entry * n + y] += sum;
        } else if (pair.shape == Shape::column) {
            for (int x = 0; x < n && y == 0; ++x) {
                const int z = winner[x];
                d_right[z * n] +=
                    d[x] * conjunction_backward(op, left[x * n + z], right[z * n]).right;
            }
        } else {
            for (int x = 0; x < n; ++x) {
                const int z = winner[x * n + y];
                d_right[z * n] +=
                    d[x * n + y] * conjunction_backward(op, left[x * n + z], right[z * n]).right;
            }
        }
    }
}

}  // namespace hri::soft::phases
