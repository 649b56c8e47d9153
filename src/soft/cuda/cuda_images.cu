// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/block_executor.cuh"
#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/cuda_images.hpp"
#include "soft/cuda/device_memory.cuh"

#include <algorithm>
#include <deque>

namespace hri::soft {

namespace {

constexpr int kJobThreads = 256;
constexpr std::size_t kJobShared = 50'000;

/// The buffers of blocks.
struct JobMemory {
    std::byte* bytes;
    std::size_t stride;
};

__device__ void begin_in_block(ImageWork& work, const ImageTables& tables, const ImageJob& job,
                               const DenseIteration& now, const JobMemory& memory,
                               std::byte* shared) {
    if (threadIdx.x == 0)
        begin_job(work, tables, job, now, memory.bytes + blockIdx.x * memory.stride, shared,
                  kJobShared);
    __syncthreads();
}

__device__ void clear(float* numbers, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
        numbers[i] = 0;
    __syncthreads();
}

/// A block trains one target on its images of a round.
__global__ void __launch_bounds__(kJobThreads, 3)
    train_targets(const __grid_constant__ ImageTables tables, const ImageJob* jobs,
                  const DenseIteration* steps, int images, bool is_first, JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    const int t = static_cast<int>(blockIdx.x);
    const int count = tables.sizes.background_count();
    clear(tables.gradient + static_cast<long long>(t) * count, count);
    for (int j = 0; j < images; ++j) {
        const ImageJob& job = jobs[t * images + j];
        if (job.image < 0)
            continue;
        begin_in_block(work, tables, job, steps[j], memory, shared);
        train_job(BlockExecutor{}, work, is_first && j == 0);
        __syncthreads();
    }
}

/// A block values one image by one target.
__global__ void __launch_bounds__(kJobThreads, 3)
    value_objects(const __grid_constant__ ImageTables tables, const ImageJob* jobs,
                  const __grid_constant__ DenseIteration now, JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    begin_in_block(work, tables, jobs[blockIdx.x], now, memory, shared);
    value_job(BlockExecutor{}, work);
}

/// A block takes one target's step against the slopes of its images.
__global__ void __launch_bounds__(kJobThreads, 3)
    step_targets(const __grid_constant__ ImageTables tables, const ImageJob* jobs,
                 const int* first, const __grid_constant__ DenseIteration now, JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    const int t = static_cast<int>(blockIdx.x);
    const int own = tables.sizes.own_count();
    const int count = tables.sizes.background_count();
    clear(tables.gradient + static_cast<long long>(t) * count, count);
    clear(tables.own_sum + t * own, own);
    for (int i = first[t]; i < first[t + 1]; ++i) {
        begin_in_block(work, tables, jobs[i], now, memory, shared);
        slope_job(BlockExecutor{}, work);
        __syncthreads();
    }
    for (int i = static_cast<int>(threadIdx.x); i < own; i += static_cast<int>(blockDim.x))
        phases::step_own(tables, t, i, tables.own_sum[t * own + i], now);
}

__global__ void step_table(const __grid_constant__ ImageTables tables,
                           const __grid_constant__ DenseIteration now) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < tables.sizes.background_count())
        phases::step_background(tables, i, now);
}

}  // namespace

struct CudaImages::State {
    explicit State(const ImageSetup& setup) : sizes(setup.sizes), bytes_of_job(setup.buffer_bytes) {
        std::vector<PlanView> views;
        for (const DensePlan& plan : setup.plans)
            device_plans.emplace_back(plan, stream);
        for (const int i : setup.plan_at)
            views.push_back(i < 0 ? PlanView{}
                                  : device_plans[static_cast<std::size_t>(i)].view());
        plans.upload(views, stream);
        images.upload(setup.images, stream);
        names.upload(setup.names, stream);
        relations.upload(setup.relations, stream);
        targets.upload(setup.targets, stream);
        const std::size_t count = setup.targets.size();
        gradient.reserve(count * static_cast<std::size_t>(sizes.background_count()));
        own_sum.reserve(count * static_cast<std::size_t>(sizes.own_count()));
        tables.sizes = sizes;
        tables.plans = plans.data();
        tables.images = images.data();
        tables.names = names.data();
        tables.relations = relations.data();
        tables.target = targets.data();
        tables.gradient = gradient.data();
        tables.own_sum = own_sum.data();
        for (const auto kernel : {reinterpret_cast<const void*>(train_targets),
                                  reinterpret_cast<const void*>(value_objects),
                                  reinterpret_cast<const void*>(step_targets)})
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(kJobShared)),
                  "give a block its memory");
        stream.wait();  // what is copied goes away
    }

    JobMemory memory(std::size_t blocks) {
        buffers.reserve(blocks * bytes_of_job);
        return {buffers.data(), bytes_of_job};
    }

    void step_shared(const DenseIteration& now) {
        if (sizes.trains_predicates == 0)
            return;
        const int threads = 128;
        const auto blocks = static_cast<unsigned>((sizes.background_count() + threads - 1) / threads);
        step_table<<<blocks, threads, 0, stream>>>(tables, now);
    }

    Stream stream;
    ImageSizes sizes;
    std::size_t bytes_of_job;
    std::deque<DevicePlan> device_plans;
    DeviceArray<PlanView> plans;
    DeviceArray<ImageFacts> images;
    DeviceArray<SceneLabel> names;
    DeviceArray<SceneRelation> relations;
    DeviceArray<std::uint32_t> targets, objects;
    DeviceArray<float> gradient, own_sum, device_values, slopes;
    DeviceArray<float> numbers[10];
    DeviceArray<ImageJob> jobs, step_jobs;
    DeviceArray<int> first;
    DeviceArray<DenseIteration> steps;
    DeviceArray<std::byte> buffers;
    std::vector<float> values;
    ImageTables tables{};
};

