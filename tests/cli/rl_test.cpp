// SPDX-License-Identifier: Apache-2.0

#include "hri/rl.hpp"

#include "cli/run_hri.hpp"
#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Rl : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    ScratchFolder folder_;
};

const std::vector<std::string> kQuick = {"--layers",          "3", "--iterations",  "10",
                                         "--restarts",        "1", "--evaluations", "200",
                                         "--program-updates", "0", "--seed",        "2"};

TEST_F(Rl, TrainWritesModelProgramAndReport) {
    std::vector<std::string> arguments = {"rl",         "train",      "boxes",
                                          "--out",      file("m.st"), "--program",
                                          file("p.pl"), "--json",     file("r.json")};
    arguments.insert(arguments.end(), kQuick.begin(), kQuick.end());
    const Outcome outcome = hri(arguments);
    ASSERT_LE(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("open(X"), HasSubstr("test starts, uniform choice: reward"),
                      HasSubstr("(seed 2, 1 run, ")));
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_EQ(report["accepted"].get<bool>(), outcome.code == 0);
    EXPECT_EQ(report["symbolic"]["episodes"], 5);
    EXPECT_EQ(report["episodes"].get<int>(), 5 * report["updates"].get<int>());
    const RlTask& task = find_rl_task("boxes");
    EXPECT_TRUE(
        swi_prolog_agrees(parse_program(read_file(file("p.pl"))), make_environment(task)->facts()));
    for (const std::string policy : {"m.st", "p.pl"}) {
        EXPECT_LE(hri({"rl", "play", file(policy), "boxes"}).code, 1) << policy;
    }
}

TEST_F(Rl, PlayShowsStatesMovesAndTheRuleThatFired) {
    write_file(file("p.pl"), "move(X,Y) :- top(X), on(X,Z), on(Z,_), floor(Y).\n");
    const Outcome outcome = hri({"rl", "play", file("p.pl"), "unstack", "--start", "[a b][c d]"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("[a b][c d] "), HasSubstr("move(b,floor)"),
                      HasSubstr("move(d,floor)"), HasSubstr("move(X,Y) <- top(X)"),
                      HasSubstr("the goal"), HasSubstr("reward 0.960, solved 1 of 1, 2 moves")));
    const Outcome many =
        hri({"rl", "play", file("p.pl"), "unstack", "--start", "random", "--blocks", "20",
             "--episodes", "30", "--choice", "uniform", "--json", file("p.json")});
    EXPECT_EQ(many.code, 0) << many.out;
    EXPECT_EQ(read_json(file("p.json"))["solved"], 30);
}

TEST_F(Rl, PlayDrawsTheEpisodeWithRulesAndProofs) {
    write_file(file("p.pl"), "move(X,Y) :- top(X), on(X,Z), on(Z,_), floor(Y).\n");
    const Outcome outcome = hri(
        {"rl", "play", file("p.pl"), "unstack", "--out", file("e.svg"), "--json", file("e.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read_file(file("e.svg")),
                AllOf(HasSubstr("<svg"), HasSubstr("move(d,floor)"), HasSubstr("by move(X,Y)"),
                      HasSubstr("on(d,c)"), HasSubstr("the goal"), HasSubstr("</svg>")));
    EXPECT_THAT(read_json(file("e.json"))["steps"][0]["proof"].get<std::string>(),
                HasSubstr("floor(floor)"));
    EXPECT_EQ(
        hri({"rl", "play", file("p.pl"), "unstack", "--out", file("e.svg"), "--episodes", "2"})
            .code,
        2);
}

TEST_F(Rl, PlaysTheProgramThatComesWithEachTask) {
    for (const RlTask& task : rl_tasks()) {
        const Outcome outcome =
            hri({"rl", "play", "optimal", task.name, "--out", file("e.svg"), "--seed", "1"});
        EXPECT_EQ(outcome.code, 0) << task.name << outcome.out << outcome.err;
        EXPECT_THAT(read_file(file("e.svg")), HasSubstr("the goal"));
    }
}

TEST_F(Rl, PresetPaperIsOneRunFromTheTrainingStart) {
    const Outcome outcome = hri({"rl", "train", "sort", "--preset", "paper", "--layers", "2",
                                 "--iterations", "3", "--seed", "1", "--json", file("r.json")});
    ASSERT_LE(outcome.code, 1) << outcome.err;
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_EQ(report["updates"], 3);
    EXPECT_FALSE(report["refined"].get<bool>());
    EXPECT_EQ(hri({"plot", file("r.json"), "--out", file("curve.svg")}).code, 0);
    EXPECT_THAT(read_file(file("curve.svg")), HasSubstr("mean reward of an update"));
}

TEST_F(Rl, PlaySaysNoWhereThePolicyFails) {
    write_file(file("p.pl"), "move(X,Y) :- floor(X), top(Y).\n");
    const Outcome outcome = hri({"rl", "play", file("p.pl"), "stack"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("changes nothing"), HasSubstr("the time is up"),
                                   HasSubstr("reward -0.980")));
}

TEST_F(Rl, HelpOfEveryCommandHasAnExample) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"rl"}, {"rl", "train"}, {"rl", "play"}, {"reproduce", "rl"}}) {
        std::vector<std::string> arguments = command;
        arguments.emplace_back("--help");
        const Outcome outcome = hri(arguments);
        EXPECT_EQ(outcome.code, 0) << command.back();
        EXPECT_THAT(outcome.out, HasSubstr("Example")) << command.back();
    }
}

