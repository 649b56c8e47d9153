// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that inference over one hierarchy computes, as tables: the same for all models of a
// batch and for all iterations. Nothing is left out for being small.
//
//   DensePlan plan = make_dense_plan(hierarchy, protorules, options, sizes);
//   PlanView view = plan.view();            // or with the tables copied to a GPU
//
// A stratum is a set of rules that take their steps together: all of them, or with negation those
// of one layer. To a stratum, inputs and lower strata are fixed, its own rules move. An entry is a
// predicate seen through a view. A pair is two entries that some rules conjoin, a term is one of
// these rules. Pairs are worked off in chunks. Pairs of fixed entries come first: with sum pooling
// they are computed once.

#include "hri/model.hpp"

#include "soft/cuda/portable.hpp"
#include "soft/kernels/kernels.hpp"

#include <vector>

namespace hri::soft {

struct DenseRule {
    int combine;  // hypotheses::Combine
    int head;     // hypotheses::Plan::Head
    int disjunct_head;
    int reduce;  // the pooled conjunction is a vector
    int reduce_all;
    int has_disjunct;
    int depth;                      // how many steps before the last its value stops to matter
    int single_first, single_last;  // reads of the only conjoined slot
    int disjunct_first, disjunct_last;
};

/// A slot of one atom reads an entry with a weight.
struct DenseRead {
    int rule;
    int is_disjunct;
    int alpha;  // (slot, predicate)
    int entry;
};

struct DenseEntry {
    int predicate;
    int reduce;  // hypotheses::View::Reduce
    int transposed;
    int first, second;  // constants of the view, or -1
    int matrix;         // of its own; -1: the predicate's
    int moves;
    int has_gradient;
    int needs_columns;  // its maxima over the first axis
    int reads_first, reads_last;
};

struct DensePair {
    int left, right;  // entries
    Shape shape;      // meet, join, outer or column
    int term_first;   // rules that take the product, then its maxima, then its maximum
    int direct, reduced, total;
    int depth;  // the least of its rules'
};

struct DenseTerm {
    int pair;
    int rule;
    int depth;                    // the rule's
    int left_alpha, right_alpha;  // (slot, predicate)
};

/// A term as the sum of its rule sees it.
struct alignas(16) DenseShare {
    int term;
    int pair;       // of the chunk
    int is_column;  // its product is a column
    int unused;
};

/// Pairs of a chunk that give gradients to one entry.
struct DenseRun {
    int entry;
    int first, last;  // in run_pairs
};

struct DenseChunk {
    int pair_first, pair_last;
    int is_fixed;
    int term_first, term_last;
    int left_first, left_last;  // runs by left entry
    int right_first, right_last;
};

struct DenseStratum {
    int rule_first, rule_last;
    int entry_first, entry_moving, entry_last;  // fixed ones first
    int chunk_first, chunk_moving, chunk_last;
    int is_top;
};

/// Numbers that the tables depend on.
struct DenseSizes {
    int n = 1;  // constants
    int steps = 1;
    int chunk = 64;  // pairs at most
    int parts = 1;   // of long sums
    bool input_gradients = false;
};

/// Divides numbers below 2^31 by a number that is known beforehand: a product and a shift.
struct Divisor {
    unsigned by = 1;
    unsigned magic = 0x80000001U;
    int shift = 31;

    HRI_BOTH static Divisor of(int number) {
        Divisor result;
        result.by = static_cast<unsigned>(number);
        while ((1ULL << (result.shift - 31)) < result.by)
            ++result.shift;
        result.magic = static_cast<unsigned>((1ULL << result.shift) / result.by + 1);
        return result;
    }

    HRI_BOTH int quotient(int number) const {
        return static_cast<int>(
            static_cast<unsigned long long>(static_cast<unsigned>(number)) * magic >> shift);
    }

