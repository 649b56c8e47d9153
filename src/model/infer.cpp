// SPDX-License-Identifier: Apache-2.0
#include "hri/model.hpp"

#include "model/stratified.hpp"
#include "model/unification.hpp"

namespace hri {

std::vector<float> unification(const Model& model) {
    const Options& options = model.options;
    Unification<float> scores(model.hierarchy, model.parameters.dimension, options.similarity);
    const double temperature = options.temperature_schedule == Schedule::constant
                                   ? options.temperature
                                   : options.final_temperature;
    scores.forward(model.parameters.predicates.data(), model.parameters.slots.data(), nullptr,
                   static_cast<float>(temperature));
    return scores.alpha();
}

std::vector<float> infer(const Model& model, const std::vector<PredicateSymbol>& inputs,
                         const Instance& instance, int steps) {
    if (instance.constants == 0)
        return {};
    const std::vector<float> alpha = unification(model);
    DenseInstance<float> dense;
    make_dense(dense, instance, columns_of(inputs, model.inputs), model.inputs, model.target.arity,
               constants_of(model.protorules));
    Options exact = model.options;
    exact.skip_pairs = 0;
    StratifiedInference<float> inference(model.hierarchy, model.protorules, exact);
    inference.forward_only(alpha.data(), dense, steps);
    return inference.target();
}

}  // namespace hri
