// SPDX-License-Identifier: Apache-2.0
#include "train/annealing.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "soft/dense.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hri::training {

bool succeeds_on_fresh(const Model& model, const Problem& problem, Random& random) {
    constexpr double kSuccess = 1e-4;
    constexpr int kSoftEvery = 10;  // soft inference takes longer
    const Options& options = model.options;
    const Parameters& parameters = model.parameters;
    const Source& source = problem.training;
    const int count =
        source.fixed() ? static_cast<int>(source.instances.size()) : options.check_instances;
    const int soft_steps = std::max(options.train_steps, options.eval_steps);
    const auto temperature = static_cast<float>(options.temperature_schedule == Schedule::constant
                                                    ? options.temperature
                                                    : options.final_temperature);
    const std::vector<int> columns = soft::columns_of(problem.inputs(), model.inputs);
    const std::vector<std::string> constants = constants_of(model.protorules);
    Objective<float> objective(model.hierarchy, model.protorules, parameters.dimension, options);
    evaluation::CompiledProgram program(extract(model), problem.inputs());
    Instance scratch;
    soft::DenseInstance<float> dense;
    Truth truth;
    for (int i = 0; i < count; ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        Scorer scorer;
        for (const int steps : {options.train_steps, kToFixpoint}) {
            program.evaluate(instance, steps, truth);
            scorer.add(instance.labels, truth);
        }
        if (scorer.score().mse > 0)
            return false;
        if (i % kSoftEvery != 0)
            continue;
        soft::make_dense(dense, instance, columns, model.inputs, model.target.arity, constants);
        objective.loss(parameters.predicates.data(), parameters.slots.data(), nullptr, temperature,
                       dense, soft_steps);
        if (objective.mean_square_error() >= kSuccess)
            return false;
    }
    return true;
}

void to_unit_length(Parameters& parameters, bool predicates) {
    const auto scale_from = [&](std::vector<float>& values, int first) {
        const int rows = static_cast<int>(values.size()) / parameters.dimension;
        for (int r = first; r < rows; ++r) {
            float* row = values.data() + r * parameters.dimension;
            float sum = 0;
            for (int k = 0; k < parameters.dimension; ++k)
                sum += row[k] * row[k];
            const float norm = std::max(std::sqrt(sum), 1e-12F);
            for (int k = 0; k < parameters.dimension; ++k)
                row[k] /= norm;
        }
    };
    scale_from(parameters.slots, 0);
    if (predicates)
        scale_from(parameters.predicates, 2);  // True and False are fixed
}

}  // namespace hri::training
