// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace hri::base {
namespace {

/// Bytes of the character that the text begins with; 0 where it begins with none.
std::size_t first_character(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(text[i]));
    };
    const unsigned first = byte(0);
    if (first < 0x80U) {
        return 1;
    }
    const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (begins_character(text[i])) {
            return 0;
        }
    }
    const unsigned second = byte(1);
    const bool shorter_exists =
        (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
    const bool half_of_a_pair = first == 0xEDU && second >= 0xA0U;  // UTF-16's surrogates
    const bool beyond_last = first == 0xF4U && second >= 0x90U;
    return shorter_exists || half_of_a_pair || beyond_last ? 0 : length;
}

}  // namespace

std::size_t valid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = first_character(text.substr(at));
        if (length == 0) {
            break;
        }
        at += length;
    }
    return at;
}

void require_utf8(std::string_view text, const std::string& file) {
    const std::size_t valid = valid_utf8(text);
    if (valid == text.size()) {
        return;
    }
    const std::string_view before = text.substr(0, valid);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    std::array<char, 5> byte{};
    std::snprintf(byte.data(), byte.size(), "0x%02X", static_cast<unsigned char>(text[valid]));
    const bool is_utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    throw Error("expected UTF-8, found the byte " + std::string(byte.data()),
                {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                 1 + static_cast<int>(std::count_if(line.begin(), line.end(), begins_character))},
                is_utf16
                    ? "save the text as UTF-8: iconv -f utf-16 -t utf-8 converts it"
                    : "save the text as UTF-8: iconv -f latin1 -t utf-8 converts from Latin-1");
}

std::string printable(std::string_view text) {
    std::string shown;
    const auto escape = [&shown](char kind, unsigned code) {
        std::array<char, 16> digits{};
        std::snprintf(digits.data(), digits.size(), kind == 'x' ? "\\x%02x" : "\\u%04x", code);
        shown += digits.data();
    };
    while (!text.empty()) {
        const std::size_t length = first_character(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (length <= 1) {
            if (first == '\n') {
                shown += "\\n";
            } else if (length == 0 || first < 0x20U || first == 0x7FU) {
                escape('x', first);
            } else {
                shown += text[0];
            }
        } else {
            unsigned code = first & (0xFFU >> (length + 1));
            for (std::size_t i = 1; i < length; ++i) {
                code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
            }
            const bool is_control = code < 0xA0U || code == 0x2028U || code == 0x2029U;
            const bool turns = (code >= 0x202AU && code <= 0x202EU) ||  // the direction of writing
                               (code >= 0x2066U && code <= 0x2069U);
            const bool is_character = (code & 0xFFFEU) != 0xFFFEU;
            if (is_control || turns || !is_character) {
                escape('u', code);
            } else {
                shown += text.substr(0, length);
            }
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

}  // namespace hri::base
