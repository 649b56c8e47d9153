// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order of the phases, for any executor. An executor runs the items of a phase, all of them
// before those of the next: HostExecutor in a loop, a block of a GPU by its threads.

#include "soft/cuda/backward.hpp"
#include "soft/cuda/backward_pairs.hpp"
#include "soft/cuda/backward_views.hpp"
#include "soft/cuda/forward.hpp"
#include "soft/cuda/target.hpp"
#include "soft/cuda/unify.hpp"

namespace hri::soft {

/// One item after the other.
struct HostExecutor {
    template <auto Phase, class Work>
    void each(const Work& work, int items, phases::At at) const {
        for (int i = 0; i < items; ++i)
            Phase(work, i, at);
    }
};

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void unify(const Executor& run, const DenseWork<Real>& w) {
    const PlanView& plan = w.plan;
    const int rows = plan.predicates + plan.slots;
    if (w.now.to_unit_length != 0)
        run.template each<phases::scale_rows<Real>>(w, rows, {});
    run.template each<phases::add_noise<Real>>(w, rows * plan.dimension, {});
    if (plan.similarity == Similarity::cosine)
        run.template each<phases::normalise<Real>>(w, rows, {});
    run.template each<phases::measure<Real>>(w, plan.slots * plan.predicates, {});
    run.template each<phases::softmax<Real>>(w, plan.slots, {});
    run.template each<phases::weigh_terms<Real>>(w, plan.terms, {});
}

/// What entries see after step s: of those from `first` to before `last`.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void update_views(const Executor& run, const DenseWork<Real>& w, int first, int last,
                           int s) {
    phases::At at;
    at.s = s;
    at.first = first;
    run.template each<phases::view_vectors<Real>>(w, (last - first) * w.plan.n, at);
    run.template each<phases::view_matrices<Real>>(w, (last - first) * w.plan.cells, at);
    run.template each<phases::locate<Real>>(w, last - first, at);
    run.template each<phases::view_columns<Real>>(w, (last - first) * w.plan.n, at);
}

/// The chunk's products and their maxima.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void multiply(const Executor& run, const DenseWork<Real>& w, phases::At at) {
    const DenseChunk& chunk = w.plan.chunk[at.chunk];
    const int pairs = chunk.pair_last - chunk.pair_first;
    run.template each<phases::products<Real>>(w, pairs * w.plan.n, at);
    run.template each<phases::reductions<Real>>(w, pairs * w.plan.n, at);
    run.template each<phases::totals<Real>>(w, pairs, at);
}

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void pool_chunks(const Executor& run, const DenseWork<Real>& w, phases::At at, int first,
                          int last, int items) {
    for (at.chunk = first; at.chunk < last; ++at.chunk) {
        multiply(run, w, at);
        at.flag = at.chunk == first;
        run.template each<phases::pool<Real>>(w, items, at);
    }
}

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void forward_stratum(const Executor& run, const DenseWork<Real>& w, int number) {
    const PlanView& plan = w.plan;
    const DenseStratum& stratum = plan.stratum[number];
    const int items = (stratum.rule_last - stratum.rule_first) * plan.cells;
    phases::At at;
    at.stratum = number;
    run.template each<phases::clear_base<Real>>(w, items, at);
    update_views(run, w, stratum.entry_first, stratum.entry_moving, 0);
    at.s = 1;  // of fixed pairs, every step that some rule needs
    if (plan.steps > 0)
        pool_chunks(run, w, at, stratum.chunk_first, stratum.chunk_moving, items);
    for (at.s = 1; at.s <= plan.steps; ++at.s) {
        update_views(run, w, stratum.entry_moving, stratum.entry_last, at.s - 1);
        if (at.s == 1 || stratum.chunk_moving == stratum.chunk_last)
            run.template each<phases::copy_base<Real>>(w, items, at);
        else
            pool_chunks(run, w, at, stratum.chunk_moving, stratum.chunk_last, items);
        run.template each<phases::pool_slots<Real>>(w, items, at);
        run.template each<phases::apply_rules<Real>>(w, items, at);
    }
    run.template each<phases::negate<Real>>(w, plan.negations * plan.cells, at);
}

/// The target, and the gradient of its cross-entropy where there are labels.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void forward(const Executor& run, const DenseWork<Real>& w) {
    const PlanView& plan = w.plan;
    for (int i = 0; i < plan.strata; ++i)
        forward_stratum(run, w, i);
    if (plan.target_arity < 2)
        run.template each<phases::target_rows<Real>>(w, plan.target_candidates * plan.n, {});
    run.template each<phases::pool_target<Real>>(w, plan.atoms, {});
}

