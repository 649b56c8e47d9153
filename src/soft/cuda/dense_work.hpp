// SPDX-License-Identifier: Apache-2.0
#pragma once

// The numbers of one model in training: where its buffers are. On a GPU those that are read most
// lie in a multiprocessor's own memory where there is room.

#include "soft/cuda/dense_plan.hpp"
#include "soft/cuda/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace hri::soft {

/// The values that change from iteration to iteration, for all models.
struct DenseIteration {
    double temperature = 1;
    double predicate_noise = 0;
    double slot_noise = 0;
    double gumbel = 0;
    double predicate_rate = 0;  // of Adam, with its bias
    double slot_rate = 0;
    double correction = 1;
    int to_unit_length = 0;  // rows are scaled first
    int number = 0;          // names the random numbers
};

template <class Real>
struct DenseWork {
    PlanView plan;
    DenseIteration now;
    unsigned long long seed;

    // The instance
    const Real* inputs;        // (inputs_end, area): True, False, inputs
    const std::int8_t* label;  // (atoms): 1, 0, or -1 without
    const std::int8_t* zero;   // (inputs_end): no fact
    const int* constant;       // of the proto-rules; -1: the instance lacks it
    const Real* given_gumbel;  // (slots, predicates), or null: drawn

    // Parameters
    Real* predicates;                                                   // (predicates, dimension)
    Real* slots;                                                        // (slots, dimension)
    Real *predicate_mean, *predicate_square, *slot_mean, *slot_square;  // Adam's

    // Unification
    Real *noisy_predicates, *noisy_slots;  // of unit length under cosine
    Real *predicate_norm, *slot_norm;
    Real *d_predicates, *d_slots;
    Real *alpha, *d_alpha;    // (slots, predicates)
    Real *weight, *d_weight;  // (terms)

    // Inference
    Real* values;                        // (steps + 1, auxiliaries, area)
    Real* ands;                          // (steps, auxiliaries, area)
    Real* ors;                           // (steps, auxiliaries, area)
    Real* base;                          // (auxiliaries, area): what fixed pairs give
    Real* negations;                     // (negations, area)
    Real* matrix;                        // (matrices, area)
    const Real** seen;                   // (entries): matrices as the step at hand sees them
    Real* vector;                        // (entries, n): of views that reduce, then gradients
    Real* columns;                       // (entries, n): maxima over the first axis
    int *vector_winner, *column_winner;  // (entries, n)
    Real* target_row;                    // (target_candidates, n)
    int* target_winner;
    Real *target, *d_target;  // (atoms)
    Real* outcome;            // loss, mean square error

    // Backward
    Real *d_values, *d_previous, *d_final;  // (auxiliaries, area)
    Real *d_and, *d_and_sum, *d_or;         // (auxiliaries, area)
    Real *row_sum, *row_sums;               // (auxiliaries, n): of d_and and d_and_sum
    Real* d_entry;                          // (entries, area)
    Real* d_columns;                        // (entries, n)
    int* claim;                             // (auxiliaries, area): with max pooling
    Real* partial;                          // (jobs, parts)

    // Buffers of a chunk
    Real* product;                  // (chunk, area)
    Real* d_product;                // (chunk, area)
    Real* reduced;                  // (chunk, n)
    Real* total;                    // (chunk)
    std::uint16_t* winner;          // (chunk, area)
    std::uint16_t* reduced_winner;  // (chunk, n)
    std::uint16_t* total_winner;    // (chunk)

