// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace hri::base {

/// A number of a constant, slot or column as an index; it is not negative.
inline std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace hri::base
