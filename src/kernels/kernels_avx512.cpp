// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/kernels.hpp"

#define HRI_INSTRUCTION_SET "avx512"

namespace hri::kernels_avx512 {
#include "kernels/table.ipp"
}  // namespace hri::kernels_avx512
