// SPDX-License-Identifier: Apache-2.0
#include "hri/model.hpp"

#include "soft/model_inference.hpp"
#include "soft/unification.hpp"

namespace hri {

namespace {

/// Unification scores over the predicates that are not hidden.
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

namespace {

Options without_skips(Options options) {
    options.skip_pairs = 0;
    return options;
}

}  // namespace

soft::ModelInference::ModelInference(const Model& model, const Instance& instance, int threads)
    : pool(threads),
      inference(model.hierarchy, model.protorules, without_skips(model.options), &pool) {
    make_dense(dense, instance, columns_of(instance.inputs(), model.inputs), model.inputs,
               model.target.arity, constants_of(model.protorules));
    alpha = model.options.mask_absent ? scores_of(model, dense.zero) : unification(model);
}

std::vector<float> infer(const Model& model, const Instance& instance, int steps, int threads) {
    if (instance.constants == 0)
        return {};
    soft::ModelInference run(model, instance, threads);
    run.inference.forward_only(run.alpha.data(), run.dense, steps);
    return run.inference.target();
}

}  // namespace hri
