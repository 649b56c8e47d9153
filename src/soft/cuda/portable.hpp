// SPDX-License-Identifier: Apache-2.0
#pragma once

// Macros for code that is written once for the processor and for the GPU.

#ifdef __CUDACC__
#define HRI_BOTH __host__ __device__
#define HRI_PRAGMA(text) _Pragma(#text)
/// For templates over an executor, which runs on one side only.
#define HRI_EITHER HRI_PRAGMA(nv_exec_check_disable)
#else
#define HRI_BOTH
#define HRI_EITHER
#endif
