// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of forward inference in phases: products of pairs, pooling, rules.

#include "soft/cuda/views.hpp"

namespace hri::soft::phases {

/// Whether a rule's or a pair's value after step s of the stratum still matters.
template <class Real>
HRI_BOTH inline bool matters(const DenseWork<Real>& w, int depth, int s) {
    return w.plan.steps - s >= depth;
}

/// max_z and(left[z], right[z]) and the first z that attains it.
template <class Real>
HRI_BOTH inline Largest<Real> joined(And op, const Real* left, const Real* right, int right_stride,
                                     int n) {
    Largest<Real> best = {conjunction(op, left[0], right[0]), 0};
    if (op == And::min) {  // what training does by default
        for (int z = 1; z < n; ++z) {
            right += right_stride;
            const Real m = left[z] < *right ? left[z] : *right;
            if (m > best.value)
                best = {m, z};
        }
        return best;
    }
    for (int z = 1; z < n; ++z) {
        right += right_stride;
        const Real m = conjunction(op, left[z], *right);
        if (m > best.value)
            best = {m, z};
    }
    return best;
}

/// A cell of a product that is no join.
template <class Real>
HRI_BOTH inline void product_cell(const DenseWork<Real>& w, const DensePair& pair, int p, int x,
                                  int y) {
    const int n = w.plan.n;
    const Real* left = w.seen[pair.left];
    const Real* right = w.seen[pair.right];
    Real* out = w.product + w.cell_of(p);
    if (pair.shape == Shape::meet) {
        out[x * n + y] = conjunction(w.plan.fuzzy_and, left[x * n + y], right[x * n + y]);
    } else if (pair.shape == Shape::outer) {
        out[x * n + y] = conjunction(w.plan.fuzzy_and, left[x * n], w.columns[pair.right * n + y]);
    } else if (y == 0) {
        const Largest<Real> best = joined(w.plan.fuzzy_and, left + x * n, right, n, n);
        out[x] = best.value;
        w.winner[w.cell_of(p) + x] = static_cast<std::uint16_t>(best.index);
    }
}

// product[pair] and, where it is a join, what attains it. Items: (pair of the chunk, x).
template <class Real>
HRI_BOTH inline void products(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = w.plan.by_n.quotient(item);
    const int x = w.plan.by_n.rest(item);
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + p];
    if (!matters(w, pair.depth, k.s))
        return;
    if (pair.shape != Shape::join) {
        for (int y = 0; y < (pair.shape == Shape::column ? 1 : n); ++y)
            product_cell(w, pair, p, x, y);
        return;
    }
    const And op = w.plan.fuzzy_and;
    const Real* left = w.seen[pair.left] + x * n;
    const Real* right = w.seen[pair.right];
    Real* out = w.product + w.cell_of(p) + x * n;
    std::uint16_t* winner = w.winner + w.cell_of(p) + x * n;
    int y = 0;
    for (; op == And::min && y + 3 <= n; y += 3) {  // three cells share what is read on the left
        const Real* row = right + y;
        Real best[3] = {-1, -1, -1};
        int first[3] = {0, 0, 0};
        if (k.winners) {
            for (int z = 0; z < n; ++z, row += n)
                for (int i = 0; i < 3; ++i) {
                    const Real m = left[z] < row[i] ? left[z] : row[i];
                    first[i] = m > best[i] ? z : first[i];
                    best[i] = m > best[i] ? m : best[i];
                }
        } else {
            for (int z = 0; z < n; ++z, row += n)
                for (int i = 0; i < 3; ++i) {
                    const Real m = left[z] < row[i] ? left[z] : row[i];
                    best[i] = m > best[i] ? m : best[i];
                }
        }
        for (int i = 0; i < 3; ++i) {
            out[y + i] = best[i];
            if (k.winners)
                winner[y + i] = static_cast<std::uint16_t>(first[i]);
        }
    }
    for (; y < n; ++y) {
        const Largest<Real> best = joined(op, left, right + y, n, n);
        out[y] = best.value;
        winner[y] = static_cast<std::uint16_t>(best.index);
    }
}

// reduced[pair, y] = max_x product[x, y]. Items: (pair of the chunk, y).
template <class Real>
HRI_BOTH inline void reductions(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = w.plan.by_n.quotient(item);
    const int y = w.plan.by_n.rest(item);
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + p];
    if (pair.reduced + pair.total == 0 || !matters(w, pair.depth, k.s))
        return;
    const Largest<Real> top = largest(w.product + w.cell_of(p) + y, n, n);
    w.reduced[p * n + y] = top.value;
    w.reduced_winner[p * n + y] = static_cast<std::uint16_t>(top.index);
}

// total[pair] = max_y reduced[y]. Items: pairs of the chunk.
template <class Real>
HRI_BOTH inline void totals(const DenseWork<Real>& w, int item, At k) {
    const DensePair& pair = w.plan.pair[w.plan.chunk[k.chunk].pair_first + item];
    if (pair.total == 0 || !matters(w, pair.depth, k.s))
        return;
    const Largest<Real> top = largest(w.reduced + item * w.plan.n, w.plan.n, 1);
    w.total[item] = top.value;
    w.total_winner[item] = static_cast<std::uint16_t>(top.index);
}

/// Where a rule finds what it takes of a chunk's products: these, or their maxima.
template <class Real>
struct Products {
    const Real* first;
    int stride;  // from pair to pair
    int cell;
    int row;  // of a product that is a column

    HRI_BOTH Real of(const DenseShare& share) const {
        return first[share.pair * stride + (share.is_column != 0 ? row : cell)];
    }
};

