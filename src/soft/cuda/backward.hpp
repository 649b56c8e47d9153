// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward inference in phases, as forward.hpp. What a processor adds where it belongs is collected
// here by the one item that owns the sum.

#include "soft/cuda/forward.hpp"

namespace hri::soft::phases {

/// Long sums are split: part i of a job takes every parts-th cell from i on.
template <class Real>
HRI_BOTH inline void add_part(const DenseWork<Real>& w, Real* out, int job, int part, Real sum) {
    if (w.plan.parts == 1)
        *out += sum;
    else
        w.partial[static_cast<long long>(job) * w.plan.parts + part] = sum;
}

template <class Real>
HRI_BOTH inline Real sum_of_parts(const DenseWork<Real>& w, int job) {
    Real sum = 0;
    for (int i = 0; i < w.plan.parts; ++i)
        sum += w.partial[static_cast<long long>(job) * w.plan.parts + i];
    return sum;
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    Real d = 0;
    for (int i = 0; i < w.plan.target_candidates; ++i) {
        if (w.plan.target_candidate[i] - w.plan.inputs_end != r)
            continue;
        int atom = cell;
        bool is_source = true;
        if (w.plan.target_arity < 2) {
            const int x = cell / n;
            atom = w.plan.target_arity == 1 ? x : 0;
            is_source =
                w.target_winner[i * n + x] == cell % n &&
                (w.plan.target_arity == 1 || largest(w.target_row + i * n, n, 1).index == x);
        }
        if (is_source && takes_atom(w, i, atom))
            d += target_score(w, i) * w.d_target[atom];
    }
    w.d_values[w.cell_of(r) + cell] = d;
}

// d_values of a lower stratum. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void take_final(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const long long i = w.cell_of(r) + item % w.plan.cells;
    w.d_values[i] = w.d_final[i];
}

// Items: (auxiliary, cell).
template <class Real>
HRI_BOTH inline void clear_final(const DenseWork<Real>& w, int item, At) {
    w.d_final[w.cell_of(item / w.plan.cells) + item % w.plan.cells] = 0;
}

// Gradients of fixed entries begin at 0, and so does d_and_sum. Items: (entry, cell).
template <class Real>
HRI_BOTH inline void clear_entries(const DenseWork<Real>& w, int item, At k) {
    const int e = k.first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    w.d_entry[w.cell_of(e) + cell] = 0;
    if (cell < w.plan.n)
        w.d_columns[e * w.plan.n + cell] = 0;
}

// Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void clear_sums(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    w.d_and_sum[w.cell_of(r) + item % w.plan.cells] = 0;
}

// Through MERGE and OR: d_values becomes the gradient of the conjunction under the head. Items:
// (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void rules_backward(const DenseWork<Real>& w, int item, At k) {
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
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
                          cell / w.plan.n == cell % w.plan.n;
        g = d.left;
        w.d_or[i] = kept ? d.right : Real(0);
    }
    w.d_values[i] = g;
}

// d_and from d_values, back from under the head. Items: (rule of the stratum, cell).
template <class Real>
HRI_BOTH inline void heads_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    const int x = cell / n;
    const int y = cell % n;
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / n;
    const int x = item % n;
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
               w.alpha[read.alpha] * w.seen(read.entry, s - 1)[cell] >= pooled;
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
        const Real* u = w.seen(read.entry, k.s - 1);
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
    const int e = k.first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
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

// Columns' maxima to the matrices that they are of. Items: (entry, y).
template <class Real>
HRI_BOTH inline void columns_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + item / n;
    const int y = item % n;
    if (w.plan.entry[e].needs_columns == 0 || w.plan.entry[e].has_gradient == 0)
        return;
    w.d_entry[w.cell_of(e) + w.column_winner[e * n + y] * n + y] += w.d_columns[e * n + y];
}

// vector[e, x]: sums of an entry's gradients over the axis on which a reducing view does not
// depend. Items: (entry, x).
template <class Real>
HRI_BOTH inline void vectors_backward(const DenseWork<Real>& w, int item, At k) {
    const int n = w.plan.n;
    const int e = k.first + item / n;
    const int x = item % n;
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
    const int x = cell / n;
    const int y = cell % n;
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
    const int r = w.plan.stratum[k.stratum].rule_first + item / w.plan.cells;
    const int cell = item % w.plan.cells;
    Real sum = w.d_previous[w.cell_of(r) + cell];
    for (int i = w.plan.moving_first[r]; i < w.plan.moving_first[r + 1]; ++i)
        sum += through_view(w, w.plan.moving_entry[i], cell);
    w.d_values[w.cell_of(r) + cell] = sum;
}

// Entries of lower strata to their last valuations. Items: (auxiliary, cell).
template <class Real>
HRI_BOTH inline void fixed_backward(const DenseWork<Real>& w, int item, At k) {
    const int r = item / w.plan.cells;
    const int cell = item % w.plan.cells;
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