/// Through the pairs of chunks, whose products are computed again.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void backward_chunks(const Executor& run, const DenseWork<Real>& w, phases::At at,
                              int first, int last) {
    const PlanView& plan = w.plan;
    const DenseStratum& stratum = plan.stratum[at.stratum];
    const int rules = stratum.rule_last - stratum.rule_first;
    if (first == last)
        return;
    run.template each<phases::sum_rows<Real>>(w, rules * plan.n, at);
    at.winners = true;
    for (at.chunk = first; at.chunk < last; ++at.chunk) {
        const DenseChunk& chunk = plan.chunk[at.chunk];
        const int terms = chunk.term_last - chunk.term_first;
        multiply(run, w, at);
        if (plan.pools_by_max != 0)
            run.template each<phases::claim_terms<Real>>(w, rules * plan.cells, at);
        run.template each<phases::weights_backward<Real>>(w, terms * plan.parts, at);
        if (plan.parts > 1)
            run.template each<phases::weights_sum<Real>>(w, terms, at);
        run.template each<phases::products_backward<Real>>(
            w, (chunk.pair_last - chunk.pair_first) * plan.n, at);
        // `product` is needed no more: it takes what operands get, pair by pair.
        run.template each<phases::left_backward<Real>>(
            w, (chunk.pair_last - chunk.pair_first) * plan.n, at);
        run.template each<phases::left_collect<Real>>(
            w, (chunk.left_last - chunk.left_first) * plan.cells, at);
        run.template each<phases::right_backward<Real>>(
            w, (chunk.pair_last - chunk.pair_first) * plan.n, at);
        run.template each<phases::right_collect<Real>>(
            w, (chunk.right_last - chunk.right_first) * plan.cells, at);
    }
}

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void backward_step(const Executor& run, const DenseWork<Real>& w, phases::At at) {
    const PlanView& plan = w.plan;
    const DenseStratum& stratum = plan.stratum[at.stratum];
    const int items = (stratum.rule_last - stratum.rule_first) * plan.cells;
    const int moving = stratum.entry_last - stratum.entry_moving;
    update_views(run, w, stratum.entry_moving, stratum.entry_last, at.s - 1);
    run.template each<phases::rules_backward<Real>>(w, items, at);
    run.template each<phases::heads_backward<Real>>(w, items, at);
    run.template each<phases::reads_backward<Real>>(w, plan.reads * plan.parts, at);
    if (plan.parts > 1)
        run.template each<phases::reads_sum<Real>>(w, plan.reads, at);
    at.first = stratum.entry_first;
    run.template each<phases::entries_from_reads<Real>>(
        w, (stratum.entry_last - stratum.entry_first) * plan.cells, at);
    // With max pooling the winner is found among all pairs of the step, in the order of forward.
    const int first = plan.pools_by_max != 0 ? stratum.chunk_first : stratum.chunk_moving;
    backward_chunks(run, w, at, first, at.s > 1 ? stratum.chunk_last : stratum.chunk_moving);
    if (at.s == 1)
        return;
    at.first = stratum.entry_moving;
    run.template each<phases::columns_backward<Real>>(w, moving * plan.n, at);
    run.template each<phases::vectors_backward<Real>>(w, moving * plan.n, at);
    run.template each<phases::moving_backward<Real>>(w, items, at);
}

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void backward_stratum(const Executor& run, const DenseWork<Real>& w, int number) {
    const PlanView& plan = w.plan;
    const DenseStratum& stratum = plan.stratum[number];
    const int items = (stratum.rule_last - stratum.rule_first) * plan.cells;
    const int fixed = stratum.entry_moving - stratum.entry_first;
    phases::At at;
    at.stratum = number;
    at.first = stratum.entry_first;
    if (stratum.is_top != 0)
        run.template each<phases::target_backward<Real>>(w, items, at);
    else
        run.template each<phases::take_final<Real>>(w, items, at);
    run.template each<phases::clear_entries<Real>>(w, fixed * plan.cells, at);
    run.template each<phases::clear_sums<Real>>(w, items, at);
    for (at.s = plan.steps; at.s >= 1; --at.s)
        backward_step(run, w, at);
    if (plan.steps == 0)
        return;
    at.s = 1;
    at.flag = true;  // fixed pairs are the same in all steps: once, with the sum of gradients
    if (plan.pools_by_max == 0)
        backward_chunks(run, w, at, stratum.chunk_first, stratum.chunk_moving);
    if (number == 0 && plan.input_gradients == 0)
        return;
    run.template each<phases::columns_backward<Real>>(w, fixed * plan.n, at);
    run.template each<phases::vectors_backward<Real>>(w, fixed * plan.n, at);
    run.template each<phases::fixed_backward<Real>>(w, plan.auxiliaries * plan.cells, at);
}

/// Through all of it, from the gradients of target and scores that are there.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void backward_from_scores(const Executor& run, const DenseWork<Real>& w) {
    const PlanView& plan = w.plan;
    const int rows = plan.predicates + plan.slots;
    const int scores = plan.slots * plan.predicates;
    run.template each<phases::target_scores_backward<Real>>(w, plan.target_candidates * plan.parts,
                                                            {});
    if (plan.parts > 1)
        run.template each<phases::target_scores_sum<Real>>(w, plan.target_candidates, {});
    if (plan.strata > 1)
        run.template each<phases::clear_final<Real>>(w, plan.auxiliaries * plan.cells, {});
    for (int i = plan.strata - 1; i >= 0; --i)
        backward_stratum(run, w, i);
    run.template each<phases::scores_from_weights<Real>>(w, scores, {});
    run.template each<phases::softmax_backward<Real>>(w, plan.slots, {});
    run.template each<phases::measure_backward<Real>>(w, rows * plan.dimension, {});
    run.template each<phases::normalise_backward<Real>>(w, rows, {});
}

HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void backward(const Executor& run, const DenseWork<Real>& w) {
    run.template each<phases::regularise<Real>>(w, w.plan.slots * w.plan.predicates, {});
    backward_from_scores(run, w);
}

/// Loss and mean square error into w.outcome.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void measure_loss(const Executor& run, const DenseWork<Real>& w) {
    run.template each<phases::loss_parts<Real>>(w, phases::parts_of_loss(w.plan), {});
    run.template each<phases::loss_sum<Real>>(w, 1, {});
}

/// One step of Adam.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void update(const Executor& run, const DenseWork<Real>& w) {
    run.template each<phases::adam<Real>>(w, (w.plan.predicates + w.plan.slots) * w.plan.dimension,
                                          {});
}

/// One iteration of training: noise, unification, inference, loss, gradient, Adam.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void iterate(const Executor& run, const DenseWork<Real>& w) {
    unify(run, w);
    forward(run, w);
    measure_loss(run, w);
    backward(run, w);
    update(run, w);
}

}  // namespace hri::soft
