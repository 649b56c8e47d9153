// SPDX-License-Identifier: Apache-2.0
#include "hri/cuda_layer.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/device_memory.cuh"
#include "soft/cuda/executors.cuh"
#include "soft/cuda/layer_work.hpp"
#include "soft/cuda/spread.cuh"

#include <algorithm>
#include <limits>

namespace hri {

namespace soft {

namespace {

constexpr int kBlockConstants = 32;  // most for one block per instance

/// A block for each instance.
template <class Real>
__global__ void __launch_bounds__(kThreads)
    infer_blocks(const __grid_constant__ LayerView<Real> view) {
    __shared__ LayerWork<Real> w;
    if (threadIdx.x == 0)
        place_layer(w, view, static_cast<int>(blockIdx.x));
    __syncthreads();
    infer_layer(BlockExecutor{}, w);
}

template <class Real>
__global__ void __launch_bounds__(kThreads)
    differentiate_blocks(const __grid_constant__ LayerView<Real> view) {
    __shared__ LayerWork<Real> w;
    if (threadIdx.x == 0)
        place_layer(w, view, static_cast<int>(blockIdx.x));
    __syncthreads();
    differentiate_layer(BlockExecutor{}, w);
}

template <class Real>
__global__ void sum_all_parameters(const __grid_constant__ LayerView<Real> view, int count) {
    const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (item < count)
        sum_parameters(view, item);
}

// Large instances: each phase over the whole GPU. The works lie in its memory.

__global__ void place_layers(DenseWork<float>* works,
                             const __grid_constant__ LayerView<float> view) {
    if (threadIdx.x != 0)
        return;
    LayerWork<float> w;
    place_layer(w, view, static_cast<int>(blockIdx.x));
    works[blockIdx.x] = w;
}

template <auto Phase>
__global__ void spread_layer(const __grid_constant__ LayerView<float> view, int items,
                             phases::At at) {
    __shared__ LayerWork<float> w;
    if (threadIdx.x == 0)
        place_layer(w, view, static_cast<int>(blockIdx.y));
    __syncthreads();
    const int stride = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < items; i += stride)
        Phase(w, i, at);
}

/// The phases of the layer itself by the kernel above, those of inference by SpreadExecutor.
struct LayerExecutor : SpreadExecutor {
    LayerView<float> view;

    template <auto Phase, class Work>
    void each(const Work& host, int items, phases::At at) const {
        if constexpr (std::is_same_v<Work, LayerWork<float>>) {
            const int blocks = std::clamp((items + 255) / 256, 1, 1024);
            const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(view.batch));
            spread_layer<Phase><<<grid, 256, 0, stream>>>(view, items, at);
        } else {
            SpreadExecutor::each<Phase>(host, items, at);
        }
    }
};

DenseSizes layer_sizes(int constants, int steps, bool is_spread) {
    const long long area = static_cast<long long>(constants) * constants;
    DenseSizes sizes;
    sizes.n = constants;
    sizes.steps = steps;
    sizes.chunk = 256;
    sizes.input_gradients = true;
    if (is_spread) {
        sizes.chunk = static_cast<int>(std::clamp(200'000'000LL / area, 1LL, 4096LL));
        sizes.parts = 256;
    }
    return sizes;
}

/// Makes a device the current one for as long as it lives.
class OnDevice {
  public:
    explicit OnDevice(int device) {
        check(cudaGetDevice(&before_), "say which it is");
        check(cudaSetDevice(device), "be chosen");
    }

    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    ~OnDevice() { cudaSetDevice(before_); }

  private:
    int before_ = 0;
};

}  // namespace

}  // namespace soft

template <class Real>
struct CudaLayer<Real>::State {
    explicit State(const Model& given) : model(given) {}

    static bool is_spread(int constants) {
        return std::is_same_v<Real, float> && constants > soft::kBlockConstants;
    }

    void prepare(const LayerCall<Real>& call);
    void upload(const LayerCall<Real>& call);
    template <class Work>
    void run(const Work& work);

    Model model;
    cudaStream_t stream = nullptr;
    int device = -1;
    int constants = 0, steps = 0;  // that the tables are for
    soft::LayerTables<Real> tables;
    std::unique_ptr<soft::DevicePlan> plan;
    soft::LayerView<Real> view{};
    soft::DeviceArray<soft::LayerSource<Real>> sources;
    soft::DeviceArray<soft::LayerSink<Real>> sinks;
    soft::DeviceArray<std::int8_t> zero;
    soft::DeviceArray<int> constant;
    soft::DeviceArray<Real> inputs;
    soft::DeviceArray<std::byte> buffers;
    soft::DeviceArray<soft::DenseWork<float>> works;
};

/// Tables for the call's constants and steps.
template <class Real>
void CudaLayer<Real>::State::prepare(const LayerCall<Real>& call) {
    if (device >= 0 && device != call.device)
        throw Error("the layer has worked on another GPU", {}, "give each GPU a layer of its own");
    stream = static_cast<cudaStream_t>(call.stream);
    if (call.constants == constants && call.steps == steps)
        return;
    constexpr int kMaxConstants = 4096;
    tables = soft::make_layer_tables<Real>(
        model, soft::layer_sizes(call.constants, call.steps, is_spread(call.constants)));
    const soft::PlanView& sizes = tables.plan.sizes;
    const long long items = static_cast<long long>(call.constants) * call.constants *
                            std::max({sizes.entries, sizes.auxiliaries, sizes.inputs_end});
    if (call.constants > kMaxConstants || items > std::numeric_limits<int>::max())
        throw Error("an instance of " + std::to_string(call.constants) +
                        " constants is too large for the GPU",
                    {}, "move the layer and its tensors to the CPU, or use fewer layers");
    plan = std::make_unique<soft::DevicePlan>(tables.plan, stream);
    zero.upload(tables.zero, stream);
    constant.upload(tables.constants, stream);
    device = call.device;
    constants = call.constants;
    steps = call.steps;
}

