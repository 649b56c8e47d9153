// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is written once for the processor and for the GPU.

#ifdef __CUDACC__
#define HRI_BOTH __host__ __device__
#else
#define HRI_BOTH
#endif
