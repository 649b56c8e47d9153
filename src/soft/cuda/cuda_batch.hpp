// SPDX-License-Identifier: Apache-2.0
#pragma once

// A batch of models on a GPU: parameters, noise, inference, gradients and Adam stay there.
//
//   CudaBatch batch(hierarchy, protorules, options, dimension, steps, models);
//   batch.set(0, parameters, seed);
//   batch.start(round);                     // returns at once
//   for (const BatchOutcome& outcome : batch.finish()) ...
//
// Up to 32 constants a model is the work of one block, which goes through the iterations of a round
// alone. Beyond, each phase is spread over the whole GPU.

#include "soft/cuda/batch.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hri::soft {

/// How blocks are cut; 0: chosen from the number of models.
struct CudaShape {
    int threads = 0;           // of a block
    int shared_bytes = 0;      // of a block
    int pairs = 0;             // of a chunk
    int block_constants = 32;  // most for one block per model
};

class CudaBatch {
  public:
    /// Error where the program was built without CUDA, or there is no GPU.
    CudaBatch(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
              int dimension, int steps, int models, int constants, const CudaShape& shape = {});
    CudaBatch(CudaBatch&&) noexcept;
    ~CudaBatch();

    /// Parameters of a model whose Adam has made no step yet.
    void set(int model, const Parameters& parameters, std::uint64_t seed);
    void get(int model, Parameters& parameters);

    void start(const BatchRound& round);
    /// Waits; (models, iterations) of the round.
    const std::vector<BatchOutcome>& finish();

    /// The gradient of the i-th model of the last round: predicates, then slots.
    std::vector<float> gradient(int i);
    /// The target's valuations of the i-th model of the last round.
    std::vector<float> target(int i);

    /// The bytes that it takes of the GPU's memory.
    std::size_t bytes() const;

    /// How many models over so many constants fit into the GPU's free memory; at least 1.
    static int capacity(const Hierarchy& hierarchy, const ProtoRules& protorules,
                        const Options& options, int dimension, int steps, int constants);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

bool is_built_with_cuda();

/// "" where there is a GPU to work on, else why there is none.
std::string why_no_cuda();

/// The GPU's name and memory; "" where there is none.
std::string cuda_device();

}  // namespace hri::soft
