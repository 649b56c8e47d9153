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
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseRule& rule = w.plan.rule[r];
    int& claim = w.claim[w.cell_of(r) + cell];
    if (claim >= 0 || (rule.reduce != 0 && cell >= w.plan.n) || !matters(w, rule.depth, k.s))
        return;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int* range = w.plan.rule_term_first + 2 * (k.chunk * w.plan.auxiliaries + r);
    const Real pooled = w.conjunction_of(k.s, r)[cell];
    const Products<Real> from = products_for(w, rule, cell);
    for (int i = range[0]; i < range[1]; ++i) {
        const DenseShare share = w.plan.rule_term[i];
        if (counts(w, w.plan.pair[chunk.pair_first + share.pair], share.term, k.s - 1) &&
            w.weight[share.term] * from.of(share) >= pooled) {
            claim = share.term;
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
        const Real* product = w.product + w.cell_of(p);
        const Real* d = (k.flag ? w.d_and_sum : w.d_and) + w.cell_of(term.rule);
        if (rule.reduce != 0) {
            for (int y = part; y < n; y += w.plan.parts)
                sum += d_term(w, t, term.rule, y, k.flag) *
                       (rule.reduce_all != 0 ? w.total[p] : w.reduced[p * n + y]);
        } else if (pair.shape == Shape::column) {
            for (int x = part; x < n; x += w.plan.parts)
                sum += d_term_row(w, t, term.rule, x, k.flag) * product[x];
        } else if (w.plan.pools_by_max == 0) {
            for (int cell = part; cell < w.plan.cells; cell += w.plan.parts)
                sum += d[cell] * product[cell];
        } else {
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

/// What the rules that take maxima over x give to the cell (x, y) of a pair's product.
template <class Real>
HRI_BOTH inline Real d_maxima(const DenseWork<Real>& w, const DensePair& pair, int p, int x, int y,
                              At k) {
    const int n = w.plan.n;
    Real sum = 0;
    if (w.reduced_winner[p * n + y] != x)
        return sum;
    int t = pair.term_first + pair.direct;
    for (const int end = t + pair.reduced; t < end; ++t) {
        const int r = w.plan.term[t].rule;
        if (matters(w, w.plan.term[t].depth, k.s))
            sum += w.weight[t] * d_term(w, t, r, y, k.flag);
    }
    for (const int end = t + pair.total; t < end && w.total_winner[p] == y; ++t) {
        const int r = w.plan.term[t].rule;
        for (int i = 0; i < n && matters(w, w.plan.rule[r].depth, k.s); ++i)
            sum += w.weight[t] * d_term(w, t, r, i, k.flag);
    }
    return sum;
}

/// The gradient of a cell of a product; of a column, y is 0.
template <class Real>
HRI_BOTH inline void product_backward(const DenseWork<Real>& w, const DensePair& pair, int p, int x,
                                      int y, At k) {
    const int n = w.plan.n;
    const bool column = pair.shape == Shape::column;
    Real sum = 0;
    for (int t = pair.term_first; t < pair.term_first + pair.direct; ++t) {
        const int r = w.plan.term[t].rule;
        if (matters(w, w.plan.term[t].depth, k.s))
            sum += w.weight[t] *
                   (column ? d_term_row(w, t, r, x, k.flag) : d_term(w, t, r, x * n + y, k.flag));
    }
    if (pair.reduced + pair.total > 0)
        sum += d_maxima(w, pair, p, x, y, k);
    w.d_product[w.cell_of(p) + (column ? x : x * n + y)] = sum;
}

// The gradient of the products. Items: (pair of the chunk, x).
template <class Real>
HRI_BOTH inline void products_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + p];
    if (!has_gradient(w, pair) || !matters(w, pair.depth, k.s))
        return;
    if (pair.shape == Shape::column || w.plan.pools_by_max != 0) {
        for (int y = 0; y < (pair.shape == Shape::column ? 1 : n); ++y)
            product_backward(w, pair, p, x, y, k);
        return;
    }
    constexpr int kAtOnce = 4;
    const Real* all = (k.flag ? w.d_and_sum : w.d_and) + x * n;
    Real* out = w.d_product + w.cell_of(p) + x * n;
    for (int y = 0; y < n; y += kAtOnce) {
        Real sums[kAtOnce] = {0, 0, 0, 0};
        for (int t = pair.term_first; t < pair.term_first + pair.direct; ++t) {
            const DenseTerm& term = w.plan.term[t];
            if (!matters(w, term.depth, k.s))
                continue;
            const Real weight = w.weight[t];
            const Real* d = all + w.cell_of(term.rule) + y;
            for (int i = 0; i < kAtOnce; ++i)
                if (y + i < n)
                    sums[i] += weight * d[i];
        }
        for (int i = 0; i < kAtOnce; ++i)
            if (y + i < n)
                out[y + i] =
                    sums[i] +
                    (pair.reduced + pair.total > 0 ? d_maxima(w, pair, p, x, y + i, k) : Real(0));
    }
}

// What the product's gradient gives to row x of the left operand, in place of the product. Items:
// (pair of the chunk, x).
template <class Real>
HRI_BOTH inline void left_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + p];
    if (w.plan.entry[pair.left].has_gradient == 0 || !matters(w, pair.depth, k.s))
        return;
    const And op = w.plan.fuzzy_and;
    const Real* left = w.seen[pair.left] + x * n;
    const Real* right = w.seen[pair.right];
    const Real* d = w.d_product + w.cell_of(p);
    const std::uint16_t* winner = w.winner + w.cell_of(p);
    Real* out = w.product + w.cell_of(p) + x * n;
    if (pair.shape == Shape::meet) {
        for (int y = 0; y < n; ++y)
            out[y] = d[x * n + y] * conjunction_backward(op, left[y], right[x * n + y]).left;
        return;
    }
    for (int z = 0; z < n; ++z)
        out[z] = 0;
    if (pair.shape == Shape::outer) {
        Real sum = 0;
        for (int y = 0; y < n; ++y)
            sum += d[x * n + y] *
                   conjunction_backward(op, left[0], w.columns[pair.right * n + y]).left;
        out[0] = sum;
    } else if (pair.shape == Shape::column) {
        const int z = winner[x];
        out[z] = d[x] * conjunction_backward(op, left[z], right[z * n]).left;
    } else {
        for (int y = 0; y < n; ++y) {
            const int z = winner[x * n + y];
            out[z] += d[x * n + y] * conjunction_backward(op, left[z], right[z * n + y]).left;
        }
    }
}

