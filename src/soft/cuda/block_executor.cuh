// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soft/cuda/views.hpp"

#include <cuda_runtime.h>

namespace hri::soft {

/// The threads of a block share the items of a phase.
struct BlockExecutor {
    template <auto Phase, class Work>
    __device__ void each(const Work& work, int items, phases::At at) const {
        for (int i = static_cast<int>(threadIdx.x); i < items; i += static_cast<int>(blockDim.x))
            Phase(work, i, at);
        __syncthreads();
    }
};

}  // namespace hri::soft
