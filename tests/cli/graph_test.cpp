// SPDX-License-Identifier: Apache-2.0

// hri learn GRAPH --targets all, and hri rank.

#include "hri/files.hpp"

#include "cli/run_hri.hpp"
#include "data/scratch_folder.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hri::test {
namespace {

using testing::HasSubstr;

class GraphCommands : public testing::Test {
  protected:
    GraphCommands() {
        std::string train;
        for (int i = 0; i < 20; ++i) {
            const std::string n = std::to_string(i);
            train += "p" + n + "\tparent\tit's " + n + "\n";
            train += i < 15 ? "it's " + n + "\tchild of\tp" + n + "\n" : "";
        }
        write_file(folder_ / "train.txt", train);
        write_file(folder_ / "valid.txt", "it's 15\tchild of\tp15\n");
        write_file(folder_ / "test.txt", "it's 16\tchild of\tp16\nit's 17\tchild of\tp17\n");
    }

    std::string folder() const { return folder_.path().string(); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    ScratchFolder folder_;
};

TEST_F(GraphCommands, LearnRulesAndRankAnswers) {
    const Outcome learned = hri({"learn", folder(), "--targets", "all", "--time-limit", "0",
                                 "--max-work", "10", "--program", file("rules.pl")});
    ASSERT_EQ(learned.code, 0) << learned.err;
    EXPECT_THAT(learned.out, HasSubstr("child of"));
    EXPECT_THAT(read_file(file("rules.pl")),
                HasSubstr("'child of'(X,Y) :- parent(Y,X).  % support 15, predictions 20"));
    const Outcome ranked = hri({"rank", file("rules.pl"), folder(), "--json", file("ranks.json")});
    ASSERT_EQ(ranked.code, 0) << ranked.err;
    const auto json = nlohmann::json::parse(read_file(file("ranks.json")));
    EXPECT_EQ(json["all"]["queries"], 4);
    EXPECT_EQ(json["all"]["mrr"], 1);
    const Outcome asked = hri(
        {"rank", file("rules.pl"), folder(), "--query", "'child of'('it\\'s 18',?)", "--top", "1"});
    EXPECT_EQ(asked.code, 0) << asked.err;
    EXPECT_THAT(asked.out, HasSubstr("p18"));
    EXPECT_THAT(asked.out, HasSubstr("parent(Y,X)"));
}

TEST_F(GraphCommands, ExplainAnAnswer) {
    ASSERT_EQ(hri({"learn", folder(), "--targets", "all", "--time-limit", "0", "--max-work", "10",
                   "--program", file("rules.pl")})
                  .code,
              0);
    const Outcome why = hri({"explain", file("rules.pl"), folder(), "'child of'('it\\'s 18',p18)"});
    EXPECT_EQ(why.code, 0) << why.err;
    EXPECT_THAT(why.out, HasSubstr("is predicted with 0.750"));
    EXPECT_THAT(why.out, HasSubstr("parent(p18,'it\\'s 18')  a fact"));
    EXPECT_EQ(hri({"explain", file("rules.pl"), folder(), "parent(p1,p2)"}).code, 1);
    EXPECT_EQ(hri({"explain", file("rules.pl"), folder(), "uncle(p1,p2)"}).code, 2);
}

TEST_F(GraphCommands, ReadBackNamesOfAnyKind) {
    const std::vector<std::string> names = {
        "a b", "it's", "x\\y", "\xC3\xBC", "http://e.org/a?b#c", "\"q\"", "A", "_z", "-1.5",
        "[]",  "a,b",  "%",    " edge "};
    std::string train;
    std::string test;
    for (const std::string& name : names) {
        for (const char* end : {"1", "2", "3"}) {
            train += name + "\tparent\\of\t" + name + end + "\n";
            (*end == '3' ? test : train) += name + end + "\tIt's child\t" + name + "\n";
        }
    }
    write_file(file("train.txt"), train);
    write_file(file("test.txt"), test);
    write_file(file("valid.txt"), "");
    const Outcome learned = hri({"learn", folder(), "--targets", "all", "--time-limit", "0",
                                 "--max-work", "10", "--program", file("rules.pl")});
    ASSERT_EQ(learned.code, 0) << learned.err;
    EXPECT_THAT(learned.err, HasSubstr("training triples that are held out"));
    const Outcome ranked = hri({"rank", file("rules.pl"), folder(), "--json", file("ranks.json")});
    ASSERT_EQ(ranked.code, 0) << ranked.err;
    const auto json = nlohmann::json::parse(read_file(file("ranks.json")));
    EXPECT_EQ(json["all"]["queries"], 2 * names.size());
    EXPECT_EQ(json["all"]["mrr"], 1);
    const Outcome asked = hri({"rank", file("rules.pl"), folder(), "--query",
                               "'It\\'s child'('x\\\\y3',?)", "--top", "1"});
    EXPECT_THAT(asked.out, HasSubstr("x\\y\n")) << asked.err;
}

TEST_F(GraphCommands, GoOnWhereACheckpointStands) {
    const auto learn = [&](const char* work, const char* to, const std::vector<std::string>& more) {
        std::vector<std::string> line = {"learn",        folder(), "--targets",  "all",
                                         "--time-limit", "0",      "--max-work", work,
                                         "--program",    file(to)};
        line.insert(line.end(), more.begin(), more.end());
        return hri(line);
    };
    ASSERT_EQ(learn("1", "part.pl", {"--checkpoint", file("run")}).code, 0);
    const Outcome rest = learn("100", "rest.pl", {"--checkpoint", file("run"), "--resume"});
    ASSERT_EQ(rest.code, 0) << rest.err;
    ASSERT_EQ(learn("100", "whole.pl", {}).code, 0);
    EXPECT_EQ(read_file(file("rest.pl")), read_file(file("whole.pl")));
}

TEST_F(GraphCommands, LeaveOutRulesWithLittleEvidence) {
    const Outcome learned = hri({"learn", folder(), "--targets", "all", "--time-limit", "0",
                                 "--max-work", "10", "--no-constants", "--min-confidence", "0.9",
                                 "--program", file("rules.pl"), "--json", file("learn.json")});
    ASSERT_EQ(learned.code, 0) << learned.err;
    const std::string rules = read_file(file("rules.pl"));
    EXPECT_THAT(rules, HasSubstr("parent(X,Y) :- 'child of'(Y,X).  % support 15, predictions 15"));
    EXPECT_THAT(rules, HasSubstr("head coverage 0.7500"));
    const auto json = nlohmann::json::parse(read_file(file("learn.json")));
    EXPECT_TRUE(json.contains("seconds_of_choice"));
}

TEST_F(GraphCommands, TrainTheSoftModelAndBlendIt) {
    const Outcome learned =
        hri({"learn", folder(), "--targets", "child of", "--strategy", "gradient", "--rounds", "60",
             "--no-polish", "--out", file("soft")});
    ASSERT_EQ(learned.code, 0) << learned.err;
    EXPECT_THAT(learned.out, HasSubstr("'parent inverse'"));
    write_file(file("none.pl"), "");
    const auto mrr = [&](const std::vector<std::string>& more) {
        std::vector<std::string> line = {"rank", file("none.pl"), folder(), "--json",
                                         file("ranks.json")};
        line.insert(line.end(), more.begin(), more.end());
        EXPECT_EQ(hri(line).code, 0);
        return nlohmann::json::parse(read_file(file("ranks.json")))["tails"]["mrr"].get<double>();
    };
    EXPECT_LT(mrr({}), 0.2);
    EXPECT_GT(mrr({"--soft", file("soft"), "--soft-weight", "1"}), 0.9);
    EXPECT_GT(mrr({"--soft", file("soft")}), 0.9);
    EXPECT_EQ(hri({"rank", file("none.pl"), folder(), "--soft", file("nothing")}).code, 2);
}

TEST_F(GraphCommands, TellMistakes) {
    EXPECT_THAT(hri({"learn", folder(), "--targets", "aunt"}).err,
                HasSubstr("there is no relation 'aunt'"));
    write_file(file("empty.pl"), "");
    const auto ask = [&](const std::string& query) {
        return hri({"rank", file("empty.pl"), folder(), "--query", query}).code;
    };
    EXPECT_EQ(ask("nonsense"), 2);
    EXPECT_EQ(ask("parent(nobody,?)"), 2);
    EXPECT_EQ(ask("parent(p1,?)"), 1);
    write_file(file("bad.txt"), "a\tb\n");
    const Outcome bad = hri({"learn", file("bad.txt"), "--targets", "all"});
    EXPECT_EQ(bad.code, 2);
    EXPECT_THAT(bad.err, HasSubstr("bad.txt:1:4: expected head, relation and tail"));
}

TEST_F(GraphCommands, WarnOfARelationThatTrainingLacks) {
    write_file(file("test.txt"), "p1\tuncle\tp2\n");
    const Outcome learned =
        hri({"learn", folder(), "--targets", "all", "--time-limit", "0", "--max-work", "10"});
    EXPECT_EQ(learned.code, 0);
    EXPECT_THAT(learned.err, HasSubstr("relation 'uncle' occurs in test and not in training"));
}

TEST_F(GraphCommands, SplitRelationsOverProcessesWithTheSameResult) {
    if (std::system("command -v mpirun > /dev/null") != 0) {
        GTEST_SKIP() << "mpirun is not installed";
    }
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe"}) {
        setenv(name, "1", 1);
    }
    const std::vector<std::string> learn = {"learn",      folder(),       "--targets",
                                            "all",        "--time-limit", "0",
                                            "--max-work", "10",           "--program"};
    std::vector<std::string> one = learn;
    one.push_back(file("one.pl"));
    std::vector<std::string> two = learn;
    two.push_back(file("two.pl"));
    ASSERT_EQ(hri(one).code, 0);
    Process process(two, {"mpirun", "-n", "2"});
    const Outcome outcome = process.wait();
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_file(file("one.pl")), read_file(file("two.pl")));
}

}  // namespace
}  // namespace hri::test
