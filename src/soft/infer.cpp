// SPDX-License-Identifier: Apache-2.0
#include "hri/model.hpp"

#include "soft/stratified.hpp"
#include "soft/unification.hpp"

namespace hri {

namespace {

/// Of the predicates that are not hidden.
std::vector<float> scores_of(const Model& model, const std::vector<bool>& hidden) {
    const Options& options = model.options;
    soft::Unification<float> scores(model.hierarchy, model.parameters.dimension,
                                    options.similarity);
    scores.hide(hidden);
    const double temperature = options.temperature_schedule == Schedule::constant
                                   ? options.temperature
                                   : options.final_temperature;
    scores.forward(model.parameters.predicates.data(), model.parameters.slots.data(), nullptr,
                   static_cast<float>(temperature));
    return scores.alpha();
}

}  // namespace

std::vector<float> unification(const Model& model) { return scores_of(model, {}); }

std::vector<float> infer(const Model& model, const Instance& instance, int steps, int threads) {
    if (instance.constants == 0)
        return {};
    soft::DenseInstance<float> dense;
    soft::make_dense(dense, instance, soft::columns_of(instance.inputs(), model.inputs),
                     model.inputs, model.target.arity, constants_of(model.protorules));
    const std::vector<float> alpha =
        model.options.mask_absent ? scores_of(model, dense.zero) : unification(model);
    Options exact = model.options;
    exact.skip_pairs = 0;
    base::ThreadPool crew(threads);
    soft::StratifiedInference<float> inference(model.hierarchy, model.protorules, exact, &crew);
    inference.forward_only(alpha.data(), dense, steps);
    return inference.target();
}

}  // namespace hri
