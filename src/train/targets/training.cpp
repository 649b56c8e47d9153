// SPDX-License-Identifier: Apache-2.0
#include "train/targets/training.hpp"

#include "hri/random.hpp"

#include "train/targets/image_sampler.hpp"

#include <algorithm>

namespace hri {

namespace {

constexpr double kCalibrationRate = 0.03;
constexpr float kStartScale = 5;  // of valuations: what is true is e^5 times as likely

/// Uniform in [0, 1), but for the two columns that are True's and False's.
std::vector<float> random_rows(std::size_t rows, std::size_t dimension, std::uint64_t seed) {
    Random random(seed, Random::kStart);
    std::vector<float> values(rows * dimension, 0.0F);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i % dimension >= 2)
            values[i] = static_cast<float>(random.uniform());
    return values;
}

/// The parameters of a target in a model of any inputs.
void start_target(TargetParameters& parameters, const PredicateSymbol& symbol,
                  const Options& options, std::uint64_t seed) {
    const Model model = make_model({{"name", 1}, {"relation", 2}}, symbol, options, seed);
    const std::vector<float>& rows = model.parameters.predicates;
    parameters.auxiliaries.assign(
        rows.begin() + model.hierarchy.first_auxiliary() * model.parameters.dimension, rows.end());
    parameters.slots = model.parameters.slots;
}

Multitask start(const SceneSet& scenes, const Options& options, const MultitaskSettings& settings) {
    Multitask learned;
    learned.options = options;
    learned.predicates = scenes.predicates();
    const auto dimension = static_cast<std::size_t>(options.dimension);
    if (settings.prior) {
        learned.start = settings.prior->rows;
        learned.projection = settings.prior->projection;
    } else {
        learned.start = random_rows(learned.predicates.size(), dimension, settings.seed);
    }
    learned.background = learned.start;
    for (const std::uint32_t target : settings.targets) {
        TargetParameters parameters;
        parameters.target = target;
        start_target(parameters, learned.predicates[target], options,
                     training::seed_of(settings.seed, target, 1));
        if (!settings.shared)
            parameters.background = learned.start;
        if (settings.joint > 0)
            parameters.calibration = {0, kStartScale};
        learned.targets.push_back(std::move(parameters));
    }
    return learned;
}

}  // namespace

Options multitask_options() {
    Options options;
    options.layers = 3;
    options.recursivity = Recursivity::none;
    options.dimension = 30;
    options.mask_absent = true;
    options.learning_rate = 0.001;
    options.learning_rate_rules = 0.01;
    return options;
}

Options joint_options() {
    Options options = multitask_options();
    options.learning_rate = 0.01;
    options.learning_rate_rules = 0.03;
    options.regularisation = 0;
    options.gumbel = 0;
    return options;
}

namespace training {

TargetAdam::TargetAdam(const TargetParameters& parameters, const Options& options)
    : background(parameters.background.size(), options.learning_rate),
      auxiliaries(parameters.auxiliaries.size(), options.learning_rate_rules),
      slots(parameters.slots.size(), options.learning_rate_rules),
      calibration(parameters.calibration.size(), kCalibrationRate) {}

Training::Training(const SceneSet& scenes, const Options& options,
                   const MultitaskSettings& settings)
    : learned(start(scenes, options, settings)),
      background_adam(learned.background.size(), options.learning_rate) {
    for (const TargetParameters& target : learned.targets)
        target_adam.emplace_back(target, options);
}

std::vector<Training::Field> Training::fields(std::size_t t) {
    TargetParameters& target = learned.targets[t];
    TargetAdam& adam = target_adam[t];
    return {{"targets", &target.background},
            {"targets_mean", &adam.background.mean()},
            {"targets_square", &adam.background.square()},
            {"auxiliaries", &target.auxiliaries},
            {"auxiliaries_mean", &adam.auxiliaries.mean()},
            {"auxiliaries_square", &adam.auxiliaries.square()},
            {"slots", &target.slots},
            {"slots_mean", &adam.slots.mean()},
            {"slots_square", &adam.slots.square()},
            {"calibration", &target.calibration},
            {"calibration_mean", &adam.calibration.mean()},
            {"calibration_square", &adam.calibration.square()}};
}

}  // namespace training

Model Multitask::model(std::size_t i) const {
    const TargetParameters& parameters = targets[i];
    std::vector<PredicateSymbol> inputs = predicates;
    inputs.erase(inputs.begin() + parameters.target);
    Model model = make_model(inputs, predicates[parameters.target], options, 0);
    model.projection = projection;
    const auto d = static_cast<std::size_t>(model.parameters.dimension);
    const std::vector<float>& from =
        parameters.background.empty() ? background : parameters.background;
    float* to = model.parameters.predicates.data() + 2 * d;
    const auto own = static_cast<std::size_t>(parameters.target);
    to = std::copy_n(from.data(), own * d, to);
    to = std::copy(from.data() + (own + 1) * d, from.data() + from.size(), to);
    std::copy(parameters.auxiliaries.begin(), parameters.auxiliaries.end(), to);
    model.parameters.slots = parameters.slots;
    return model;
}

}  // namespace hri
