// SPDX-License-Identifier: Apache-2.0
#pragma once

// One model over a batch of instances whose facts and gradients come from outside: what
// hri/cuda_layer.hpp computes, for a GPU and for a loop over instances in tests.

#include "soft/cuda/batch.hpp"
#include "soft/cuda/iterate.hpp"

#include <cstddef>
#include <vector>

namespace hri::soft {

/// Where a predicate's valuations come from, and where their gradient goes.
template <class Real>
struct LayerSource {
    enum Kind { constant, equality, facts };

    int kind = constant;
    int arity = 0;
    int is_negated = 0;
    const Real* values = nullptr;  // (batch, n^arity); null: no facts
};

/// The gradient of an input's facts.
template <class Real>
struct LayerSink {
    int predicate = 0;
    int negation = -1;  // of the predicate, where it is an input too
    int arity = 0;
    Real* gradient = nullptr;  // (batch, n^arity)
};

/// A call as every instance sees it.
template <class Real>
struct LayerView {
    PlanView plan;
    DenseIteration now;
    int batch;
    const Real *predicates, *slots, *noise;
    const LayerSource<Real>* source;  // (inputs_end)
    const std::int8_t* zero;          // (inputs_end)
    const int* constant;              // of the proto-rules
    Real* inputs;                     // (batch, inputs_end, area)
    std::byte* buffers;               // (batch, stride)
    std::size_t stride;
    Real *target, *alphas;
    // The gradient
    const Real *d_target, *d_alphas;
    Real *d_predicates, *d_slots;
    const LayerSink<Real>* sink;
    int sinks;
};

/// One instance of a call.
template <class Real>
struct LayerWork : DenseWork<Real> {
    const LayerView<Real>* view;
    int instance;
};

template <class Real>
std::size_t layer_stride(const PlanView& plan) {
    constexpr std::size_t kAlignment = 256;
    DenseWork<Real> work{};
    work.plan = plan;
    MemoryPiece buffers, fast;
    place_buffers(work, buffers, fast, 0);
    return (buffers.used + kAlignment) / kAlignment * kAlignment;
}

/// The parameters stay where the caller has them: phases read them alone.
template <class Real>
HRI_BOTH inline void place_layer(LayerWork<Real>& w, const LayerView<Real>& v, int instance) {
    w.plan = v.plan;
    w.now = v.now;
    w.seed = 0;
    w.view = &v;
    w.instance = instance;
    w.given_gumbel = v.noise;
    w.label = nullptr;
    w.zero = v.zero;
    w.constant = v.constant;
    w.inputs = v.inputs + static_cast<long long>(instance) * v.plan.inputs_end * v.plan.area;
    w.predicates = const_cast<Real*>(v.predicates);
    w.slots = const_cast<Real*>(v.slots);
    MemoryPiece memory{v.buffers + static_cast<std::size_t>(instance) * v.stride};
    MemoryPiece none;
    place_buffers(w, memory, none, 0);
}

/// The atom of a predicate that a cell of its matrix repeats.
HRI_BOTH inline int atom_of(const PlanView& plan, int arity, int cell) {
    return arity == 2 ? cell : arity == 1 ? plan.by_n.quotient(cell) : 0;
}

HRI_BOTH inline int atoms_of(const PlanView& plan, int arity) {
    return arity == 2 ? plan.cells : arity == 1 ? plan.n : 1;
}

namespace phases {

// The matrices of inputs, cut off at 0 and 1. Items: (predicate before the auxiliaries, cell).
template <class Real>
HRI_BOTH inline void load_facts(const LayerWork<Real>& w, int item, At) {
    const int p = w.plan.by_cells.quotient(item);
    const int cell = w.plan.by_cells.rest(item);
    const LayerSource<Real>& source = w.view->source[p];
    Real v = source.kind == LayerSource<Real>::constant ? Real(1) : Real(0);
    if (source.kind == LayerSource<Real>::equality)
        v = w.plan.by_n.quotient(cell) == w.plan.by_n.rest(cell) ? Real(1) : Real(0);
    if (source.values != nullptr)
        v = source.values[static_cast<long long>(w.instance) * atoms_of(w.plan, source.arity) +
                          atom_of(w.plan, source.arity, cell)];
    v = v < 0 ? Real(0) : v > 1 ? Real(1) : v;
    const_cast<Real*>(w.inputs)[w.cell_of(p) + cell] = source.is_negated != 0 ? 1 - v : v;
}

// Items: atoms of the target, then scores.
template <class Real>
HRI_BOTH inline void give_results(const LayerWork<Real>& w, int item, At) {
    const int score = item - w.plan.atoms;
    if (score < 0)
        w.view->target[static_cast<long long>(w.instance) * w.plan.atoms + item] = w.target[item];
    else if (w.instance == 0)
        w.view->alphas[score] = w.alpha[score];
}

// The gradients of the results. Scores are the same for all instances: the first takes theirs.
// Items: atoms of the target, then scores.
template <class Real>
HRI_BOTH inline void take_gradients(const LayerWork<Real>& w, int item, At) {
    const int score = item - w.plan.atoms;
    if (score < 0)
        w.d_target[item] =
            w.view->d_target[static_cast<long long>(w.instance) * w.plan.atoms + item];
    else
        w.d_alpha[score] =
            w.instance == 0 && w.view->d_alphas != nullptr ? w.view->d_alphas[score] : Real(0);
}

/// What a cell of an input's matrix gets through all entries that see it.
template <class Real>
HRI_BOTH inline Real through_entries(const DenseWork<Real>& w, int predicate, int cell) {
    Real sum = 0;
    for (int e = 0; e < w.plan.entries; ++e)
        if (w.plan.entry[e].predicate == predicate)
            sum += through_view(w, e, cell);
    return sum;
}

// The gradient of an input's facts, through its negation too. `first` is the sink. Items: atoms.
template <class Real>
HRI_BOTH inline void give_facts(const LayerWork<Real>& w, int item, At k) {
    const LayerSink<Real>& sink = w.view->sink[k.first];
    const int n = w.plan.n;
    const int atoms = atoms_of(w.plan, sink.arity);
    const int repeats = w.plan.cells / atoms;
    Real sum = 0;
    for (int i = 0; i < repeats; ++i) {
        const int cell = sink.arity == 1 ? item * n + i : item + i;
        sum += through_entries(w, sink.predicate, cell);
        if (sink.negation >= 0)
            sum -= through_entries(w, sink.negation, cell);
    }
    sink.gradient[static_cast<long long>(w.instance) * atoms + item] = sum;
}

}  // namespace phases

/// Inference over one instance.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void infer_layer(const Executor& run, const LayerWork<Real>& w) {
    const PlanView& plan = w.plan;
    run.template each<phases::load_facts<Real>>(w, plan.inputs_end * plan.cells, {});
    unify(run, static_cast<const DenseWork<Real>&>(w));
    forward(run, static_cast<const DenseWork<Real>&>(w));
    run.template each<phases::give_results<Real>>(w, plan.atoms + plan.slots * plan.predicates, {});
}

