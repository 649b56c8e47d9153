// SPDX-License-Identifier: Apache-2.0
#include "hri/train.hpp"

#include "model/dense.hpp"
#include "train/adam.hpp"
#include "train/noise.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace hri {

namespace {

using Clock = std::chrono::steady_clock;

// Iterations between looks at the clock and at the interrupt.
constexpr int kLookUp = 16;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Mean of the latest values.
class MovingMean {
  public:
    void add(double value) { latest_[static_cast<std::size_t>(count_++) % latest_.size()] = value; }

    double mean() const {
        const auto filled = std::min<std::size_t>(static_cast<std::size_t>(count_), latest_.size());
        double sum = 0;
        for (std::size_t i = 0; i < filled; ++i)
            sum += latest_[i];
        return filled == 0 ? 0.0 : sum / static_cast<double>(filled);
    }

  private:
    std::array<double, 20> latest_{};
    long count_ = 0;
};

CurvePoint curve_point(int iteration, double loss, const Model& model,
                       const std::vector<float>& alpha) {
    const Hierarchy& h = model.hierarchy;
    const auto layers = static_cast<std::size_t>(model.options.layers);
    std::vector<double> sum(layers + 1, 0.0);
    std::vector<int> count(layers + 1, 0);
    const auto add = [&](int slot, std::size_t layer) {
        const float* row = alpha.data() + slot * h.predicates();
        sum[layer] += static_cast<double>(*std::max_element(row, row + h.predicates()));
        ++count[layer];
    };
    for (const Auxiliary& aux : h.auxiliaries)
        for (const int slot : aux.slots)
            add(slot, static_cast<std::size_t>(aux.layer - 1));
    add(h.target_slot(), layers);
    for (std::size_t i = 0; i <= layers; ++i)
        sum[i] /= std::max(count[i], 1);
    return {iteration, loss, std::move(sum)};
}

}  // namespace

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
    return train_from(make_model(problem.inputs, problem.target, options, settings.seed), problem,
                      settings);
}

TrainResult train_from(Model start, const Problem& problem, const TrainSettings& settings) {
    const auto started = Clock::now();
    TrainResult result;
    result.model = std::move(start);
    Model& model = result.model;
    const Options& options = model.options;
    Parameters& parameters = model.parameters;

    Objective<float> objective(model.hierarchy, model.protorules, parameters.dimension, options);
    Adam<float> predicate_adam(parameters.predicates.size(), options.learning_rate);
    Adam<float> slot_adam(parameters.slots.size(), options.learning_rate_rules);
    std::vector<float> noisy_predicates(parameters.predicates.size());
    std::vector<float> noisy_slots(parameters.slots.size());
    std::vector<float> d_predicates(parameters.predicates.size());
    std::vector<float> d_slots(parameters.slots.size());

    Noise noise(model.hierarchy, settings.seed);
    Random data(settings.seed, Random::kData);
    const std::vector<int> columns = columns_of(problem.inputs, model.inputs);
    const std::vector<std::string> constants = constants_of(model.protorules);
    Instance scratch;
    DenseInstance<float> dense;
    MovingMean loss;

    const int total = options.iterations;
    const int report_every = std::max(1, total / 200);
    int i = 0;
    for (; i < total; ++i) {
        const Instance& instance = problem.training.draw(i, data, scratch);
        make_dense(dense, instance, columns, model.inputs, model.target.arity, constants);

        const double predicate_scale =
            options.train_predicates
                ? gaussian_scale(options.predicate_noise, options.predicate_noise_halving, i)
                : 0.0;
        noise.add_gaussian(noisy_predicates, parameters.predicates, parameters.dimension, 2, 2,
                           predicate_scale);
        noise.add_gaussian(noisy_slots, parameters.slots, parameters.dimension, 0, 0,
                           gaussian_scale(options.slot_noise, options.slot_noise_halving, i));
        const float* gumbel =
            noise.gumbel(gumbel_scale(options.gumbel, i, total), options.gumbel_reading);

        loss.add(static_cast<double>(objective.loss(
            noisy_predicates.data(), noisy_slots.data(), gumbel,
            static_cast<float>(temperature_at(options, i, total)), dense, options.train_steps)));
        objective.gradient(d_predicates.data(), d_slots.data());
        if (options.train_predicates)
            predicate_adam.step(parameters.predicates.data(), d_predicates.data());
        slot_adam.step(parameters.slots.data(), d_slots.data());

        if (settings.log_every > 0 && (i % settings.log_every == 0 || i + 1 == total))
            result.curve.push_back(curve_point(i, loss.mean(), model, objective.alpha()));
        if (settings.progress && i % report_every == 0)
            settings.progress({i, total, loss.mean()});
        if (settings.check_every > 0 && (i + 1) % settings.check_every == 0 &&
            settings.is_done(model)) {
            result.stop_reason = StopReason::fits;
            ++i;
            break;
        }
        if (i % kLookUp == 0) {
            if (settings.interrupt != nullptr && settings.interrupt->load()) {
                result.stop_reason = StopReason::interrupted;
                ++i;
                break;
            }
            if (settings.time_limit > 0 && seconds_since(started) > settings.time_limit) {
                result.stop_reason = StopReason::time_limit;
                ++i;
                break;
            }
        }
    }
    result.iterations = i;
    result.final_loss = loss.mean();
    result.last_instance_mse = i == 0 ? 1.0 : objective.mean_square_error();
    result.seconds = seconds_since(started);
    return result;
}

}  // namespace hri