    /// visit(buffer, entries, is_hot) for each of the model's own buffers, the hottest first.
    template <class Visit>
    HRI_BOTH void each_buffer(const Visit& visit) {
        const std::size_t area = static_cast<std::size_t>(plan.area);
        const std::size_t n = static_cast<std::size_t>(plan.n);
        const std::size_t chunk = static_cast<std::size_t>(plan.chunk_pairs);
        const std::size_t entries = static_cast<std::size_t>(plan.entries);
        const std::size_t rules = static_cast<std::size_t>(plan.auxiliaries);
        const std::size_t steps = static_cast<std::size_t>(plan.steps);
        const std::size_t scores = static_cast<std::size_t>(plan.slots * plan.predicates);
        const std::size_t terms = static_cast<std::size_t>(plan.terms);
        const std::size_t candidates = static_cast<std::size_t>(plan.target_candidates);
        visit(product, chunk * area, true);
        visit(winner, chunk * area, true);
        visit(d_entry, entries * area, true);
        visit(matrix, static_cast<std::size_t>(plan.matrices) * area, true);
        visit(seen, entries, true);
        visit(weight, terms, true);
        visit(d_product, chunk * area, true);
        visit(d_and, rules * area, true);
        visit(alpha, scores, true);
        visit(reduced, chunk * n, true);
        visit(reduced_winner, chunk * n, true);
        visit(total, chunk, true);
        visit(total_winner, chunk, true);
        visit(d_weight, terms, false);
        visit(columns, entries * n, false);
        visit(column_winner, entries * n, false);
        visit(d_columns, entries * n, false);
        visit(vector, entries * n, false);
        visit(vector_winner, entries * n, false);
        visit(row_sum, rules * n, false);
        visit(row_sums, rules * n, false);
        visit(d_alpha, scores, false);
        visit(d_values, rules * area, false);
        visit(d_previous, rules * area, false);
        visit(d_or, rules * area, false);
        visit(d_and_sum, rules * area, false);
        visit(d_final, plan.strata > 1 ? rules * area : 1, false);
        visit(claim, plan.pools_by_max != 0 ? rules * area : 1, false);
        visit(base, rules * area, false);
        visit(values, (steps + 1) * rules * area, false);
        visit(ands, steps * rules * area, false);
        visit(ors, steps * rules * area, false);
        visit(negations, static_cast<std::size_t>(plan.negations) * area, false);
        visit(target_row, candidates * n, false);
        visit(target_winner, candidates * n, false);
        visit(target, static_cast<std::size_t>(plan.atoms), false);
        visit(d_target, static_cast<std::size_t>(plan.atoms), false);
        // The parts of the loss have three sums each.
        visit(partial,
              1536 + static_cast<std::size_t>(jobs()) * static_cast<std::size_t>(plan.parts),
              false);
        visit(noisy_predicates, predicate_count(), false);
        visit(noisy_slots, slot_count(), false);
        visit(d_predicates, predicate_count(), false);
        visit(d_slots, slot_count(), false);
        visit(predicate_norm, static_cast<std::size_t>(plan.predicates), false);
        visit(slot_norm, static_cast<std::size_t>(plan.slots), false);
    }

    /// The same for buffers that outlive an iteration.
    template <class Visit>
    HRI_BOTH void each_lasting(const Visit& visit) {
        visit(predicates, predicate_count());
        visit(slots, slot_count());
        visit(predicate_mean, predicate_count());
        visit(predicate_square, predicate_count());
        visit(slot_mean, slot_count());
        visit(slot_square, slot_count());
        visit(outcome, std::size_t(2));
    }

    HRI_BOTH std::size_t predicate_count() const {
        return static_cast<std::size_t>(plan.predicates * plan.dimension);
    }

    HRI_BOTH std::size_t slot_count() const {
        return static_cast<std::size_t>(plan.slots * plan.dimension);
    }

    /// Sums that are split into parts at a time.
    HRI_BOTH int jobs() const {
        int most = plan.reads;
        most = most > plan.target_candidates ? most : plan.target_candidates;
        return most > plan.terms ? most : plan.terms;
    }

    // Places of the buffers.
    HRI_BOTH long long cell_of(int i) const { return static_cast<long long>(i) * plan.area; }

    HRI_BOTH Real* value(int s, int rule) const {
        return values + (static_cast<long long>(s) * plan.auxiliaries + rule) * plan.area;
    }

    HRI_BOTH Real* conjunction_of(int s, int rule) const {
        return ands + (static_cast<long long>(s - 1) * plan.auxiliaries + rule) * plan.area;
    }

    HRI_BOTH Real* disjunct_of(int s, int rule) const {
        return ors + (static_cast<long long>(s - 1) * plan.auxiliaries + rule) * plan.area;
    }

    /// A predicate's valuation: its own after step s where it moves, else the last.
    HRI_BOTH const Real* valuation(int p, int s) const {
        if (p < plan.inputs_end)
            return inputs + cell_of(p);
        const int a = p - plan.inputs_end;
        if (a < plan.auxiliaries)
            return value(s, a);
        return negations + cell_of(a - plan.auxiliaries);
    }

    /// An entry's matrix over the values after step s.
    HRI_BOTH const Real* located(int e, int s) const {
        const DenseEntry& entry = plan.entry[e];
        return entry.matrix >= 0 ? matrix + cell_of(entry.matrix)
                                 : valuation(entry.predicate, entry.moves != 0 ? s : plan.steps);
    }

    /// Whether an entry's predicate is 0 everywhere, as far as is known beforehand.
    HRI_BOTH bool is_zero(int e, int s) const {
        const DenseEntry& entry = plan.entry[e];
        if (entry.predicate < plan.inputs_end)
            return zero[entry.predicate] != 0;
        return entry.moves != 0 && s == 0;
    }
};

}  // namespace hri::soft
