// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/kernels.hpp"

#define HRI_INSTRUCTION_SET "plain"

namespace hri::kernels_plain {
#include "kernels/table.ipp"
}  // namespace hri::kernels_plain
