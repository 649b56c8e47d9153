// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a GPU runs the phases: a model by a block, or each phase by the whole GPU.

#include "soft/cuda/batch.hpp"
#include "soft/cuda/block_executor.cuh"
#include "soft/cuda/iterate.hpp"

#include <cuda_runtime.h>
#include <type_traits>

namespace hri::soft {

/// A round as the kernels see it.
struct RoundView {
    PlanView plan;  // its sizes are those of the largest instance
    BatchRound::Does does;
    int count;  // models
    int iterations;
    const int* models;                // (count)
    const DenseIteration* iteration;  // (iterations)
    const int* instance;              // (count, iterations)
    const InstancePlace* places;
    const std::byte* bytes;           // of the instances
    const unsigned long long* seeds;  // of all models
    const float* gumbel;
    std::byte* lasting;
    std::size_t lasting_stride;
    std::byte* buffers;
    std::size_t buffer_stride;
    std::size_t shared;
    BatchOutcome* outcomes;  // (count, iterations)
};

/// Places the buffers of the i-th model of a round.
__device__ inline void place_work(DenseWork<float>& w, const RoundView& round, int i,
                                  std::byte* shared) {
    const int model = round.models[i];
    w.plan = round.plan;
    w.seed = round.seeds[model];
    w.given_gumbel = round.gumbel;
    MemoryPiece lasting{round.lasting + model * round.lasting_stride};
    MemoryPiece buffers{round.buffers + i * round.buffer_stride};
    MemoryPiece fast{shared};
    place_lasting(w, lasting);
    place_buffers(w, buffers, fast, round.shared);
}

__device__ inline void begin_iteration(DenseWork<float>& w, const RoundView& round, int i, int k) {
    w.now = round.iteration[k];
    set_instance(w, round.places[round.instance[i * round.iterations + k]], round.bytes);
}

HRI_EITHER
template <class Executor>
HRI_BOTH void do_iteration(const Executor& run, const DenseWork<float>& w, BatchRound::Does does) {
    unify(run, w);
    forward(run, w);
    measure_loss(run, w);
    if (does == BatchRound::Does::infer)
        return;
    backward(run, w);
    if (does == BatchRound::Does::train)
        update(run, w);
}

constexpr int kThreads = 512;      // of two blocks on a multiprocessor
constexpr int kMaxThreads = 1024;  // of one alone

/// A block goes through all iterations of one model.
template <int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    train_blocks(const __grid_constant__ RoundView round) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ DenseWork<float> w;
    const int i = static_cast<int>(blockIdx.x);
    if (threadIdx.x == 0)
        place_work(w, round, i, shared);
    const BlockExecutor run;
    for (int k = 0; k < round.iterations; ++k) {
        if (threadIdx.x == 0)
            begin_iteration(w, round, i, k);
        __syncthreads();
        do_iteration(run, w, round.does);
        if (threadIdx.x == 0)
            round.outcomes[i * round.iterations + k] = {w.outcome[0], w.outcome[1]};
        __syncthreads();
    }
}

// The whole GPU for each phase. The works lie in the GPU's memory, one per model of the round.

static __global__ void place_works(DenseWork<float>* works, const __grid_constant__ RoundView round) {
    if (threadIdx.x == 0)
        place_work(works[blockIdx.x], round, static_cast<int>(blockIdx.x), nullptr);
}

/// `next` is the iteration that begins.
static __global__ void begin_works(DenseWork<float>* works, const __grid_constant__ RoundView round,
                            const int* next) {
    if (threadIdx.x == 0)
        begin_iteration(works[blockIdx.x], round, static_cast<int>(blockIdx.x), *next);
}

static __global__ void end_works(const DenseWork<float>* works, const __grid_constant__ RoundView round,
                          int* next) {
    for (int i = static_cast<int>(threadIdx.x); i < round.count; i += static_cast<int>(blockDim.x))
        round.outcomes[i * round.iterations + *next] = {works[i].outcome[0], works[i].outcome[1]};
    __syncthreads();
    if (threadIdx.x == 0)
        ++*next;
}

template <auto Phase>
__global__ void run_phase(const DenseWork<float>* __restrict__ works, int items, phases::At at) {
    const DenseWork<float>& w = works[blockIdx.y];
    const int stride = static_cast<int>(gridDim.x * blockDim.x);
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < items; i += stride)
        Phase(w, static_cast<int>(i), at);
}

template <auto Phase>
struct PhaseTag {};

}  // namespace hri::soft