CudaImages::CudaImages(const ImageSetup& setup) {
    const std::string why = why_no_cuda();
    if (!why.empty())
        throw Error(why, {}, "use {device=cpu}, or run it where there is a GPU");
    state_ = std::make_unique<State>(setup);
}

CudaImages::CudaImages(CudaImages&&) noexcept = default;
CudaImages::~CudaImages() = default;

void CudaImages::set(const ImageNumbers& numbers) {
    ImageNumbers copy = numbers;
    std::size_t next = 0;
    copy.each(state_->tables, [&](std::vector<float>& of, float*& at) {
        DeviceArray<float>& array = state_->numbers[next++];
        array.upload(of, state_->stream);
        at = array.data();
    });
    state_->stream.wait();
}

void CudaImages::get(ImageNumbers& numbers) {
    std::size_t next = 0;
    numbers.each(state_->tables, [&](std::vector<float>& of, float*&) {
        state_->numbers[next++].download(of, state_->stream);
    });
    state_->stream.wait();
}

void CudaImages::train(const std::vector<ImageRound>& rounds) {
    std::vector<ImageJob> jobs;
    std::vector<DenseIteration> steps;
    for (const ImageRound& round : rounds) {
        jobs.insert(jobs.end(), round.jobs.begin(), round.jobs.end());
        steps.insert(steps.end(), round.steps.begin(), round.steps.end());
    }
    state_->jobs.upload(jobs, state_->stream);
    state_->steps.upload(steps, state_->stream);
    const auto blocks = static_cast<unsigned>(state_->sizes.targets);
    const JobMemory memory = state_->memory(blocks);
    const ImageJob* job = state_->jobs.data();
    const DenseIteration* step = state_->steps.data();
    for (const ImageRound& round : rounds) {
        train_targets<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
            state_->tables, job, step, static_cast<int>(round.steps.size()), round.is_first,
            memory);
        check(cudaGetLastError(), "start a kernel");
        state_->step_shared(round.shared);
        job += round.jobs.size();
        step += round.steps.size();
    }
}

const std::vector<float>& CudaImages::values(const ImageContests& contests) {
    const std::size_t count = static_cast<std::size_t>(state_->sizes.targets) *
                              static_cast<std::size_t>(contests.columns);
    state_->jobs.upload(contests.jobs, state_->stream);
    state_->objects.upload(contests.objects, state_->stream);
    state_->device_values.reserve(count);
    state_->tables.objects = state_->objects.data();
    state_->tables.values = state_->device_values.data();
    state_->tables.columns = contests.columns;
    const auto blocks = static_cast<unsigned>(contests.jobs.size());
    value_objects<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
        state_->tables, state_->jobs.data(), contests.step, state_->memory(blocks));
    check(cudaGetLastError(), "start a kernel");
    state_->values.resize(count);
    state_->device_values.download(state_->values, state_->stream);
    state_->stream.wait();
    return state_->values;
}

void CudaImages::step(const ImageSlopes& slopes, const ImageContests& contests) {
    state_->step_jobs.upload(slopes.jobs, state_->stream);
    state_->first.upload(slopes.first, state_->stream);
    state_->slopes.upload(slopes.slopes, state_->stream);
    state_->tables.slopes = state_->slopes.data();
    const auto blocks = static_cast<unsigned>(state_->sizes.targets);
    step_targets<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
        state_->tables, state_->step_jobs.data(), state_->first.data(), contests.step,
        state_->memory(blocks));
    check(cudaGetLastError(), "start a kernel");
    state_->step_shared(contests.shared);
}

std::size_t CudaImages::bytes() const {
    return state_->buffers.bytes() + state_->names.bytes() + state_->relations.bytes() +
           state_->images.bytes() + state_->gradient.bytes();
}

}  // namespace hri::soft
