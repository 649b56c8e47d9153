// SPDX-License-Identifier: Apache-2.0

// The CUDA back end of a build without CUDA.

#include "hri/error.hpp"

#include "soft/cuda/cuda_batch.hpp"

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

bool is_built_with_cuda() { return false; }

std::string why_no_cuda() { return "this hri was built without CUDA"; }

std::string cuda_device() { return {}; }

}  // namespace hri::soft

#endif