// The same to column y of the right operand; to its maxima (row 0) where these are joined. Items:
// (pair of the chunk, y).
template <class Real>
HRI_BOTH inline void right_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = w.plan.by_n.quotient(item);
    const int y = w.plan.by_n.rest(item);
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + p];
    if (w.plan.entry[pair.right].has_gradient == 0 || !matters(w, pair.depth, k.s))
        return;
    const And op = w.plan.fuzzy_and;
    const Real* left = w.seen[pair.left];
    const Real* right = w.seen[pair.right] + y;
    const Real* d = w.d_product + w.cell_of(p);
    const std::uint16_t* winner = w.winner + w.cell_of(p);
    Real* out = w.product + w.cell_of(p) + y;
    if (pair.shape == Shape::meet) {
        for (int x = 0; x < n; ++x)
            out[x * n] =
                d[x * n + y] * conjunction_backward(op, left[x * n + y], right[x * n]).right;
        return;
    }
    if (pair.shape == Shape::outer) {
        Real sum = 0;
        for (int x = 0; x < n; ++x)
            sum += d[x * n + y] *
                   conjunction_backward(op, left[x * n], w.columns[pair.right * n + y]).right;
        *out = sum;
        return;
    }
    for (int z = 0; z < n; ++z)
        out[z * n] = 0;
    if (pair.shape == Shape::column) {
        for (int x = 0; x < n && y == 0; ++x) {
            const int z = winner[x];
            out[z * n] += d[x] * conjunction_backward(op, left[x * n + z], right[z * n]).right;
        }
        return;
    }
    for (int x = 0; x < n; ++x) {
        const int z = winner[x * n + y];
        out[z * n] += d[x * n + y] * conjunction_backward(op, left[x * n + z], right[z * n]).right;
    }
}

/// Adds what the pairs of a run give to a cell of their entry.
template <class Real>
HRI_BOTH inline void collect(const DenseWork<Real>& w, const DenseRun& run, int cell, bool is_right,
                             At k) {
    const int first = w.plan.chunk[k.chunk].pair_first;
    Real sum = 0;
    Real of_columns = 0;
    for (int i = run.first; i < run.last; ++i) {
        const int number = w.plan.run_pair[i];
        const DensePair& pair = w.plan.pair[number];
        if (!matters(w, pair.depth, k.s))
            continue;
        if (!is_right || pair.shape != Shape::outer)
            sum += w.product[w.cell_of(number - first) + cell];
        else if (cell < w.plan.n)
            of_columns += w.product[w.cell_of(number - first) + cell];
    }
    w.d_entry[w.cell_of(run.entry) + cell] += sum;
    if (is_right && cell < w.plan.n)
        w.d_columns[run.entry * w.plan.n + cell] += of_columns;
}

// Items: (run of left entries, cell).
template <class Real>
HRI_BOTH inline void left_collect(const DenseWork<Real>& w, int item, At k) {
    const int run = w.plan.chunk[k.chunk].left_first + w.plan.by_cells.quotient(item);
    collect(w, w.plan.run[run], w.plan.by_cells.rest(item), false, k);
}

// Items: (run of right entries, cell).
template <class Real>
HRI_BOTH inline void right_collect(const DenseWork<Real>& w, int item, At k) {
    const int run = w.plan.chunk[k.chunk].right_first + w.plan.by_cells.quotient(item);
    collect(w, w.plan.run[run], w.plan.by_cells.rest(item), true, k);
}

}  // namespace hri::soft::phases