    HRI_BOTH int rest(int number) const { return number - quotient(number) * static_cast<int>(by); }
};

struct PlanView {
    // sizes
    int n, cells, area, steps, parts;
    Divisor by_n, by_cells;
    int predicates, inputs_end, auxiliaries, slots, dimension, negations;
    int entries, matrices, pairs, terms, reads, strata, chunk_pairs, target_candidates, atoms;
    // options
    And fuzzy_and;
    Or fuzzy_or;
    Similarity similarity;
    int merges_by_sum, pools_by_max, target_by_max, mask_absent, target_arity, trains_predicates;
    int gumbel_inside, input_gradients;
    double regularisation, log_floor;
    // tables
    const int* arity;             // (predicates)
    const int* negated;           // (negations)
    const int* candidate;         // (slots, predicates): whether it is one
    const int* target_candidate;  // (target_candidates): predicates
    const DenseRule* rule;
    const DenseRead* read;
    const int* entry_read;  // reads by entry
    const DenseEntry* entry;
    const DensePair* pair;
    const DenseTerm* term;
    const DenseStratum* stratum;
    const DenseChunk* chunk;
    const DenseRun* run;
    const int* run_pair;
    const DenseShare* rule_term;  // terms by chunk and rule
    const int* rule_term_first;   // (chunks, auxiliaries): begin and end
    const int* moving_entry;      // entries by rule that they see, of its own stratum
    const int* moving_first;      // (auxiliaries + 1)
    const int* fixed_entry;       // entries with gradients of other strata, by rule
    const int* fixed_first;       // (strata, auxiliaries + 1)
    const int* alpha_term;        // terms by (slot, predicate), with the other score of each
    const int* alpha_other;
    const int* alpha_first;  // (slots x predicates + 1)
};

/// Matrices begin in different banks of memory.
HRI_BOTH constexpr int area_of(int n) { return n * n | 1; }

/// The sizes that follow from the number of constants.
HRI_BOTH inline void set_constants(PlanView& plan, int n) {
    plan.n = n;
    plan.cells = n * n;
    plan.area = area_of(n);
    plan.atoms = plan.target_arity == 2 ? n * n : plan.target_arity == 1 ? n : 1;
    plan.by_n = Divisor::of(n);
    plan.by_cells = Divisor::of(n * n);
}

struct DensePlan {
    PlanView sizes{};  // without tables
    std::vector<int> arity, negated, candidate, target_candidate;
    std::vector<DenseRule> rules;
    std::vector<DenseRead> reads;
    std::vector<int> entry_reads;
    std::vector<DenseEntry> entries;
    std::vector<DensePair> pairs;
    std::vector<DenseTerm> terms;
    std::vector<DenseStratum> strata;
    std::vector<DenseChunk> chunks;
    std::vector<DenseRun> runs;
    std::vector<int> run_pairs;
    std::vector<DenseShare> rule_terms;
    std::vector<int> rule_term_first;
    std::vector<int> moving_entries, moving_first, fixed_entries, fixed_first;
    std::vector<int> alpha_terms, alpha_others, alpha_first;

    /// visit(pointer in the view, table) for each table.
    template <class View, class Visit>
    void each_table(View& view, const Visit& visit) const {
        visit(view.arity, arity);
        visit(view.negated, negated);
        visit(view.candidate, candidate);
        visit(view.target_candidate, target_candidate);
        visit(view.rule, rules);
        visit(view.read, reads);
        visit(view.entry_read, entry_reads);
        visit(view.entry, entries);
        visit(view.pair, pairs);
        visit(view.term, terms);
        visit(view.stratum, strata);
        visit(view.chunk, chunks);
        visit(view.run, runs);
        visit(view.run_pair, run_pairs);
        visit(view.rule_term, rule_terms);
        visit(view.rule_term_first, rule_term_first);
        visit(view.moving_entry, moving_entries);
        visit(view.moving_first, moving_first);
        visit(view.fixed_entry, fixed_entries);
        visit(view.fixed_first, fixed_first);
        visit(view.alpha_term, alpha_terms);
        visit(view.alpha_other, alpha_others);
        visit(view.alpha_first, alpha_first);
    }

    /// A view of the tables here; the plan has to outlive it.
    PlanView view() const {
        PlanView result = sizes;
        each_table(result, [](auto& pointer, const auto& table) { pointer = table.data(); });
        return result;
    }
};

DensePlan make_dense_plan(const Hierarchy& hierarchy, const ProtoRules& protorules,
                          const Options& options, int dimension, const DenseSizes& sizes);

}  // namespace hri::soft
