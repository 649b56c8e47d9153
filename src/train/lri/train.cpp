// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"
#include "hri/lri.hpp"

#include "train/adam.hpp"
#include "train/lri/objective.hpp"
#include "train/noise.hpp"
#include "train/run_iterations.hpp"

#include <algorithm>

namespace hri {
namespace {

constexpr double kSmallLoss = 1e-4;
constexpr int kValidationInstances = 10;

/// Mean of the largest score of each rule's head, and of its body atoms.
std::vector<double> sharpness(const LriModel& model, const std::vector<float>& scores) {
    const std::vector<int> arities = model.arities();
    const std::size_t rules = model.task.templates.size();
    std::vector<double> sums(2, 0);
    std::vector<int> counts(2, 0);
    for (std::size_t r = 0; r < rules; ++r) {
        const ProtoRule& rule = model.task.templates[r];
        for (std::size_t atom = 0; atom <= rule.body.size(); ++atom) {
            const std::size_t arity =
                atom == 0 ? rule.head.size() : rule.body[atom - 1].arguments.size();
            double largest = 0;
            for (std::size_t p = atom == 0 ? model.inputs.size() : 0; p < arities.size(); ++p)
                if (arities[p] == static_cast<int>(arity))
                    largest = std::max(
                        largest,
                        static_cast<double>(scores[(atom * rules + r) * arities.size() + p]));
            sums[atom == 0 ? 0 : 1] += largest;
            ++counts[atom == 0 ? 0 : 1];
        }
    }
    for (std::size_t i = 0; i < 2; ++i)
        sums[i] /= std::max(counts[i], 1);
    return sums;
}

bool is_right(const std::vector<float>& valuations, const std::vector<Label>& labels) {
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != Label::unlabelled &&
            (valuations[i] >= 0.5F) != (labels[i] == Label::positive))
            return false;
    return true;
}

/// Whether the model is right on instances that training did not see, or on all of a fixed source.
bool is_right_on_training(const LriModel& model, const Problem& problem, std::uint64_t seed) {
    const int count = problem.training.fixed() ? static_cast<int>(problem.training.instances.size())
                                               : kValidationInstances;
    Random random(seed, Random::kSearch);
    Instance scratch;
    for (int i = 0; i < count; ++i) {
        const Instance& instance = problem.training.draw(i, random, scratch);
        if (!is_right(infer(model, instance, model.options.train_steps), instance.labels))
            return false;
    }
    return true;
}

}  // namespace

LriResult train_lri(const Problem& problem, const LriTask& task, const Options& options,
                    const TrainSettings& settings) {
    LriResult result;
    result.model = make_lri(problem.inputs(), problem.target(), task, options, settings.seed);
    LriModel& model = result.model;

    lri::LriObjective<float> objective(model);
    training::Adam<float> predicate_adam(model.predicates.size(), options.learning_rate);
    training::Adam<float> rule_adam(model.rules.size(), options.learning_rate_rules);
    std::vector<float> noisy_predicates, noisy_rules;
    std::vector<float> d_predicates(model.predicates.size()), d_rules(model.rules.size());
    training::Noise noise(settings.seed);
    Random data(settings.seed, Random::kData);
    Instance scratch;
    const Instance* instance = nullptr;  // of the iteration
    soft::DenseInstance<float> dense;
    const std::vector<int> columns = soft::columns_of(problem.inputs(), model.inputs);

    const auto step = [&](int i) {
        instance = &problem.training.draw(i, data, scratch);
        soft::make_dense(dense, *instance, columns, model.inputs, model.target.arity);
        noise.add_gaussian(
            noisy_predicates, model.predicates, model.dimension, 0, 0,
            training::gaussian_scale(options.predicate_noise, options.predicate_noise_halving, i));
        noise.add_gaussian(
            noisy_rules, model.rules, model.dimension, 0, 0,
            training::gaussian_scale(options.slot_noise, options.slot_noise_half_life, i));
        const float loss =
            objective.loss(noisy_predicates.data(), noisy_rules.data(), dense, options.train_steps);
        objective.gradient(d_predicates.data(), d_rules.data());
        // Noise falls on parameters as the last step left them, and only then they are clamped.
        for (std::vector<float>* parameters : {&model.predicates, &model.rules})
            for (float& x : *parameters)
                x = std::clamp(x, 0.0F, 1.0F);
        predicate_adam.step(model.predicates.data(), d_predicates.data());
        rule_adam.step(model.rules.data(), d_rules.data());
        return static_cast<double>(loss);
    };
    const auto point = [&] {
        Scorer scorer;
        scorer.add(instance->labels, evaluate(extract(model), *instance, options.train_steps));
        return CurvePoint{0, 0, sharpness(model, objective.scores()), scorer.score().accuracy};
    };
    training::run_iterations(
        result, options.iterations, settings, step, point, [&](int, double loss) {
            return loss < kSmallLoss && is_right_on_training(model, problem, settings.seed);
        });
    result.last_instance_mse = result.iterations == 0
                                   ? 1.0
                                   : training::mean_square_error(objective.target(), dense.labels);
    return result;
}

}  // namespace hri