template <class Real>
HRI_BOTH inline Products<Real> products_for(const DenseWork<Real>& w, const DenseRule& rule,
                                            int cell) {
    if (rule.reduce_all != 0)
        return {w.total, 1, 0, 0};
    if (rule.reduce != 0)
        return {w.reduced, w.plan.n, cell, 0};
    return {w.product, w.plan.area, cell, w.plan.by_n.quotient(cell)};
}

/// With max pooling, pairs that are 0 or have no weight take no part.
template <class Real>
HRI_BOTH inline bool counts(const DenseWork<Real>& w, const DensePair& pair, int term, int s) {
    return w.weight[term] > 0 && !w.is_zero(pair.left, s) && !w.is_zero(pair.right, s);
}

// Pools the chunk into the sums of rules: of fixed pairs into `base`, of others into the step's.
// The first chunk (flag) starts them. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void pool(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseRule& rule = w.plan.rule[r];
    if (rule.combine == static_cast<int>(hypotheses::Combine::single) ||
        (rule.reduce != 0 && cell >= w.plan.n) || !matters(w, rule.depth, k.s))
        return;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int* range = w.plan.rule_term_first + 2 * (k.chunk * w.plan.auxiliaries + r);
    Real* out = (chunk.is_fixed != 0 ? w.base + w.cell_of(r) : w.conjunction_of(k.s, r)) + cell;
    Real sum = !k.flag ? *out : chunk.is_fixed != 0 ? Real(0) : w.base[w.cell_of(r) + cell];
    const Products<Real> from = products_for(w, rule, cell);
    for (int i = range[0]; i < range[1]; ++i) {
        const DenseShare share = w.plan.rule_term[i];
        const Real value = w.weight[share.term] * from.of(share);
        if (w.plan.pools_by_max == 0)
            sum += value;
        else if (value > sum &&
                 counts(w, w.plan.pair[chunk.pair_first + share.pair], share.term, k.s - 1))
            sum = value;
    }
    *out = sum;
}

// Where a step has no moving pairs: the fixed ones' sums. Items as above.
template <class Real>
HRI_BOTH inline void copy_base(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    w.conjunction_of(k.s, r)[cell] = w.base[w.cell_of(r) + cell];
}

template <class Real>
HRI_BOTH inline void clear_base(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    w.base[w.cell_of(r) + w.plan.by_cells.rest(item)] = 0;
    w.value(0, r)[w.plan.by_cells.rest(item)] = 0;
}

/// pool_P alpha[P] of what the reads see at a cell.
template <class Real>
HRI_BOTH inline Real pooled_reads(const DenseWork<Real>& w, int first, int last, int cell, int s) {
    Real sum = 0;
    for (int i = first; i < last; ++i) {
        const DenseRead& read = w.plan.read[i];
        const Real value = w.alpha[read.alpha] * w.seen[read.entry][cell];
        if (w.plan.pools_by_max == 0)
            sum += value;
        else if (value > sum && !w.is_zero(read.entry, s))
            sum = value;
    }
    return sum;
}

// Slots of one atom: a rule's only one, and disjuncts. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void pool_slots(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseRule& rule = w.plan.rule[r];
    if (!matters(w, rule.depth, k.s))
        return;
    if (rule.combine == static_cast<int>(hypotheses::Combine::single))
        w.conjunction_of(k.s, r)[cell] =
            pooled_reads(w, rule.single_first, rule.single_last, cell, k.s - 1);
    if (rule.has_disjunct == 0)
        return;
    const bool kept = static_cast<Head>(rule.disjunct_head) != Head::diagonal ||
                      w.plan.by_n.quotient(cell) == w.plan.by_n.rest(cell);
    w.disjunct_of(k.s, r)[cell] =
        kept ? pooled_reads(w, rule.disjunct_first, rule.disjunct_last, cell, k.s - 1) : Real(0);
}

/// The pooled conjunction under the head.
template <class Real>
HRI_BOTH inline Real placed(const DenseWork<Real>& w, const DenseRule& rule, const Real* sum,
                            int cell) {
    const int n = w.plan.n;
    const int x = w.plan.by_n.quotient(cell);
    const int y = w.plan.by_n.rest(cell);
    const bool is_row = rule.reduce != 0;
    switch (static_cast<Head>(rule.head)) {
        case Head::direct:
            return is_row ? sum[x] : sum[cell];
        case Head::transposed:
            return is_row ? sum[y] : sum[y * n + x];
        default:
            return x == y ? (is_row ? sum[x] : sum[x * n]) : Real(0);
    }
}

// value = MERGE(old, OR(conjunction under the head, disjunct)). Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void apply_rules(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const DenseRule& rule = w.plan.rule[r];
    if (!matters(w, rule.depth, k.s))
        return;
    Real v = placed(w, rule, w.conjunction_of(k.s, r), cell);
    if (rule.has_disjunct != 0)
        v = disjunction(w.plan.fuzzy_or, v, w.disjunct_of(k.s, r)[cell]);
    if (w.plan.merges_by_sum != 0 && k.s > 1) {
        v += w.value(k.s - 1, r)[cell];
        v = v < 1 ? v : Real(1);
    }
    w.value(k.s, r)[cell] = v;
}

// 1 - v of the stratum's rules. Items: (negation, cell).
template <class Real>
HRI_BOTH inline void negate(const DenseWork<Real>& w, int item, At k) {
    const int i = w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const int r = w.plan.negated[i] - w.plan.inputs_end;
    const DenseStratum& stratum = w.plan.stratum[k.stratum];
    if (r < stratum.rule_first || r >= stratum.rule_last)
        return;
    const Real v = 1 - w.value(w.plan.steps, r)[cell];
    w.negations[w.cell_of(i) + cell] = v > 0 ? v : Real(0);
}

}  // namespace hri::soft::phases