template <class Real>
void CudaLayer<Real>::State::upload(const LayerCall<Real>& call) {
    const auto batch = static_cast<std::size_t>(call.batch);
    std::vector<soft::LayerSource<Real>> filled = tables.sources;
    const auto fill = [&](int predicate, const Real* values) {
        if (predicate >= 0)
            filled[static_cast<std::size_t>(predicate)].values = values;
    };
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        fill(tables.sinks[i].predicate, call.inputs[i]);
        fill(tables.sinks[i].negation, call.inputs[i]);
    }
    sources.upload(filled, stream);
    view = {};
    view.plan = plan->view();
    view.now.temperature = call.temperature;
    view.batch = call.batch;
    view.predicates = call.predicates;
    view.slots = call.slots;
    view.noise = call.noise;
    view.source = sources.data();
    view.zero = zero.data();
    view.constant = constant.data();
    view.stride = soft::layer_stride<Real>(view.plan);
    inputs.reserve(batch * static_cast<std::size_t>(view.plan.inputs_end) *
                   static_cast<std::size_t>(view.plan.area));
    buffers.reserve(batch * view.stride);
    view.inputs = inputs.data();
    view.buffers = buffers.data();
    view.target = call.target;
    view.alphas = call.alphas;
}

/// work(executor, work of an instance) for a large batch of few launches.
template <class Real>
template <class Work>
void CudaLayer<Real>::State::run(const Work& work) {
    if constexpr (std::is_same_v<Real, float>) {
        works.reserve(static_cast<std::size_t>(view.batch));
        soft::place_layers<<<static_cast<unsigned>(view.batch), 32, 0, stream>>>(works.data(),
                                                                                 view);
        soft::LayerExecutor spread{{works.data(), view.batch, stream}, view};
        soft::LayerWork<float> host{};
        host.plan = tables.plan.view();
        host.view = &view;
        work(spread, host);
    }
}

template <class Real>
CudaLayer<Real>::CudaLayer(const Model& model) : state_(std::make_unique<State>(model)) {
    const std::string why = soft::why_no_cuda();
    if (!why.empty())
        throw Error(why, {}, "move the layer and its tensors to the CPU");
}

template <class Real>
CudaLayer<Real>::CudaLayer(CudaLayer&&) noexcept = default;
template <class Real>
CudaLayer<Real>::~CudaLayer() = default;

template <class Real>
void CudaLayer<Real>::infer(const LayerCall<Real>& call) {
    const soft::OnDevice here(call.device);
    State& s = *state_;
    s.prepare(call);
    s.upload(call);
    if (State::is_spread(call.constants))
        s.run([](const auto& executor, const auto& w) { soft::infer_layer(executor, w); });
    else
        soft::infer_blocks<Real>
            <<<static_cast<unsigned>(call.batch), soft::kThreads, 0, s.stream>>>(s.view);
    soft::check(cudaGetLastError(), "start a kernel");
}

template <class Real>
void CudaLayer<Real>::backward(const LayerGradient<Real>& gradient) {
    State& s = *state_;
    if (s.device < 0)
        throw Error("there is nothing to differentiate", {}, "infer() first");
    const soft::OnDevice here(s.device);
    std::vector<soft::LayerSink<Real>> wanted;
    for (std::size_t i = 0; i < gradient.d_inputs.size(); ++i)
        if (gradient.d_inputs[i] != nullptr && s.tables.sinks[i].predicate >= 0) {
            wanted.push_back(s.tables.sinks[i]);
            wanted.back().gradient = gradient.d_inputs[i];
        }
    s.sinks.upload(wanted, s.stream);
    s.view.sink = s.sinks.data();
    s.view.sinks = static_cast<int>(wanted.size());
    s.view.d_target = gradient.d_target;
    s.view.d_alphas = gradient.d_alphas;
    s.view.d_predicates = gradient.d_predicates;
    s.view.d_slots = gradient.d_slots;
    const auto batch = static_cast<unsigned>(s.view.batch);
    if (State::is_spread(s.constants)) {
        // The number of sinks is read here, each of them on the GPU.
        s.view.sink = wanted.data();
        s.run([&](const auto& executor, const auto& w) {
            auto on_gpu = executor;
            on_gpu.view.sink = s.sinks.data();
            soft::differentiate_layer(on_gpu, w);
        });
    } else {
        soft::differentiate_blocks<Real><<<batch, soft::kThreads, 0, s.stream>>>(s.view);
    }
    s.view.sink = s.sinks.data();
    const int count =
        (s.view.plan.predicates + s.view.plan.slots) * static_cast<int>(s.view.plan.dimension);
    soft::sum_all_parameters<Real>
        <<<static_cast<unsigned>((count + 255) / 256), 256, 0, s.stream>>>(s.view, count);
    soft::check(cudaGetLastError(), "start a kernel");
}

template class CudaLayer<float>;
template class CudaLayer<double>;

}  // namespace hri
