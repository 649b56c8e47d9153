// SPDX-License-Identifier: Apache-2.0

// CMakeLists.txt names the version; other files that name it must agree.

#include "hri/version.hpp"

#include "hri/data.hpp"

#include "paths.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hri::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string source(const std::string& name) {
    return read_file(std::filesystem::path(HRI_SOURCE_DIR) / name);
}

TEST(Version, IsThatOfTheProject) {
    EXPECT_THAT(source("CMakeLists.txt"),
                HasSubstr("project(hri VERSION " + std::string(version()) + " "));
}

TEST(Version, IsThatOfTheCitation) {
    EXPECT_THAT(source("CITATION.cff"), HasSubstr("\nversion: " + std::string(version()) + "\n"));
}

TEST(Version, HasTheFirstEntryOfTheChangelog) {
    const std::string changelog = source("CHANGELOG.md");
    const auto entry = changelog.find("\n## ");
    ASSERT_NE(entry, std::string::npos);
    EXPECT_THAT(changelog.substr(entry), StartsWith("\n## " + std::string(version()) + " "));
    const auto begin = changelog.find('(', entry) + 1;
    const std::string date = changelog.substr(begin, changelog.find(')', begin) - begin);
    EXPECT_THAT(source("CITATION.cff"), HasSubstr("\ndate-released: " + date + "\n"));
}

}  // namespace
}  // namespace hri::test
