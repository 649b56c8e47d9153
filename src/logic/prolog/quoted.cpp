// SPDX-License-Identifier: Apache-2.0
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hri::prolog {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

bool is_letter(char c) { return is_small(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_'; }

// -? digits (. digits)? (e [+-]? digits)?
bool is_number(std::string_view name) {
    const auto take_digits = [&name] {
        const std::size_t before = name.size();
        while (!name.empty() && is_digit(name.front())) {
            name.remove_prefix(1);
        }
        return name.size() < before;
    };
    if (name.starts_with('-')) {
        name.remove_prefix(1);
    }
    if (!take_digits()) {
        return false;
    }
    if (name.starts_with('.')) {
        name.remove_prefix(1);
        if (!take_digits()) {
            return false;
        }
    }
    if (name.starts_with('e') || name.starts_with('E')) {
        name.remove_prefix(1);
        if (name.starts_with('+') || name.starts_with('-')) {
            name.remove_prefix(1);
        }
        if (!take_digits()) {
            return false;
        }
    }
    return name.empty();
}

// Words that are operators would need brackets in some places; quotes do in all.
bool is_operator(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kOperators = {
        "is",        "mod",  "rem", "not", "dynamic", "discontiguous", "initialization",
        "multifile", "table"};
    return std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
}

bool is_bare_word(std::string_view name) {
    return !name.empty() && is_small(name[0]) && std::all_of(name.begin(), name.end(), is_letter) &&
           !is_operator(name);
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
