// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts are UTF-8: what reads them refuses other bytes, and counts columns in characters.

#include <string>
#include <string_view>

namespace hri::base {

/// The first byte of a character, not one that goes on with it.
constexpr bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// The number of bytes from the beginning that are whole characters; all where the text is valid.
std::size_t valid_utf8(std::string_view text);

/// Throws Error at the first byte that is no UTF-8.
void require_utf8(std::string_view text, const std::string& file);

/// On one line, and harmless to a terminal: control characters, line separators, noncharacters and
/// bytes that are no UTF-8 become escapes such as \n, \x1b, \u2028.
std::string printable(std::string_view text);

}  // namespace hri::base
