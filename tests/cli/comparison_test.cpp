// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A table with a few iterations of each run.
Outcome table(const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"reproduce", name, "--iterations", "20"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return hri(arguments);
}

TEST(Comparison, PutsVariantsSideBySideWithThePapersFigures) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    const std::string plot_file = (folder / "t.svg").string();
    const Outcome outcome = table("operators", {"--seeds", "2", "--tasks", "two-children,cyclic",
                                                "--json", json_file, "--plot", plot_file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("pool-max"), HasSubstr("(70)"), HasSubstr("symbolic"),
                                   HasSubstr("16 of 16 runs")));
    const nlohmann::json json = read_json(json_file);
    EXPECT_EQ(json["table"], "operators");
    ASSERT_EQ(json["rows"].size(), 8U);
    EXPECT_EQ(json["rows"][1]["task"], "two-children");
    EXPECT_EQ(json["rows"][1]["variant"], "pool-max");
    EXPECT_EQ(json["rows"][1]["paper"]["soft"], 70);
    for (const std::string key : {"train", "soft", "rounded", "symbolic", "symbolic_fixpoint"}) {
        EXPECT_TRUE(json["rows"][1]["ours"][key].is_number()) << key;
    }
    EXPECT_THAT(read_file(plot_file),
                AllOf(HasSubstr("<svg"), HasSubstr("pool-max"), HasSubstr("two-children")));
}

TEST(Comparison, TablesShareTheirFinishedRuns) {
    const ScratchFolder folder;
    const std::string state = (folder / "runs.jsonl").string();
    const std::vector<std::string> common = {"--seeds", "1",   "--tasks",   "cyclic",
                                             "--state", state, "--variants"};
    const auto lines = [&] {
        const std::string text = read_file(state);
        return std::count(text.begin(), text.end(), '\n');
    };
    const auto with = [&](const std::string& variants) {
        std::vector<std::string> arguments = common;
        arguments.push_back(variants);
        return arguments;
    };
    ASSERT_EQ(table("operators", with("default,and-product")).code, 0);
    EXPECT_EQ(lines(), 2);
    ASSERT_EQ(table("sensitivity", with("default,steps-1")).code, 0);
    EXPECT_EQ(lines(), 3) << "the default is the same run";
    ASSERT_EQ(table("noise", with("default,no-noise")).code, 0);
    EXPECT_EQ(lines(), 4);
}

TEST(Comparison, EveryTableRuns) {
    for (const std::string name :
         {"operators", "sensitivity", "lri", "protorules", "initialisation", "noise"}) {
        const Outcome outcome = table(name, {"--seeds", "1", "--tasks", "member"});
        EXPECT_EQ(outcome.code, 0) << name << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("member")) << name;
    }
}

TEST(Comparison, LriStandsBesideThePapersTwoColumns) {
    const Outcome outcome =
        hri({"reproduce", "lri", "--tasks", "predecessor,less-than", "--seeds", "2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("specific"), HasSubstr("R_LRI"),
                                   HasSubstr("100 (100)  100 (100)")));
}

TEST(Comparison, NamesTheNearestVariant) {
    const Outcome outcome = table("operators", {"--variants", "pool_max"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("did you mean 'pool-max'"));
}

}  // namespace
}  // namespace hri::test
