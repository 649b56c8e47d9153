// SPDX-License-Identifier: Apache-2.0
#include "base/toml_nesting.hpp"

#include "hri/error.hpp"

#include <gtest/gtest.h>

namespace hri::base {
namespace {

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

std::string error_of(const std::string& toml) {
    try {
        check_toml_nesting(toml, "c.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(TomlNesting, HasALimit) {
    EXPECT_EQ(error_of("x = 1\n[" + repeated("a.", 200'000) + "b]\n"),
              "c.toml:2:131: more than 64 levels of brackets or dots (options and mappings need "
              "three at most)");
    EXPECT_NE(error_of("x = " + repeated("[", 100'000)), "no error");
    EXPECT_NE(error_of("x = " + repeated("{a = ", 100'000)), "no error");
    EXPECT_NE(error_of(repeated("a.", 1'000'000) + "b = 1"), "no error");
}

TEST(TomlNesting, DoesNotCountTextsAndComments) {
    const std::string brackets = repeated("[.", 1000);
    EXPECT_EQ(error_of("a = \"" + brackets + "\"\n"), "no error");
    EXPECT_EQ(error_of("a = '" + brackets + "'\n"), "no error");
    EXPECT_EQ(error_of("a = \"\"\"\n" + brackets + "\\\"\"\" # " + brackets + "\n"), "no error");
    EXPECT_EQ(error_of(repeated("[[relation]]\nname = \"a.b\"\nx = 1.5\n", 1000)), "no error");
}

}  // namespace
}  // namespace hri::base
