// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/device_memory.cuh"
#include "soft/cuda/executors.cuh"
#include "soft/cuda/spread.cuh"

#include <algorithm>
#include <limits>
#include <map>

namespace hri::soft {

namespace {

struct Chip {
    int multiprocessors = 1;
    int shared_bytes = 48 * 1024;  // of a block at most
};

Chip chip() {
    const std::string why = why_no_cuda();
    if (!why.empty())
        throw Error(why, {}, "use {device=cpu}, or run it where there is a GPU");
    Chip result;
    int device = 0;
    check(cudaGetDevice(&device), "say which it is");
    cudaDeviceGetAttribute(&result.multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&result.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return result;
}

/// The blocks of a batch: threads, fast memory, pairs of a chunk. Measured over 9 constants: blocks
/// leave nearly half of the memory of their multiprocessor to the cache.
CudaShape block_shape(const Chip& chip, int models, int constants, CudaShape shape) {
    constexpr int kShared = 60'000;
    constexpr int kMaxPairs = 4096;
    const bool is_alone = models <= chip.multiprocessors;
    if (shape.threads == 0)
        shape.threads = is_alone ? kMaxThreads : kThreads;
    if (shape.shared_bytes == 0)
        shape.shared_bytes = std::min(is_alone ? 2 * kShared : kShared, chip.shared_bytes - 4096);
    if (shape.pairs == 0) {
        const int of_pair = area_of(constants) * 6;  // product and its winners
        shape.pairs = constants > shape.block_constants
                          ? kMaxPairs
                          : std::clamp(shape.shared_bytes * 4 / 5 / of_pair, 8, 256);
    }
    return shape;
}

DenseSizes sizes_of(int constants, int steps, const CudaShape& shape) {
    const bool is_large = constants > shape.block_constants;
    const long long area = static_cast<long long>(constants) * constants;
    // A chunk of a large instance has 2 GB at most.
    const int pairs = is_large ? static_cast<int>(std::clamp(200'000'000LL / area, 1LL,
                                                             static_cast<long long>(shape.pairs)))
                               : shape.pairs;
    return {constants, steps, pairs, is_large ? 256 : 1};
}

}  // namespace

struct CudaBatch::State {
    State(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
          int dimension, int steps, int models, int constants, const CudaShape& given)
        : shape(block_shape(chip(), models, constants, given)),
          plan(make_dense_plan(hierarchy, protorules, options, dimension,
                               sizes_of(constants, steps, shape))),
          device_plan(plan, stream),
          seeds(static_cast<std::size_t>(models), 0) {
        sizes = device_plan.view();
        bytes = bytes_of(sizes);
        lasting.reserve(bytes.lasting * static_cast<std::size_t>(models));
        check(cudaMemsetAsync(lasting.data(), 0, lasting.bytes(), stream), "clear memory");
        DenseWork<float> work{};
        work.plan = sizes;
        MemoryPiece piece;
        place_lasting(work, piece);
        predicate_count = work.predicate_count();
        slot_count = work.slot_count();
        next.reserve(1);
    }

    ~State() { forget_graphs(); }

    void forget_graphs() {
        for (auto& [n, graph] : graphs)
            cudaGraphExecDestroy(graph);
        graphs.clear();
    }

    /// A work whose pointers are those of the i-th model of the round, of model m.
    DenseWork<float> work_of(int i, int m) const {
        DenseWork<float> work{};
        work.plan = sizes;
        MemoryPiece lasting_piece{lasting.data() + static_cast<std::size_t>(m) * bytes.lasting};
        MemoryPiece piece{buffers.data() + static_cast<std::size_t>(i) * bytes.buffers};
        MemoryPiece fast;
        place_lasting(work, lasting_piece);
        // The same places as in the kernel: hot buffers are elsewhere.
        place_buffers(work, piece, fast, last_shared);
        return work;
    }

    /// Items of a phase are counted in 31 bits.
    void check_size(int constants) const {
        constexpr int kMaxConstants = 4096;
        const long long items = static_cast<long long>(constants) * constants *
                                std::max(sizes.entries, sizes.auxiliaries);
        if (constants > kMaxConstants || items > std::numeric_limits<int>::max())
            throw Error("an instance of " + std::to_string(constants) +
                            " constants is too large for the GPU",
                        {}, "use {device=cpu}, fewer layers, or smaller instances");
    }

    RoundView upload(const BatchRound& round);
    void run_blocks(const RoundView& view);
    void run_spread(const RoundView& view, const std::vector<int>& constants);
    void capture(const RoundView& view, int constants);

