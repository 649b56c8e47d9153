// SPDX-License-Identifier: Apache-2.0

#include "hri/version.hpp"

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Help, OfEveryCommandHasAnExample) {
    const std::vector<std::vector<std::string>> commands = {
        {},
        {"learn"},
        {"eval"},
        {"rules"},
        {"tasks"},
        {"tasks", "show"},
        {"tasks", "generate"},
        {"reproduce"},
        {"reproduce", "ilp"},
        {"reproduce", "skipping"},
        {"reproduce", "sensitivity"},
        {"reproduce", "scaling"},
        {"plot"},
        {"bench"},
        {"scenes"},
        {"scenes", "build"},
        {"scenes", "show"},
        {"scenes", "generate"},
        {"scenes", "freq"},
        {"reproduce", "gqa"},
        {"multitask"},
    };
    for (std::vector<std::string> command : commands) {
        const std::string name = command.empty() ? "hri" : command.back();
        command.emplace_back("--help");
        const Outcome outcome = hri(command);
        EXPECT_EQ(outcome.code, 0) << name << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("Example")) << name;
        EXPECT_THAT(outcome.out, HasSubstr("hri " + (name == "hri" ? "" : command[0]))) << name;
        EXPECT_EQ(outcome.err, "") << name;
    }
}

TEST(Help, ShowsTheOptionsInGroupsWithTheirDefaults) {
    const std::string help = hri({"learn", "--help"}).out;
    EXPECT_THAT(help, AllOf(HasSubstr("Hierarchy:"), HasSubstr("Embeddings and unification:"),
                            HasSubstr("Inference:"), HasSubstr("Training:"), HasSubstr("Speed:")));
    EXPECT_THAT(help, AllOf(HasSubstr("--train-steps [4]"), HasSubstr("--similarity [cosine]"),
                            HasSubstr("scalar_product")));
}

TEST(Help, VersionIsOneLine) {
    const Outcome outcome = hri({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, "hri " + std::string(version()) + "\n");
}

}  // namespace
}  // namespace hri::test
