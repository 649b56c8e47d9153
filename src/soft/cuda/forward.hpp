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
    for (int z = 1; z < n; ++z) {
        const Real m = conjunction(op, left[z], right[static_cast<long long>(z) * right_stride]);
        if (m > best.value)
            best = {m, z};
    }
    return best;
}

// product[pair] and, where it is a join, what attains it. Items: (pair of the chunk, cell).
template <class Real>
HRI_BOTH inline void products(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int p = item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DensePair& pair = w.plan.pair[chunk.pair_first + p];
    if (!matters(w, pair.depth, k.s))
        return;
    const int x = cell / n;
    const int y = cell % n;
    const Real* left = w.seen(pair.left, k.s - 1);
    const Real* right = w.seen(pair.right, k.s - 1);
    Real* out = w.product + w.cell_of(p);
    switch (pair.shape) {
        case Shape::meet:
            out[cell] = conjunction(w.plan.fuzzy_and, left[cell], right[cell]);
            break;
        case Shape::outer:
            out[cell] = conjunction(w.plan.fuzzy_and, left[x * n], w.columns[pair.right * n + y]);
            break;
        case Shape::column: {
            if (y > 0)
                return;
            const Largest<Real> best = joined(w.plan.fuzzy_and, left + x * n, right, n, n);
            out[x] = best.value;
            w.winner[w.cell_of(p) + x] = static_cast<std::uint16_t>(best.index);
            break;
        }
        default: {
            const Largest<Real> best = joined(w.plan.fuzzy_and, left + x * n, right + y, n, n);
            out[cell] = best.value;
            w.winner[w.cell_of(p) + cell] = static_cast<std::uint16_t>(best.index);
        }
    }
}

// reduced[pair, y] = max_x product[x, y]. Items: (pair of the chunk, y).
template <class Real>
HRI_BOTH inline void reductions(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int p = item / n;
    const int y = item % n;
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

/// What a rule takes of a pair's product at a cell, or of its maxima.
template <class Real>
HRI_BOTH inline Real product_for(const DenseWork<Real>& w, const DenseRule& rule,
                                 const DensePair& pair, int p, int cell) {
    if (rule.reduce_all != 0)
        return w.total[p];
    if (rule.reduce != 0)
        return w.reduced[p * w.plan.n + cell];
    return w.product[w.cell_of(p) + (pair.shape == Shape::column ? cell / w.plan.n : cell)];
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DenseRule& rule = w.plan.rule[r];
    if (rule.combine == static_cast<int>(hypotheses::Combine::single) ||
        (rule.reduce != 0 && cell >= w.plan.n) || !matters(w, rule.depth, k.s))
        return;
    const DenseChunk& chunk = w.plan.chunk[k.chunk];
    const int* range = w.plan.rule_term_first + 2 * (k.chunk * w.plan.auxiliaries + r);
    Real* out = (chunk.is_fixed != 0 ? w.base + w.cell_of(r) : w.conjunction_of(k.s, r)) + cell;
    Real sum = !k.flag ? *out : chunk.is_fixed != 0 ? Real(0) : w.base[w.cell_of(r) + cell];
    for (int i = range[0]; i < range[1]; ++i) {
        const int t = w.plan.rule_term[i];
        const DenseTerm& term = w.plan.term[t];
        const int p = term.pair - chunk.pair_first;
        const DensePair& pair = w.plan.pair[term.pair];
        const Real value = w.weight[t] * product_for(w, rule, pair, p, cell);
        if (w.plan.pools_by_max == 0)
            sum += value;
        else if (value > sum && counts(w, pair, t, k.s - 1))
            sum = value;
    }
    *out = sum;
}

// Where a step has no moving pairs: the fixed ones' sums. Items as above.
template <class Real>
HRI_BOTH inline void copy_base(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    w.conjunction_of(k.s, r)[cell] = w.base[w.cell_of(r) + cell];
}

template <class Real>
HRI_BOTH inline void clear_base(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    w.base[w.cell_of(r) + item % w.plan.cells] = 0;
    w.value(0, r)[item % w.plan.cells] = 0;
}

/// pool_P alpha[P] of what the reads see at a cell.
template <class Real>
HRI_BOTH inline Real pooled_reads(const DenseWork<Real>& w, int first, int last, int cell, int s) {
    Real sum = 0;
    for (int i = first; i < last; ++i) {
        const DenseRead& read = w.plan.read[i];
        const Real value = w.alpha[read.alpha] * w.seen(read.entry, s)[cell];
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DenseRule& rule = w.plan.rule[r];
    if (!matters(w, rule.depth, k.s))
        return;
    if (rule.combine == static_cast<int>(hypotheses::Combine::single))
        w.conjunction_of(k.s, r)[cell] =
            pooled_reads(w, rule.single_first, rule.single_last, cell, k.s - 1);
    if (rule.has_disjunct == 0)
        return;
    const bool kept = static_cast<Head>(rule.disjunct_head) != Head::diagonal ||
                      cell / w.plan.n == cell % w.plan.n;
    w.disjunct_of(k.s, r)[cell] =
        kept ? pooled_reads(w, rule.disjunct_first, rule.disjunct_last, cell, k.s - 1) : Real(0);
}

/// The pooled conjunction under the head.
template <class Real>
HRI_BOTH inline Real placed(const DenseWork<Real>& w, const DenseRule& rule, const Real* sum,
                            int cell) {
    const int n = w.plan.n;
    const int x = cell / n;
    const int y = cell % n;
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
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
    const int i = item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const int r = w.plan.negated[i] - w.plan.inputs_end;
    const DenseStratum& stratum = w.plan.stratum[k.stratum];
    if (r < stratum.rule_first || r >= stratum.rule_last)
        return;
    const Real v = 1 - w.value(w.plan.steps, r)[cell];
    w.negations[w.cell_of(i) + cell] = v > 0 ? v : Real(0);
}

}  // namespace hri::soft::phases
