// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model's inference and gradient over a batch whose numbers lie in the memory of a GPU, for
// frameworks that keep their tensors there. Every pointer below is one of the GPU; nothing passes
// through the processor's memory, and the calls return before the work is done.
//
//   CudaLayer<float> layer(model);
//   layer.infer({.constants = 10, .batch = 64, .steps = 4, .inputs = {...}, ...});
//   layer.backward({.d_target = ..., .d_slots = ...});

#include "hri/model.hpp"

#include <memory>
#include <vector>

namespace hri {

/// Inputs of inference, and the places of its results.
template <class Real>
struct LayerCall {
    int device = 0;          ///< the GPU's number
    void* stream = nullptr;  ///< a cudaStream_t
    int constants = 1;
    int batch = 1;
    int steps = 1;
    double temperature = 1;
    const Real* predicates = nullptr;   ///< (predicates, dimension)
    const Real* slots = nullptr;        ///< (slots, dimension)
    const Real* noise = nullptr;        ///< (slots, predicates), or null
    std::vector<const Real*> inputs{};  ///< [input of the model]: (batch, n^arity); null: no facts
    Real* target = nullptr;             ///< (batch, n^arity)
    Real* alphas = nullptr;             ///< (slots, predicates)
};

/// Gradients of the results, which are given, and of the inputs, which are computed.
template <class Real>
struct LayerGradient {
    const Real* d_target = nullptr;
    const Real* d_alphas = nullptr;  ///< or null
    Real* d_predicates = nullptr;
    Real* d_slots = nullptr;
    std::vector<Real*> d_inputs{};  ///< as LayerCall::inputs; null where nobody asks
};

/// In float, or in double for checks of gradients.
template <class Real>
class CudaLayer {
  public:
    /// Error where there is no GPU, or the options need facts of one instance alone.
    explicit CudaLayer(const Model& model);
    CudaLayer(CudaLayer&& other) noexcept;
    ~CudaLayer();

    void infer(const LayerCall<Real>& call);
    /// The backward pass of the last infer().
    void backward(const LayerGradient<Real>& gradient);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class CudaLayer<float>;
extern template class CudaLayer<double>;

}  // namespace hri
