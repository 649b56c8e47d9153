// SPDX-License-Identifier: Apache-2.0

#include "hri/device.hpp"
#include "hri/learn.hpp"
#include "hri/mine.hpp"
#include "hri/tables.hpp"
#include "hri/version.hpp"

#include "cli/run_hri.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

/// The flags at the beginning of the lines of a help.
std::vector<std::string> flags_in(const std::string& help) {
    std::vector<std::string> flags;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  --")) {
            flags.push_back(line.substr(2, line.find_first_of(" ,", 2) - 2));
        }
    }
    return flags;
}

template <class Settings>
void add_flags_of(std::set<std::string>& flags) {
    for (const Field<Settings>& field : fields_of<Settings>()) {
        std::string flag = "--" + (field.flag.empty() ? field.name : field.flag);
        std::replace(flag.begin(), flag.end(), '_', '-');
        flags.insert(flag);
    }
}

TEST(Help, OfAllFlagsHasGroupsAndDefaults) {
    const std::string help = hri({"learn", "--help-all"}).out;
    EXPECT_THAT(help, AllOf(HasSubstr("\nHierarchy:\n"), HasSubstr("\nInference:\n"),
                            HasSubstr("\nTraining:\n"), HasSubstr("\nSpeed:\n")));
    EXPECT_THAT(help, AllOf(HasSubstr("--train-steps N"), HasSubstr("[4]"),
                            HasSubstr("cosine, l1, l2, scalar_product"), HasSubstr("[cosine]")));
}

TEST(Help, SaysTheLimitsThatTheirPageLists) {
    const std::string help = hri({"--help"}).out;
    const std::string page = read_file(HRI_SOURCE_DIR "/docs/limits.md");
    for (const char* limit : {"32", "20,000,000", "100,000,000", "2,147,483,647"}) {
        EXPECT_THAT(help, HasSubstr(limit));
        EXPECT_THAT(page, HasSubstr("| " + std::string(limit)));
    }
}

TEST(Help, OfLearningFitsOneScreen) {
    const std::string help = hri({"learn", "--help"}).out;
    EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 50);
    EXPECT_THAT(help, AllOf(HasSubstr("--time-limit SECONDS"), HasSubstr("--help-all"),
                            Not(HasSubstr("--gumbel"))));
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 100U) << line;
    }
    EXPECT_EQ(hri({"help", "learn"}).out, help);
    EXPECT_EQ(hri({"help", "tasks", "show"}).out, hri({"tasks", "show", "--help"}).out);
}

TEST(Help, EveryFlagOfLearningComesFromAField) {
    std::set<std::string> known = {
        "--config",     "--program", "--out",       "--json",       "--folds",
        "--hold-out",   "--sample",  "--constants", "--checkpoint", "--resume",
        "--log",        "--model",   "--templates", "--force",      "--checkpoint-seconds",
        "--evidence",   "--targets", "--preset",    "--no-polish",  "--init",
        "--init-order", "--library"};  // the command's own
    for (const char* many : {"--rounds", "--positives", "--randoms", "--max-objects", "--update",
                             "--joint", "--hardness", "--unshared"}) {
        known.insert(many);  // some of MultitaskSettings
    }
    add_flags_of<MineSettings>(known);
    add_flags_of<TableOptions>(known);
    add_flags_of<Options>(known);
    add_flags_of<LearnSettings>(known);
    add_flags_of<ReadOptions>(known);
    add_flags_of<SplitOptions>(known);
    const std::vector<std::string> shown = flags_in(hri({"learn", "--help-all"}).out);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()), known);
    EXPECT_EQ(shown.size(), known.size()) << "a flag stands there twice";
}

TEST(Help, FlagsOfTheReferenceAreCurrent) {
    EXPECT_EQ(hri({"docs"}).out,
              read_file(std::filesystem::path(HRI_SOURCE_DIR) / "docs/reference/flags.md"))
        << "write it anew: hri docs > docs/reference/flags.md";
}

TEST(Help, JobsIsAnotherNameOfThreads) {
    EXPECT_EQ(hri({"learn", "undirected-edge", "--jobs", "1"}).code, 0);
    EXPECT_THAT(hri({"learn", "--help-all"}).out, Not(HasSubstr("--jobs")));
}

TEST(Help, EarlierFlagsStillWorkAndAreNotShown) {
    const std::string file = testing::TempDir() + "hri-earlier-flags.scenes";
    EXPECT_EQ(hri({"scenes", "generate", "--images", "3", "--most-objects", "6", "--out", file,
                   "--force"})
                  .code,
              0);
    std::filesystem::remove(file);
    EXPECT_THAT(hri({"scenes", "generate", "--help-all"}).out,
                AllOf(HasSubstr("--max-objects"), Not(HasSubstr("--most-objects"))));
    EXPECT_THAT(hri({"predict", "--help-all"}).out,
                AllOf(HasSubstr("--min-value"), Not(HasSubstr("--least"))));
}

TEST(Help, VersionIsOneLineThatNamesTheBackEnds) {
    const Outcome outcome = hri({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, StartsWith("hri " + std::string(version()) + " (cpu"));
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
}

TEST(Help, WithoutCudaTheDeviceSaysHowToGetIt) {
    if (back_ends().size() > 1)
        GTEST_SKIP() << "this hri was built with CUDA";
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"learn", "grandparent", "--strategy", "gradient"},
          std::vector<std::string>{"reproduce", "ilp", "--seeds", "1"}}) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.end(), {"--device", "cuda"});
        const Outcome outcome = hri(arguments);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("-DHRI_CUDA=ON"));
        EXPECT_THAT(outcome.err, HasSubstr("--device cpu"));
    }
}

}  // namespace
}  // namespace hri::test
