// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/infer_on_gpu.hpp"

#include "hri/device.hpp"
#include "hri/error.hpp"

#include "soft/cuda/cuda_batch.hpp"

#include <algorithm>

namespace hri::soft {

namespace {

/// One model over instances first to before last, all of a round.
void infer_some(CudaBatch& batch, const Model& model, const PackedInstances& packed,
                std::vector<std::vector<float>>& results) {
    const Options& options = model.options;
    BatchRound round;
    round.does = BatchRound::Does::infer;
    DenseIteration now;
    now.temperature = options.temperature_schedule == Schedule::constant
                          ? options.temperature
                          : options.final_temperature;
    round.iterations = {now};
    const auto count = static_cast<int>(packed.places().size());
    for (int i = 0; i < count; ++i) {
        round.models.push_back(0);
        round.instance.push_back(i);
    }
    round.instances = &packed;
    batch.start(round);
    batch.finish();
    for (int i = 0; i < count; ++i)
        results.push_back(batch.target(i));
}

}  // namespace

std::vector<std::vector<float>> infer_on_gpu(const Model& model,
                                             const std::vector<Instance>& instances, int steps) {
    require(Device::cuda);
    if (steps < 0)
        throw Error("device: a GPU infers a given number of steps", {},
                    "give {steps}, or use {device=cpu}");
    int constants = 1;
    for (const Instance& instance : instances)
        constants = std::max(constants, instance.constants);
    const int dimension = model.parameters.dimension;
    const auto at_once = static_cast<std::size_t>(CudaBatch::capacity(
        model.hierarchy, model.protorules, model.options, dimension, steps, constants));
    CudaBatch batch(model.hierarchy, model.protorules, model.options, dimension, steps, 1,
                    constants);
    batch.set(0, model.parameters, 0);
    std::vector<std::vector<float>> results;
    PackedInstances packed;
    DenseInstance<float> dense;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        make_dense(dense, instances[i], columns_of(instances[i].inputs(), model.inputs),
                   model.inputs, model.target.arity, constants_of(model.protorules));
        packed.add(dense);
        if (packed.places().size() == at_once || i + 1 == instances.size()) {
            infer_some(batch, model, packed, results);
            packed.clear();
        }
    }
    return results;
}

}  // namespace hri::soft
