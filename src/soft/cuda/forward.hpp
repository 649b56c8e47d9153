// SPDX-License-Identifier: Apache-2.0
#pragma once

// Forward inference in phases. A phase is a function of one item; items of a phase are independent
// of each other, and each number is written by one item alone. So any number of threads gives the
// same bits.

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
    Largest<Real> best = {values[0], 0};
    for (int i = 1; i < count; ++i)
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
    const int e = k.first + item / n;
    const int x = item % n;
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
    const int e = k.first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const DenseEntry& entry = w.plan.entry[e];
    if (entry.matrix < 0)
        return;
    const int x = cell / n;
    const int y = cell % n;
    Real* out = w.matrix + w.cell_of(entry.matrix);
    if (static_cast<Reduce>(entry.reduce) == Reduce::none)
        out[cell] = w.valuation(entry.predicate, entry.moves != 0 ? k.s : w.plan.steps)[y * n + x];
    else if (takes_maximum(entry.reduce))
        out[cell] = largest(w.vector + e * n, n, 1).value;
    else
        out[cell] = w.vector[e * n + (entry.transposed != 0 ? y : x)];
}

// columns[e, y] = max_x of the entry's matrix. Items: (entry, y).
template <class Real>
HRI_BOTH inline void view_columns(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + item / n;
    if (w.plan.entry[e].needs_columns == 0)
        return;
    const Largest<Real> top = largest(w.seen(e, k.s) + item % n, n, n);
    w.columns[e * n + item % n] = top.value;
    w.column_winner[e * n + item % n] = top.index;
}

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

// Maxima of candidates over the second argument, where the target has fewer. Items: (candidate, x).
template <class Real>
HRI_BOTH inline void target_rows(const DenseWork<Real>& w, int item, At) {
    const int n = w.plan.n;
    const int r = w.plan.target_candidate[item / n] - w.plan.inputs_end;
    const Largest<Real> top = largest(w.value(w.plan.steps, r) + item % n * n, n, 1);
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

// Sums of the loss, of square errors and of labelled atoms. Items: parts.
template <class Real>
HRI_BOTH inline void loss_parts(const DenseWork<Real>& w, int item, At) {
    Real loss = 0;
    Real error = 0;
    Real count = 0;
    for (int i = item; i < w.plan.atoms; i += w.plan.parts) {
        const int label = w.label[i];
        if (label < 0)
            continue;
        loss += surprise(w.target[i], label);
        const Real difference = w.target[i] - static_cast<Real>(label);
        error += difference * difference;
        count += 1;
    }
    Real spread = 0;
    for (int i = item; i < w.plan.slots * w.plan.predicates; i += w.plan.parts)
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
    for (int i = 0; i < w.plan.parts; ++i)
        for (int j = 0; j < 3; ++j)
            sums[j] += w.partial[3 * i + j];
    w.outcome[0] = sums[0];
    w.outcome[1] = sums[2] > 0 ? sums[1] / sums[2] : Real(0);
}

}  // namespace hri::soft::phases
