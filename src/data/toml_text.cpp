// SPDX-License-Identifier: Apache-2.0
#include "data/toml_text.hpp"

#include <algorithm>

namespace hri::data {
namespace {

/// Behind the text that opens at `at`; one on a single line ends with the line.
std::size_t behind_text(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool multiline = text.substr(at).starts_with(three);
    at += multiline ? 3 : 1;
    while (at < text.size()) {
        if (text[at] == '\\' && quote == '"') {
            at += 2;
        } else if (multiline && text.substr(at).starts_with(three)) {
            return at + 3;
        } else if (!multiline && (text[at] == quote || text[at] == '\n')) {
            return at + (text[at] == quote ? 1 : 0);
        } else {
            ++at;
        }
    }
    return text.size();
}

Place place_of(std::string_view text, std::size_t at, const std::string& file) {
    Place place{file, 1, 1};
    for (std::size_t i = 0; i < at; ++i) {
        if (text[i] == '\n') {
            ++place.line;
            place.column = 1;
        } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            ++place.column;
        }
    }
    return place;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
}

}  // namespace

void check_toml_text(std::string_view text, const std::string& file) {
    std::size_t word = 0;  // where what stands before `at` without a gap begins
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '#') {
            at = word = std::min(text.find('\n', at), text.size());
        } else if (c == '"' || c == '\'') {
            const std::size_t end = std::min(behind_text(text, at), text.size());
            // within a word, and right behind another text, the parser takes no notice of quotes
            const bool in_word =
                text.substr(word, at - word).find_first_not_of("[{") != std::string_view::npos;
            if (in_word && !is_ascii(text.substr(at, end - at))) {
                throw Error("expected a space before a text with such letters",
                            place_of(text, at, file), "write name = \"...\"");
            }
            at = end;
        } else if (!is_ascii({&c, 1})) {
            throw Error("expected a plain character outside of quotes", place_of(text, at, file),
                        "put names with other letters in quotes");
        } else {
            ++at;
            word = std::string_view(" \t\r\n,]}").find(c) == std::string_view::npos ? word : at;
        }
    }
}

}  // namespace hri::data
