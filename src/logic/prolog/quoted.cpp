// SPDX-License-Identifier: Apache-2.0
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hri::prolog {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

bool is_plain_letter(char c) {
    return is_small(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

// -? digits
bool is_integer(std::string_view name) {
    name.remove_prefix(name.starts_with('-') ? 1 : 0);
    return !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
}

/// A number as Prolog writes it: another Prolog that reads it and writes it gives the same text. So
/// 7 and 2.5 are; 007, -0, 2.50, 1e5 and 1e400 are names, which would else become other numbers.
bool is_number(std::string_view name) {
    const std::string_view digits = name.substr(name.starts_with('-') ? 1 : 0);
    if (is_integer(name)) {
        return digits == "0" ? digits.size() == name.size() : digits[0] != '0';
    }
    if (digits.empty() || !is_digit(digits[0]) || digits.find('.') == std::string_view::npos) {
        return false;
    }
    double value = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) {
        return false;
    }
    std::array<char, 64> shortest{};
    const auto end = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value).ptr;
    std::string written(shortest.data(), end);
    written += written.find_first_of(".e") == std::string::npos ? ".0" : "";
    return written == name;
}

// Words that are operators would need brackets in some places; quotes do in all.
bool is_operator(std::string_view name) {
    static constexpr std::array<std::string_view, 10> kOperators = {
        "is",        "mod",  "rem", "not", "call", "dynamic", "discontiguous", "initialization",
        "multifile", "table"};
    return std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
}

bool is_bare_word(std::string_view name) {
    return !name.empty() && is_small(name[0]) &&
           std::all_of(name.begin(), name.end(), is_plain_letter) && !is_operator(name);
}

}  // namespace

std::string quoted(std::string_view name) {
    return name == "[]" || is_number(name) || is_written_term(name) ? std::string(name)
                                                                    : quoted_predicate(name);
}

double number_of(std::string_view name) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (is_number(name)) {
        std::from_chars(name.data(), name.data() + name.size(), value);
    }
    return value;
}

std::string quoted_predicate(std::string_view name) {
    if (is_bare_word(name)) {
        return std::string(name);
    }
    std::string result = "'";
    for (const char c : name) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\'' || c == '\\') {
            result += '\\';
            result += c;
        } else if (code < 0x20 || code == 0x7F) {
            static constexpr std::string_view kHex = "0123456789abcdef";
            result += "\\x";
            result += kHex[code >> 4U];
            result += kHex[code & 0xFU];
            result += '\\';
        } else {
            result += c;
        }
    }
    return result + "'";
}

}  // namespace hri::prolog
