// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include "hri/error.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(Utf8, IsReadFromTheFirstCharacterToTheLast) {
    const std::string ends =
        "\x7F \xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 "
        "\xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF";
    EXPECT_EQ(base::valid_utf8(ends), ends.size());
    EXPECT_EQ(base::valid_utf8(""), 0U);
}

TEST(Utf8, EndsWhereBytesAreNoCharacter) {
    for (const std::string wrong :
         {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xC1\xBF", "\xE2\x82", "\xE2\x28\xA1",
          "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80",
          "\xF5\x80\x80\x80", "\xFF"}) {
        EXPECT_EQ(base::valid_utf8("\xC3\xA9" + wrong + "a"), 2U) << wrong;
        EXPECT_EQ(base::valid_utf8("\xC3\xA9" + wrong), 2U) << wrong;
    }
}

TEST(Utf8, IsRequiredWithAPlaceInCharacters) {
    base::require_utf8("Zo\xC3\xAB", "t");
    try {
        base::require_utf8("a\n\xC3\xA9\xC3\xA9 caf\xE9\n", "t");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "t:2:7: expected UTF-8, found the byte 0xE9 (save the text as UTF-8: iconv -f "
                     "latin1 -t utf-8 converts from Latin-1)");
    }
    try {
        base::require_utf8(std::string("\xFF\xFE"
                                       "a\0",
                                       4),
                           "t");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.hint().c_str(),
                     "save the text as UTF-8: iconv -f utf-16 -t utf-8 converts it");
    }
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
    EXPECT_EQ(base::printable("plain Mäuse 猫"), "plain Mäuse 猫");
    EXPECT_EQ(base::printable("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\nc\\x09d\\x7f");
    EXPECT_EQ(base::printable("\xC2\x9B"), "\\u009b");
    EXPECT_EQ(base::printable("\xE2\x80\xAE"), "\\u202e");
    EXPECT_EQ(base::printable("\xEF\xBF\xBE"), "\\ufffe");
    EXPECT_EQ(base::printable("\xFF"), "\\xff");
}

}  // namespace
}  // namespace hri
