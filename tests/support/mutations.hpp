// SPDX-License-Identifier: Apache-2.0
#pragma once

// Valid texts with a few random changes.

#include "hri/error.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace hri::test {

inline std::string mutated(std::string text, Random& random,
                           std::string_view bytes = "().,:-'\"%*/\\_X aZ09[]{}|\n\t#\x80\xFF") {
    for (int changes = 1 + random.below(4); changes > 0; --changes) {
        const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size()) + 1));
        const char byte =
            bytes[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))];
        switch (random.below(5)) {
            case 0:
                text.insert(at, 1, byte);
                break;
            case 1:
                text.erase(at, 1 + static_cast<std::size_t>(random.below(8)));
                break;
            case 2:
                text.insert(at, text.substr(at / 2, 12));
                break;
            case 3:
                text.resize(at);
                break;
            default:
                if (at < text.size()) {
                    text[at] = byte;
                }
        }
    }
    return text;
}

/// The place that an error tells lies in one of the files, given as pairs of path and text.
template <class Files>
void expect_place_inside(const Error& error, const Files& files) {
    const Place& place = error.place();
    for (const auto& file : files) {
        if (file.path != place.file) {
            continue;
        }
        ASSERT_GE(place.line, 1) << error.what();
        ASSERT_GE(place.column, 1) << error.what();
        std::size_t begin = 0;
        for (int line = 1; line < place.line; ++line) {
            begin = file.text.find('\n', begin);
            ASSERT_NE(begin, std::string::npos) << error.what() << "\n" << file.text;
            ++begin;
        }
        const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
        EXPECT_LE(place.column, static_cast<int>(end - begin) + 1) << error.what() << "\n"
                                                                   << file.text;
        return;
    }
    FAIL() << "an error without a file: " << error.what();
}

}  // namespace hri::test
