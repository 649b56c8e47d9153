// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hash that tells data of different runs apart (FNV-1a, 64 bits). It is no protection against
// somebody who looks for collisions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace hri::base {

/// Bits that all depend on all bits of x (the finisher of SplitMix64).
inline std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

class Hash {
  public:
    Hash& add(std::string_view bytes) {
        for (const char c : bytes)
            value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        return *this;
    }

    template <class Number>

    requires std::is_arithmetic_v<Number> Hash& add(Number number) {
        return add({reinterpret_cast<const char*>(&number), sizeof number});
    }

    std::uint64_t value() const { return value_; }

    /// 16 hexadecimal digits.
    std::string text() const {
        std::string digits(16, '0');
        for (std::size_t i = 0; i < digits.size(); ++i)
            digits[i] = "0123456789abcdef"[value_ >> (60 - 4 * i) & 15U];
        return digits;
    }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace hri::base
