// SPDX-License-Identifier: Apache-2.0
#include "hri/train.hpp"

#include "soft/dense.hpp"
#include "train/adam.hpp"
#include "train/annealing.hpp"
#include "train/curve.hpp"
#include "train/noise.hpp"
#include "train/objective.hpp"
#include "train/run_iterations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace hri {

std::string to_string(StopReason reason) {
    switch (reason) {
        case StopReason::finished:
            return "finished";
        case StopReason::fits:
            return "fits";
        case StopReason::time_limit:
            return "time_limit";
        case StopReason::interrupted:
            return "interrupted";
    }
    return "unknown";
}

TrainResult train(const Problem& problem, const Options& options, const TrainSettings& settings) {
    return train_from(make_model(problem.inputs(), problem.target(), options, settings.seed),
                      problem, settings);
}

TrainResult train_from(Model start, const Problem& problem, const TrainSettings& settings) {
    if (settings.device != Device::cpu) {
        std::vector<Model> starts;
        starts.push_back(std::move(start));
        return std::move(train_many_from(std::move(starts), problem, {settings.seed}, settings)[0]);
    }
    TrainResult result;
    result.model = std::move(start);
    Model& model = result.model;
    const Options& options = model.options;
    Parameters& parameters = model.parameters;

    base::ThreadPool pool(settings.threads);
    training::Objective<float> objective(model.hierarchy, model.protorules, parameters.dimension,
                                         options, &pool);
    training::Adam<float> predicate_adam(parameters.predicates.size(), options.learning_rate);
    training::Adam<float> slot_adam(parameters.slots.size(), options.learning_rate_rules);
    std::vector<float> noisy_predicates(parameters.predicates.size());
    std::vector<float> noisy_slots(parameters.slots.size());
    std::vector<float> d_predicates(parameters.predicates.size());
    std::vector<float> d_slots(parameters.slots.size());

    training::Noise noise(model.hierarchy, settings.seed);
    Random data(settings.seed, Random::kData);
    const std::vector<int> columns = soft::columns_of(problem.inputs(), model.inputs);
    const std::vector<std::string> constants = constants_of(model.protorules);
    Instance scratch;
    soft::DenseInstance<float> dense;
    const Instance* instance = nullptr;  // of the iteration

    const int total = options.iterations;  // of one annealing
    const auto step = [&](int whole) {
        const int i = whole % total;
        if (i == 0 && whole > 0 && options.similarity == Similarity::cosine)
            training::to_unit_length(parameters, options.train_predicates);
        instance = &problem.training.draw(whole, data, scratch);
        soft::make_dense(dense, *instance, columns, model.inputs, model.target.arity, constants);

        const double predicate_scale =
            options.train_predicates ? training::gaussian_scale(options.predicate_noise,
                                                                options.predicate_noise_halving, i)
                                     : 0.0;
        noise.add_gaussian(noisy_predicates, parameters.predicates, parameters.dimension, 2, 2,
                           predicate_scale);
        noise.add_gaussian(
            noisy_slots, parameters.slots, parameters.dimension, 0, 0,
            training::gaussian_scale(options.slot_noise, options.slot_noise_half_life, i));
        const float* gumbel = noise.gumbel(training::gumbel_scale(options.gumbel, i, total),
                                           options.gumbel_convention);

        const float loss =
            objective.loss(noisy_predicates.data(), noisy_slots.data(), gumbel,
                           static_cast<float>(training::temperature_at(options, i, total)), dense,
                           options.train_steps);
        objective.gradient(d_predicates.data(), d_slots.data());
        if (options.train_predicates)
            predicate_adam.step(parameters.predicates.data(), d_predicates.data());
        slot_adam.step(parameters.slots.data(), d_slots.data());
        return static_cast<double>(loss);
    };
    const auto most = static_cast<int>(std::min<std::int64_t>(
        std::int64_t{total} * options.annealing_cycles, std::numeric_limits<int>::max()));
    Random check(settings.seed, Random::kCheck);
    training::run_iterations(
        result, most, settings, step,
        [&] { return training::curve_point(model, objective.alpha(), *instance); },
        [&](int i, double) {
            return (settings.check_every > 0 && (i + 1) % settings.check_every == 0 &&
                    settings.is_done(model)) ||
                   (options.annealing_cycles > 1 && (i + 1) % total == 0 &&
                    training::succeeds_on_fresh(model, problem, check));
        });
    result.last_instance_mse = result.iterations == 0 ? 1.0 : objective.mean_square_error();
    return result;
}

}  // namespace hri
