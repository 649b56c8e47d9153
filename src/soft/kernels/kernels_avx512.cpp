// SPDX-License-Identifier: Apache-2.0
#include "soft/kernels/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define HRI_INSTRUCTION_SET "avx512"

namespace hri::soft::kernels_avx512 {
#include "soft/kernels/table.ipp"
}  // namespace hri::soft::kernels_avx512