    Stream stream;
    CudaShape shape;
    DensePlan plan;
    DevicePlan device_plan;
    PlanView sizes{};
    BatchBytes bytes;
    std::size_t predicate_count = 0;
    std::size_t slot_count = 0;
    std::size_t last_shared = 0;
    int last_atoms = 0;

    std::vector<unsigned long long> seeds;
    PackedInstances instances;  // of the last round
    BatchRound last;
    std::vector<BatchOutcome> outcomes;

    DeviceArray<std::byte> lasting, buffers, instance_bytes;
    DeviceArray<unsigned long long> device_seeds;
    DeviceArray<InstancePlace> places;
    DeviceArray<DenseIteration> iterations;
    DeviceArray<int> models, instance, next;
    DeviceArray<float> gumbel;
    DeviceArray<BatchOutcome> device_outcomes;
    DeviceArray<DenseWork<float>> works;
    std::map<int, cudaGraphExec_t> graphs;  // by constants
};

RoundView CudaBatch::State::upload(const BatchRound& round) {
    last = round;
    if (round.instances != nullptr) {
        instances = *round.instances;
        instance_bytes.upload(instances.bytes(), stream);
        places.upload(instances.places(), stream);
        check_size(instances.constants());
        if (instances.constants() > sizes.n) {  // larger ones than before
            set_constants(sizes, instances.constants());
            bytes = bytes_of(sizes);
        }
    }
    device_seeds.upload(seeds, stream);
    models.upload(last.models, stream);
    iterations.upload(last.iterations, stream);
    instance.upload(last.instance, stream);
    gumbel.upload(last.gumbel, stream);
    const std::size_t count = last.models.size();
    buffers.reserve(bytes.buffers * count);
    outcomes.assign(count * last.iterations.size(), {});
    device_outcomes.reserve(outcomes.size());
    works.reserve(count);

    RoundView view{};
    view.plan = sizes;
    view.does = last.does;
    view.count = static_cast<int>(count);
    view.iterations = static_cast<int>(last.iterations.size());
    view.models = models.data();
    view.iteration = iterations.data();
    view.instance = instance.data();
    view.places = places.data();
    view.bytes = instance_bytes.data();
    view.seeds = device_seeds.data();
    view.gumbel = last.gumbel.empty() ? nullptr : gumbel.data();
    view.lasting = lasting.data();
    view.lasting_stride = bytes.lasting;
    view.buffers = buffers.data();
    view.buffer_stride = bytes.buffers;
    view.outcomes = device_outcomes.data();
    return view;
}

void CudaBatch::State::run_blocks(const RoundView& view) {
    RoundView round = view;
    round.shared = static_cast<std::size_t>(shape.shared_bytes);
    last_shared = round.shared;
    const auto kernel =
        shape.threads > kThreads ? train_blocks<kMaxThreads, 1> : train_blocks<kThreads, 2>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shape.shared_bytes),
          "give a block its memory");
    kernel<<<static_cast<unsigned>(round.count), static_cast<unsigned>(shape.threads),
             static_cast<std::size_t>(shape.shared_bytes), stream>>>(round);
    check(cudaGetLastError(), "start a kernel");
}

// The launches of one iteration, kept as a graph: they are many and short.
void CudaBatch::State::capture(const RoundView& view, int constants) {
    const auto count = static_cast<unsigned>(view.count);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record work");
    begin_works<<<count, 32, 0, stream>>>(works.data(), view, next.data());
    DenseWork<float> host{};
    host.plan = plan.view();
    set_constants(host.plan, constants);
    host.now.to_unit_length = 1;  // the phase asks again
    do_iteration(SpreadExecutor{works.data(), view.count, stream}, host, view.does);
    end_works<<<1, 256, 0, stream>>>(works.data(), view, next.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "record work");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t code = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(code, "prepare recorded work");
    graphs[constants] = executable;
}

void CudaBatch::State::run_spread(const RoundView& view, const std::vector<int>& constants) {
    last_shared = 0;
    forget_graphs();
    check(cudaMemsetAsync(next.data(), 0, sizeof(int), stream), "clear memory");
    place_works<<<static_cast<unsigned>(view.count), 32, 0, stream>>>(works.data(), view);
    for (const int n : constants) {
        if (graphs.count(n) == 0)
            capture(view, n);
        check(cudaGraphLaunch(graphs.at(n), stream), "start recorded work");
    }
}

CudaBatch::CudaBatch(const Hierarchy& hierarchy, const ProtoRules& protorules,
                     const Options& options, int dimension, int steps, int models, int constants,
                     const CudaShape& shape)
    : state_(std::make_unique<State>(hierarchy, protorules, options, dimension, steps, models,
                                     constants, shape)) {}

