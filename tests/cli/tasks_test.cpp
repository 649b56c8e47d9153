// SPDX-License-Identifier: Apache-2.0

#include "hri/tasks.hpp"

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Tasks, AreListed) {
    const ScratchFolder folder;
    const Outcome outcome = hri({"tasks", "--json", (folder / "t.json").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const Task& task : all_tasks()) {
        EXPECT_THAT(outcome.out, HasSubstr("\n" + task.name + " "));
    }
    const nlohmann::json json = read_json(folder / "t.json");
    EXPECT_EQ(json["tasks"].size(), all_tasks().size() + extension_tasks().size());
    EXPECT_EQ(json["tasks"][0]["task"], all_tasks()[0].name);
}

TEST(Tasks, AreExplainedWithASample) {
    for (const Task& task : all_tasks()) {
        const Outcome outcome = hri({"tasks", "show", task.name});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, AllOf(HasSubstr(task.explanation), HasSubstr("positive examples"),
                                       HasSubstr("negative examples"), HasSubstr(" :- ")));
    }
}

TEST(Tasks, AreWrittenToFoldersThatAreReadAgain) {
    const ScratchFolder folder;
    const std::string out = (folder / "deep" / "family").string();
    const Outcome outcome =
        hri({"tasks", "generate", "grandparent", "--constants", "7", "--seed", "5", "--out", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("7 constants"));
    for (const std::string name : {"bk.pl", "exs.pl", "bias.pl"}) {
        EXPECT_TRUE(std::filesystem::exists(out + "/" + name));
    }
    write_file(folder / "solution.pl", find_task("grandparent").solution);
    const std::string json = (folder / "e.json").string();
    EXPECT_EQ(hri({"eval", (folder / "solution.pl").string(), out, "--json", json}).code, 0);
    EXPECT_EQ(read_json(json)["accuracy"], 100.0);
    EXPECT_EQ(read_json(json)["positives"].get<int>() + read_json(json)["negatives"].get<int>(),
              49);
    const std::string before = read_file(out + "/bk.pl");
    hri({"tasks", "generate", "grandparent", "--constants", "7", "--seed", "5", "--out", out});
    EXPECT_EQ(read_file(out + "/bk.pl"), before) << "the same seed, the same family";
}

}  // namespace
}  // namespace hri::test