/// Gradients of the instance that infer_layer() left.
HRI_EITHER
template <class Real, class Executor>
HRI_BOTH void differentiate_layer(const Executor& run, const LayerWork<Real>& w) {
    const PlanView& plan = w.plan;
    run.template each<phases::take_gradients<Real>>(w, plan.atoms + plan.slots * plan.predicates,
                                                    {});
    backward_from_scores(run, static_cast<const DenseWork<Real>&>(w));
    phases::At at;
    for (at.first = 0; at.first < w.view->sinks; ++at.first)
        run.template each<phases::give_facts<Real>>(w, atoms_of(plan, w.view->sink[at.first].arity),
                                                    at);
}

/// An entry of the parameters' gradient: over instances in their order. `item` goes through
/// predicates, then slots.
template <class Real>
HRI_BOTH inline void sum_parameters(const LayerView<Real>& v, int item) {
    LayerWork<Real> w;
    place_layer(w, v, 0);
    const auto count = static_cast<int>(w.predicate_count());
    const bool is_slot = item >= count;
    const Real* first = is_slot ? w.d_slots + (item - count) : w.d_predicates + item;
    Real sum = 0;
    for (int i = 0; i < v.batch; ++i)
        sum += *reinterpret_cast<const Real*>(reinterpret_cast<const std::byte*>(first) +
                                              static_cast<std::size_t>(i) * v.stride);
    (is_slot ? v.d_slots[item - count] : v.d_predicates[item]) = sum;
}

/// What a model's layer needs beside the numbers of a call: tables for the device.
template <class Real>
struct LayerTables {
    DensePlan plan;
    std::vector<LayerSource<Real>> sources;  // without values
    std::vector<LayerSink<Real>> sinks;      // [input]; predicate -1 where it takes no facts
    std::vector<std::int8_t> zero;
    std::vector<int> constants;
};

/// Error where the options need facts of one instance alone.
template <class Real>
LayerTables<Real> make_layer_tables(const Model& model, const DenseSizes& sizes);

}  // namespace hri::soft
