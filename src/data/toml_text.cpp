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

}  // namespace

void check_toml_text(std::string_view text, const std::string& file) {
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else if (text[at] == '"' || text[at] == '\'') {
            at = behind_text(text, at);
        } else if ((static_cast<unsigned char>(text[at]) & 0x80U) != 0) {
            throw Error("expected a plain character outside of quotes", place_of(text, at, file),
                        "put names with other letters in quotes");
        } else {
            ++at;
        }
    }
}

}  // namespace hri::data
