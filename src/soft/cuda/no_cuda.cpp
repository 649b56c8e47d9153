// SPDX-License-Identifier: Apache-2.0

// The CUDA back end of a build without CUDA.

#include "hri/cuda_layer.hpp"
#include "hri/error.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/cuda_images.hpp"

#ifndef HRI_CUDA

namespace hri::soft {

struct CudaBatch::State {};

CudaBatch::CudaBatch(const Hierarchy&, const ProtoRules&, const Options&, int, int, int, int,
                     const CudaShape&) {
    throw Error(why_no_cuda());
}

CudaBatch::CudaBatch(CudaBatch&&) noexcept = default;
CudaBatch::~CudaBatch() = default;

void CudaBatch::set(int, const Parameters&, std::uint64_t) {}

void CudaBatch::get(int, Parameters&) {}

void CudaBatch::start(const BatchRound&) {}

const std::vector<BatchOutcome>& CudaBatch::finish() {
    static const std::vector<BatchOutcome> none;
    return none;
}

std::vector<float> CudaBatch::gradient(int) { return {}; }

std::vector<float> CudaBatch::target(int) { return {}; }

std::size_t CudaBatch::bytes() const { return 0; }

int CudaBatch::capacity(const Hierarchy&, const ProtoRules&, const Options&, int, int, int) {
    throw Error(why_no_cuda());
}

struct CudaImages::State {};

CudaImages::CudaImages(const ImageSetup&) { throw Error(why_no_cuda()); }

CudaImages::CudaImages(CudaImages&&) noexcept = default;
CudaImages::~CudaImages() = default;

void CudaImages::set(const ImageNumbers&) {}

void CudaImages::get(ImageNumbers&) {}

void CudaImages::train(const std::vector<ImageRound>&) {}

const std::vector<float>& CudaImages::values(const ImageContests&) {
    static const std::vector<float> none;
    return none;
}

void CudaImages::step(const ImageSlopes&, const ImageContests&) {}

std::size_t CudaImages::bytes() const { return 0; }

bool is_built_with_cuda() { return false; }

std::string why_no_cuda() { return "this hri was built without CUDA"; }

std::string cuda_device() { return {}; }

}  // namespace hri::soft

namespace hri {

template <class Real>
struct CudaLayer<Real>::State {};

template <class Real>
CudaLayer<Real>::CudaLayer(const Model&) {
    throw Error(soft::why_no_cuda());
}

template <class Real>
CudaLayer<Real>::CudaLayer(CudaLayer&&) noexcept = default;
template <class Real>
CudaLayer<Real>::~CudaLayer() = default;

template <class Real>
void CudaLayer<Real>::infer(const LayerCall<Real>&) {}

template <class Real>
void CudaLayer<Real>::backward(const LayerGradient<Real>&) {}

template class CudaLayer<float>;
template class CudaLayer<double>;

}  // namespace hri

#endif
