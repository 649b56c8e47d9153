// SPDX-License-Identifier: Apache-2.0
#include "base/toml_nesting.hpp"

#include "hri/error.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace hri::base {
namespace {

constexpr int kMaxLevels = 64;

/// The end of the text or comment that begins at `at`.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool multiline = text.substr(at).starts_with(three);
    for (at += multiline ? 3 : 1; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (multiline ? text.substr(at).starts_with(three) : text[at] == quote) {
            return at + (multiline ? 3 : 1);
        } else if (!multiline && text[at] == '\n') {
            return at;
        }
    }
    return text.size();
}

[[noreturn]] void refuse(std::string_view text, std::size_t at, const std::string& file) {
    const std::string_view before = text.substr(0, at);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    throw Error("more than " + std::to_string(kMaxLevels) + " levels of brackets or dots",
                {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                 1 + static_cast<int>(std::count_if(line.begin(), line.end(), begins_character))},
                "options and mappings need three at most");
}

}  // namespace

void check_toml_nesting(std::string_view text, const std::string& file) {
    int brackets = 0;
    int dots = 0;  // of the key that is being read
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = end_of_quoted(text, at);
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (c == '[' || c == '{') {
            ++brackets;
        } else if (c == ']' || c == '}') {
            brackets = std::max(brackets - 1, 0);
        } else if (c == '.') {
            ++dots;
        } else if (c == '\n' || c == '=' || c == ',') {
            dots = 0;
        }
        if (brackets > kMaxLevels || dots > kMaxLevels) {
            refuse(text, at, file);
        }
        ++at;
    }
}

}  // namespace hri::base
