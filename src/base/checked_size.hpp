// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sizes of buffers: products that may not overflow, and memory that is there.
//
//   values.assign(checked_size("input matrices", {{"predicates", p}, {"constants", n}, {"columns",
//   ld}},
//                              sizeof(float)), 0);
//
// Errors name the buffer, its extents and the limit. Inner loops index with int: no buffer has more
// elements than an int counts, so that index arithmetic in int cannot overflow.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace hri::base {

struct Extent {
    const char* of;  ///< what is counted: "constants"
    std::int64_t count;
};

constexpr std::size_t kMaxElements = std::numeric_limits<std::int32_t>::max();
/// Buffers up to here are never refused for want of memory.
constexpr std::size_t kSmallBytes = std::size_t{64} << 20U;

/// The bytes that this process may use: of the machine, its control group and its resource limits.
std::size_t memory_limit();

/// Throws the Error of checked_size().
[[noreturn]] void refuse_size(const char* what, std::initializer_list<Extent> extents,
                              std::size_t element_bytes);

/// The product of the extents. Throws Error where it is above kMaxElements, where an extent is
/// negative, or where so many elements take more than memory_limit().
inline std::size_t checked_size(const char* what, std::initializer_list<Extent> extents,
                                std::size_t element_bytes) {
    std::size_t product = 1;
    bool fits = true;
    for (const Extent& extent : extents) {
        fits = fits && extent.count >= 0 &&
               !__builtin_mul_overflow(product, static_cast<std::size_t>(extent.count), &product);
    }
    if (!fits || product > kMaxElements ||
        (product * element_bytes > kSmallBytes && product * element_bytes > memory_limit())) {
        refuse_size(what, extents, element_bytes);
    }
    return product;
}

/// Throws Error where `bytes` are more than memory_limit(). `extents` are named in the Error.
void require_memory(const char* what, std::initializer_list<Extent> extents, double bytes);

}  // namespace hri::base