TEST_F(Rl, MistakesAreTold) {
    write_file(file("p.pl"), "open(X) :- closed(X).\n");
    EXPECT_THAT(hri({"rl", "play", file("p.pl"), "stack"}).err, HasSubstr("not for move/2"));
    EXPECT_THAT(hri({"rl", "play", file("p.pl"), "boxes", "--start", "a?"}).err, HasSubstr("box"));
    EXPECT_THAT(hri({"rl", "train", "unstak"}).err, HasSubstr("did you mean unstack?"));
    EXPECT_EQ(hri({"rl", "train", "unstak"}).code, 2);
    EXPECT_EQ(hri({"rl", "train", "unstack", "--guide", "luck"}).code, 2);
}

TEST_F(Rl, ReproduceHasATableAndItsJson) {
    std::vector<std::string> arguments = {"reproduce", "rl",           "--seeds",
                                          "1",         "--tasks",      "unstack",
                                          "--json",    file("t.json"), "--programs"};
    arguments.insert(arguments.end(), kQuick.begin(), kQuick.end() - 2);
    const Outcome outcome = hri(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("unstack"), HasSubstr("0.920"), HasSubstr("move(X,Y) <-")));
    const nlohmann::json row = read_json(file("t.json"))["rows"][0];
    for (const char* key :
         {"soft_reward", "argmax_reward", "symbolic_reward", "uniform_reward", "seconds"}) {
        EXPECT_TRUE(row["ours"][key].is_number()) << key;
    }
    EXPECT_EQ(row["paper"]["reward"], 0.92);
    EXPECT_EQ(row["runs"][0]["starts"], 101) << "the training start and 100 others";
    EXPECT_GT(row["runs"][0]["cpu_seconds"], 0);
}

TEST_F(Rl, ReproduceGoesOnWhereItWasStopped) {
    const auto table = [&](const std::string& seeds) {
        std::vector<std::string> arguments = {
            "reproduce", "rl",           "--tasks", "boxes",    "--seeds",
            seeds,       "--first-seed", "7",       "--state",  file("s.jsonl"),
            "--json",    file("t.json"), "--guide", "untrained"};
        arguments.insert(arguments.end(), kQuick.begin(), kQuick.end() - 2);
        EXPECT_EQ(hri(arguments).code, 0);
        return read_json(file("t.json"))["rows"][0]["runs"];
    };
    const nlohmann::json one = table("1");
    EXPECT_EQ(one[0]["seed"], 7);
    EXPECT_EQ(one[0]["updates"], 0) << "an untrained guide takes no PPO";
    const nlohmann::json two = table("2");
    ASSERT_EQ(two.size(), 2U);
    EXPECT_EQ(two[0]["seconds"], one[0]["seconds"]) << "it was not run again";
    const std::string lines = read_file(file("s.jsonl"));
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

}  // namespace
}  // namespace hri::test
