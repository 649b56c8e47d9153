// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define HRI_INSTRUCTION_SET "plain"

namespace hri::kernels_plain {
#include "kernels/table.ipp"
}  // namespace hri::kernels_plain
