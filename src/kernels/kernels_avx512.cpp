// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define HRI_INSTRUCTION_SET "avx512"

namespace hri::kernels_avx512 {
#include "kernels/table.ipp"
}  // namespace hri::kernels_avx512
