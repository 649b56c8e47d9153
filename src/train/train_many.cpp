// SPDX-License-Identifier: Apache-2.0
#include "hri/train.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "train/batch_training.hpp"

#include <algorithm>
#include <utility>

namespace hri {

namespace {

/// Trains as many runs at a time as the GPU's memory holds.
std::vector<TrainResult> train_on_gpu(std::vector<Model> starts, const Problem& problem,
                                      const std::vector<std::uint64_t>& seeds,
                                      const TrainSettings& settings) {
    require(Device::cuda);
    std::vector<TrainResult> results;
    std::size_t at_once = starts.size();
    for (std::size_t from = 0; from < starts.size();) {
        const std::size_t to = std::min(from + at_once, starts.size());
        std::vector<Model> some(starts.begin() + static_cast<std::ptrdiff_t>(from),
                                starts.begin() + static_cast<std::ptrdiff_t>(to));
        const Model& model = starts.front();
        const int dimension = model.parameters.dimension;
        training::BatchTraining training(std::move(some), problem,
                                         {seeds.begin() + static_cast<std::ptrdiff_t>(from),
                                          seeds.begin() + static_cast<std::ptrdiff_t>(to)},
                                         settings);
        const int constants = std::max(training.constants(), 1);
        if (from == 0 && starts.size() > 1) {
            const auto most = static_cast<std::size_t>(
                soft::CudaBatch::capacity(model.hierarchy, model.protorules, model.options,
                                          dimension, model.options.train_steps, constants));
            if (most < to - from) {
                at_once = most;
                continue;
            }
        }
        soft::CudaBatch batch(model.hierarchy, model.protorules, model.options, dimension,
                              model.options.train_steps, static_cast<int>(to - from), constants);
        for (TrainResult& result : training.run(batch))
            results.push_back(std::move(result));
        from = to;
    }
    return results;
}

}  // namespace

std::vector<TrainResult> train_many(const Problem& problem, const Options& options,
                                    const std::vector<std::uint64_t>& seeds,
                                    const TrainSettings& settings) {
    std::vector<Model> starts;
    for (const std::uint64_t seed : seeds)
        starts.push_back(make_model(problem.inputs(), problem.target(), options, seed));
    return train_many_from(std::move(starts), problem, seeds, settings);
}

std::vector<TrainResult> train_many_from(std::vector<Model> starts, const Problem& problem,
                                         const std::vector<std::uint64_t>& seeds,
                                         const TrainSettings& settings) {
    if (settings.device == Device::cuda && !starts.empty())
        return train_on_gpu(std::move(starts), problem, seeds, settings);
    std::vector<TrainResult> results;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        TrainSettings run = settings;
        run.seed = seeds[i];
        results.push_back(train_from(std::move(starts[i]), problem, run));
    }
    return results;
}

}  // namespace hri
