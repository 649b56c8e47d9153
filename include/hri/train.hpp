// SPDX-License-Identifier: Apache-2.0
#pragma once

// One training run: noise, soft inference, loss, gradient, Adam; n_T times.
//
//   TrainResult result = train(problem, options, {.seed = 7});
//   std::cout << to_text(simplified(extract(result.model)));

#include "hri/data.hpp"
#include "hri/device.hpp"
#include "hri/fields.hpp"
#include "hri/model.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hri {

enum class StopReason {
    finished,  ///< all iterations done
    fits,      ///< the argmax program explains the training data (only where it is checked)
    time_limit,
    interrupted,
};
std::string to_string(StopReason reason);

struct Progress {
    int iteration = 0;
    int iterations = 0;
    double loss = 0;  ///< mean over the latest iterations, regulariser included
};

struct TrainSettings {
    std::uint64_t seed = 0;
    Device device = Device::cpu;
    int threads = 1;  ///< inside a step, over instances of 64 constants or more; the result does
                      ///< not depend on them
    double time_limit = 0;                               ///< seconds; 0: none
    const std::atomic<bool>* interrupt = nullptr;        ///< set to true from outside to stop soon
    std::function<void(const Progress&)> progress = {};  ///< called now and then
    int log_every = 0;    ///< iterations between points of the curve; 0: none
    int check_every = 0;  ///< iterations between questions whether the model is done; 0: never
    std::function<bool(const Model&)> is_done = {};  ///< true ends the run: it fits
};

template <>
const std::vector<Field<TrainSettings>>& fields_of<TrainSettings>();

/// A point of the training curve.
struct CurvePoint {
    int iteration = 0;
    double loss = 0;
    std::vector<double>
        sharpness;        ///< per layer, target last: mean of the largest score of each slot
    double accuracy = 0;  ///< of the argmax program on the iteration's instance
};

/// The result of a training run.
struct TrainRun {
    int iterations = 0;
    double final_loss = 0;         ///< mean of the last 20 iterations
    double last_instance_mse = 0;  ///< soft, noise on, last training instance: the paper's "train"
    StopReason stop_reason = StopReason::finished;
    double seconds = 0;  ///< of runs side by side, its share
    std::vector<CurvePoint> curve;
    std::int64_t device_bytes = 0;  ///< of the GPU's memory, for all runs of its batch
};

struct TrainResult : TrainRun {
    Model model;
};

TrainResult train(const Problem& problem, const Options& options,
                  const TrainSettings& settings = {});

/// Training from given parameters instead of a random start.
TrainResult train_from(Model start, const Problem& problem, const TrainSettings& settings = {});

/// A run for each seed, in their order. On a GPU they go side by side, as many as its memory holds.
std::vector<TrainResult> train_many(const Problem& problem, const Options& options,
                                    const std::vector<std::uint64_t>& seeds,
                                    const TrainSettings& settings = {});

/// The same from given models, which differ in nothing but their parameters.
std::vector<TrainResult> train_many_from(std::vector<Model> starts, const Problem& problem,
                                         const std::vector<std::uint64_t>& seeds,
                                         const TrainSettings& settings = {});

}  // namespace hri
