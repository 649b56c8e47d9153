// SPDX-License-Identifier: Apache-2.0
#include "hri/error.hpp"

#include "soft/cuda/layer_work.hpp"
#include "soft/dense.hpp"

namespace hri::soft {

namespace {

/// Where an input is negated as another input, that one's predicate; -1: nowhere.
int negation_of(const Model& model, const PredicateSymbol& symbol) {
    for (std::size_t i = 0; i < model.inputs.size(); ++i)
        if (model.inputs[i].negated && model.inputs[i].name == symbol.name &&
            model.inputs[i].arity == symbol.arity)
            return 2 + static_cast<int>(i);
    return -1;
}

}  // namespace

template <class Real>
LayerTables<Real> make_layer_tables(const Model& model, const DenseSizes& sizes) {
    if (model.options.mask_absent)
        throw Error("absent inputs differ between the instances of a batch", {},
                    "leave out {mask_absent}");
    LayerTables<Real> tables;
    tables.plan = make_dense_plan(model.hierarchy, model.protorules, model.options,
                                  model.parameters.dimension, sizes);
    DenseInstance<Real> dense;  // says which constants of the rules there are
    make_dense(dense, make_instance(make_schema({}), sizes.n), {}, model.inputs, model.target.arity,
               constants_of(model.protorules));
    tables.constants = dense.constants;
    // What is 0 everywhere would be passed over, and get no gradient.
    tables.zero.assign(2 + model.inputs.size(), 0);
    tables.zero[Hierarchy::kFalse] = 1;
    tables.sources.resize(2 + model.inputs.size());
    tables.sources[Hierarchy::kFalse].is_negated = 1;
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
        const PredicateSymbol& symbol = model.inputs[i];
        LayerSource<Real>& source = tables.sources[2 + i];
        const bool is_equal = is_equality(symbol);
        source.kind = is_equal ? LayerSource<Real>::equality : LayerSource<Real>::facts;
        source.arity = symbol.arity;
        source.is_negated = symbol.negated ? 1 : 0;
        const bool takes_facts = !is_equal && !symbol.negated;
        tables.sinks.push_back({takes_facts ? 2 + static_cast<int>(i) : -1,
                                takes_facts ? negation_of(model, symbol) : -1, symbol.arity,
                                nullptr});
    }
    return tables;
}

template LayerTables<float> make_layer_tables<float>(const Model&, const DenseSizes&);
template LayerTables<double> make_layer_tables<double>(const Model&, const DenseSizes&);

}  // namespace hri::soft
