// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define HRI_INSTRUCTION_SET "avx2"

namespace hri::kernels_avx2 {
#include "kernels/table.ipp"
}  // namespace hri::kernels_avx2
