// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/block_executor.cuh"
#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/cuda_images.hpp"
#include "soft/cuda/device_memory.cuh"

#include <algorithm>
#include <deque>

namespace hri::soft {

namespace {

// A round lasts as long as its slowest target, so blocks are large: 256 threads take 1.5 times as
// long.
constexpr int kJobThreads = 1024;
constexpr std::size_t kJobShared = 100'000;

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
__global__ void __launch_bounds__(kJobThreads, 1)
    train_targets(const __grid_constant__ ImageTables tables, const ImageJob* jobs,
                  const DenseIteration* steps, const int* order, int images, bool is_first,
                  JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    const int t = order[blockIdx.x];
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
__global__ void __launch_bounds__(kJobThreads, 1)
    value_objects(const __grid_constant__ ImageTables tables, const ImageJob* jobs,
                  const int* order, const __grid_constant__ DenseIteration now, JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    begin_in_block(work, tables, jobs[order[blockIdx.x]], now, memory, shared);
    value_job(BlockExecutor{}, work);
}

/// A block takes one target's step against the slopes of its images.
__global__ void __launch_bounds__(kJobThreads, 1)
    step_targets(const __grid_constant__ ImageTables tables, const ImageJob* jobs, const int* first,
                 const int* order, const __grid_constant__ DenseIteration now, JobMemory memory) {
    extern __shared__ __align__(16) std::byte shared[];
    __shared__ ImageWork work;
    const int t = order[blockIdx.x];
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
    explicit State(const ImageSetup& setup)
        : sizes(setup.sizes), bytes_of_job(setup.buffer_bytes), facts(setup.images) {
        std::vector<PlanView> views;
        for (const DensePlan& plan : setup.plans)
            device_plans.emplace_back(plan, stream);
        for (const int i : setup.plan_at)
            views.push_back(i < 0 ? PlanView{} : device_plans[static_cast<std::size_t>(i)].view());
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
        allow(train_targets);
        allow(value_objects);
        allow(step_targets);
        stream.wait();  // what is copied goes away
    }

    template <class Kernel>
    static void allow(const Kernel& kernel) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(kJobShared)),
              "give a block its memory");
    }

    JobMemory memory(std::size_t blocks) {
        buffers.reserve(blocks * bytes_of_job);
        return {buffers.data(), bytes_of_job};
    }

    void step_shared(const DenseIteration& now) {
        if (sizes.trains_predicates == 0)
            return;
        const int threads = 128;
        const auto blocks =
            static_cast<unsigned>((sizes.background_count() + threads - 1) / threads);
        step_table<<<blocks, threads, 0, stream>>>(tables, now);
    }

    Stream stream;
    ImageSizes sizes;
    std::size_t bytes_of_job;
    std::vector<ImageFacts> facts;
    std::deque<DevicePlan> device_plans;
    DeviceArray<PlanView> plans;
    DeviceArray<ImageFacts> images;
    DeviceArray<SceneLabel> names;
    DeviceArray<SceneRelation> relations;
    DeviceArray<std::uint32_t> targets, objects;
    DeviceArray<float> gradient, own_sum, device_values, slopes;
    DeviceArray<float> numbers[10];
    DeviceArray<ImageJob> jobs, step_jobs;
    DeviceArray<int> first, order;
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
    std::vector<int> order;
    for (const ImageRound& round : rounds) {
        std::vector<int> first;
        for (std::size_t i = 0; i <= round.jobs.size(); i += round.steps.size())
            first.push_back(static_cast<int>(i));
        const std::vector<int> longest = longest_first(state_->facts, round.jobs, first);
        order.insert(order.end(), longest.begin(), longest.end());
        jobs.insert(jobs.end(), round.jobs.begin(), round.jobs.end());
        steps.insert(steps.end(), round.steps.begin(), round.steps.end());
    }
    state_->jobs.upload(jobs, state_->stream);
    state_->steps.upload(steps, state_->stream);
    state_->order.upload(order, state_->stream);
    const int* next = state_->order.data();
    const auto blocks = static_cast<unsigned>(state_->sizes.targets);
    const JobMemory memory = state_->memory(blocks);
    const ImageJob* job = state_->jobs.data();
    const DenseIteration* step = state_->steps.data();
    for (const ImageRound& round : rounds) {
        train_targets<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
            state_->tables, job, step, next, static_cast<int>(round.steps.size()), round.is_first,
            memory);
        check(cudaGetLastError(), "start a kernel");
        state_->step_shared(round.shared);
        next += blocks;
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
    std::vector<int> first;
    for (std::size_t i = 0; i <= contests.jobs.size(); ++i)
        first.push_back(static_cast<int>(i));
    state_->order.upload(longest_first(state_->facts, contests.jobs, first), state_->stream);
    value_objects<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
        state_->tables, state_->jobs.data(), state_->order.data(), contests.step,
        state_->memory(blocks));
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
    state_->order.upload(longest_first(state_->facts, slopes.jobs, slopes.first), state_->stream);
    step_targets<<<blocks, kJobThreads, kJobShared, state_->stream>>>(
        state_->tables, state_->step_jobs.data(), state_->first.data(), state_->order.data(),
        contests.step, state_->memory(blocks));
    check(cudaGetLastError(), "start a kernel");
    state_->step_shared(contests.shared);
}

std::size_t CudaImages::bytes() const {
    return state_->buffers.bytes() + state_->names.bytes() + state_->relations.bytes() +
           state_->images.bytes() + state_->gradient.bytes();
}

}  // namespace hri::soft