CudaBatch::CudaBatch(CudaBatch&&) noexcept = default;
CudaBatch::~CudaBatch() = default;

void CudaBatch::set(int model, const Parameters& parameters, std::uint64_t seed) {
    const DenseWork<float> work = state_->work_of(0, model);
    std::vector<std::byte> zeros(state_->bytes.lasting, std::byte{0});
    check(cudaMemcpy(state_->lasting.data() + static_cast<std::size_t>(model) * zeros.size(),
                     zeros.data(), zeros.size(), cudaMemcpyHostToDevice),
          "take data");
    const auto give = [](float* to, const std::vector<float>& from) {
        check(cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice),
              "take data");
    };
    state_->stream.wait();
    give(work.predicates, parameters.predicates);
    give(work.slots, parameters.slots);
    state_->seeds[static_cast<std::size_t>(model)] = seed;
}

namespace {

void fetch(std::vector<float>& to, const float* from, std::size_t count) {
    to.resize(count);
    check(cudaMemcpy(to.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost), "give data");
}

}  // namespace

void CudaBatch::get(int model, Parameters& parameters) {
    state_->stream.wait();
    const DenseWork<float> work = state_->work_of(0, model);
    fetch(parameters.predicates, work.predicates, state_->predicate_count);
    fetch(parameters.slots, work.slots, state_->slot_count);
}

void CudaBatch::start(const BatchRound& round) {
    const RoundView view = state_->upload(round);
    const std::size_t count = round.models.size();
    // One phase for all models needs one size for all of them.
    std::vector<int> constants;
    bool same = true;
    for (std::size_t k = 0; k < round.iterations.size(); ++k) {
        const auto at = [&](std::size_t i) {
            const int number = round.instance[i * round.iterations.size() + k];
            return state_->instances.places()[static_cast<std::size_t>(number)].n;
        };
        constants.push_back(at(0));
        for (std::size_t i = 1; i < count; ++i)
            same = same && at(i) == at(0);
    }
    const int largest = *std::max_element(constants.begin(), constants.end());
    if (same && largest > state_->shape.block_constants)
        state_->run_spread(view, constants);
    else
        state_->run_blocks(view);
    state_->device_outcomes.download(state_->outcomes, state_->stream);
}

const std::vector<BatchOutcome>& CudaBatch::finish() {
    state_->stream.wait();
    return state_->outcomes;
}

std::vector<float> CudaBatch::gradient(int i) {
    state_->stream.wait();
    const DenseWork<float> work = state_->work_of(i, 0);
    std::vector<float> result, slots;
    fetch(result, work.d_predicates, state_->predicate_count);
    fetch(slots, work.d_slots, state_->slot_count);
    result.insert(result.end(), slots.begin(), slots.end());
    return result;
}

std::vector<float> CudaBatch::target(int i) {
    state_->stream.wait();
    const BatchRound& round = state_->last;
    const int number =
        round.instance[(static_cast<std::size_t>(i) + 1) * round.iterations.size() - 1];
    PlanView plan = state_->sizes;
    set_constants(plan, state_->instances.places()[static_cast<std::size_t>(number)].n);
    std::vector<float> result;
    fetch(result, state_->work_of(i, 0).target, static_cast<std::size_t>(plan.atoms));
    return result;
}

std::size_t CudaBatch::bytes() const {
    return state_->lasting.bytes() + state_->buffers.bytes() + state_->instance_bytes.bytes() +
           state_->device_plan.bytes();
}

int CudaBatch::capacity(const Hierarchy& hierarchy, const ProtoRules& protorules,
                        const Options& options, int dimension, int steps, int constants) {
    const CudaShape shape = block_shape(chip(), 1024, constants, {});
    const DensePlan plan = make_dense_plan(hierarchy, protorules, options, dimension,
                                           sizes_of(constants, steps, shape));
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all), "say how much memory it has");
    const BatchBytes bytes = bytes_of(plan.sizes);
    const std::size_t models = free / 4 * 3 / (bytes.buffers + bytes.lasting);
    return static_cast<int>(std::clamp<std::size_t>(models, 1, 65'536));
}

bool is_built_with_cuda() { return true; }

std::string why_no_cuda() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0)
        return {};
    return std::string("there is no GPU that CUDA can use") +
           (code == cudaSuccess ? "" : std::string(" (") + cudaGetErrorString(code) + ")");
}

std::string cuda_device() {
    cudaDeviceProp properties{};
    if (!why_no_cuda().empty() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        return {};
    return std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30) +
           " GiB";
}

}  // namespace hri::soft
