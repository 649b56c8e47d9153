// SPDX-License-Identifier: Apache-2.0

#include "hri/version.hpp"

#include "cli/run_hri.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ReproduceIlp : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    /// Two easy tasks, two seeds, few iterations.
    Outcome table(std::vector<std::string> more) const {
        std::vector<std::string> arguments = {
            "reproduce", "ilp",         "--tasks",      "undirected-edge,predecessor",
            "--layers",  "2",           "--iterations", "60",
            "--json",    file("t.json")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return hri(arguments);
    }

    /// The table's rows without times.
    nlohmann::json rows() const {
        nlohmann::json rows = read_json(file("t.json"))["rows"];
        for (auto& row : rows) {
            row["ours"].erase("seconds");
        }
        return rows;
    }

    ScratchFolder folder_;
};

TEST_F(ReproduceIlp, PrintsOursBesideThePapers) {
    const Outcome outcome = table({"--seeds", "2", "--failures"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("undirected-edge"), HasSubstr("predecessor"),
                                   HasSubstr("paper"), HasSubstr("symbolic")));
    const nlohmann::json json = read_json(file("t.json"));
    EXPECT_EQ(json["table"], "ilp");
    EXPECT_EQ(json["version"], version());
    EXPECT_THAT(json["command"].get<std::string>(), HasSubstr("hri reproduce ilp --tasks"));
    ASSERT_EQ(json["rows"].size(), 2U);
    const nlohmann::json& row = json["rows"][0];
    EXPECT_EQ(row["task"], "undirected-edge");
    EXPECT_EQ(row["seeds"], 2);
    EXPECT_TRUE(row.contains("variant"));
    for (const std::string key : {"train", "soft", "symbolic", "symbolic_fixpoint", "seconds"}) {
        EXPECT_TRUE(row["ours"][key].is_number()) << key;
    }
    EXPECT_EQ(row["paper"]["symbolic"], 100);
    EXPECT_FALSE(row.contains("intervals"));
}

TEST_F(ReproduceIlp, DoesNotDependOnTheNumberOfJobs) {
    ASSERT_EQ(table({"--seeds", "3", "--threads", "1"}).code, 0);
    const nlohmann::json alone = rows();
    ASSERT_EQ(table({"--seeds", "3", "--threads", "3"}).code, 0);
    EXPECT_EQ(rows(), alone);
}

TEST_F(ReproduceIlp, GivesIntervalsFromTwentySeedsOn) {
    ASSERT_EQ(table({"--seeds", "20", "--iterations", "5"}).code, 0);
    const nlohmann::json row = read_json(file("t.json"))["rows"][0];
    const double low = row["intervals"]["symbolic"][0];
    const double high = row["intervals"]["symbolic"][1];
    EXPECT_LE(low, row["ours"]["symbolic"].get<double>());
    EXPECT_GE(high, row["ours"]["symbolic"].get<double>());
    EXPECT_GT(high - low, 10);
}

TEST_F(ReproduceIlp, GoesOnWhereItWasStopped) {
    const std::string state = file("runs.jsonl");
    ASSERT_EQ(table({"--seeds", "2", "--state", state}).code, 0);
    const nlohmann::json two = rows();
    const std::string lines = read_file(state);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4);

    // cut in the middle of the last line, as a power cut would leave it
    write_file(state, std::string_view(lines).substr(0, lines.size() - 30));
    ASSERT_EQ(table({"--seeds", "2", "--state", state}).code, 0);
    EXPECT_EQ(rows(), two);
    const std::string mended = read_file(state);
    EXPECT_EQ(std::count(mended.begin(), mended.end(), '\n'), 4);
    EXPECT_THAT(mended, testing::StartsWith(lines.substr(0, lines.size() / 2)));

    // other options are other runs
    ASSERT_EQ(table({"--seeds", "2", "--state", state, "--gumbel", "0"}).code, 0);
    const std::string more = read_file(state);
    EXPECT_EQ(std::count(more.begin(), more.end(), '\n'), 8);

    write_file(state, "no runs\n");
    const Outcome outcome = table({"--seeds", "2", "--state", state});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("runs.jsonl: this file exists"));
    EXPECT_EQ(read_file(state), "no runs\n") << "it is not ours to change";
}

TEST_F(ReproduceIlp, PrintsWhatIsThereWhenInterrupted) {
    Process process({"reproduce", "ilp", "--tasks", "less-than", "--iterations", "100000000",
                     "--threads", "2", "--json", file("t.json")});
    ASSERT_TRUE(process.handles_signals());
    process.signal(SIGINT);
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("less-than"));
    EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
    EXPECT_EQ(read_json(file("t.json"))["rows"][0]["seeds"], 0);
}

TEST(ReproduceRecovery, LearnsHiddenProgramsBackAndGoesOnWhereItWasStopped) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    const std::string state = (folder / "runs.jsonl").string();
    const std::vector<std::string> arguments = {
        "reproduce", "recovery",   "--programs",       "4",      "--max-rules",
        "2",         "--strategy", "search,portfolio", "--json", json_file,
        "--state",   state,        "--failures"};
    const Outcome outcome = hri(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json json = read_json(json_file);
    EXPECT_EQ(json["table"], "recovery");
    const nlohmann::json& all = json["rows"][1];
    EXPECT_EQ(all["task"], "all");
    EXPECT_EQ(all["variant"], "portfolio");
    EXPECT_EQ(all["programs"], 4);
    EXPECT_GT(all["identifiable"], 0);
    EXPECT_EQ(all["ours"]["recovered"], 100);
    const Outcome again = hri(arguments);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, outcome.out);  // times included: nothing ran anew
}

TEST(ReproducePopper, JudgesSmallTasksBySeveralSplits) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    std::filesystem::create_directory(folder / "trains1-like");
    std::string facts;
    std::string examples;
    for (int t = 0; t < 20; ++t) {
        facts += fmt::format("has_car(t{0},c{0}). {1}(c{0}).\n", t, t % 2 == 0 ? "long" : "short");
        examples += fmt::format("{}(f(t{})).\n", t % 2 == 0 ? "pos" : "neg", t);
    }
    write_file(folder / "trains1-like/bk.pl", facts);
    write_file(folder / "trains1-like/exs.pl", examples);
    write_file(folder / "trains1-like/bias.pl",
               "head_pred(f,1). body_pred(has_car,2). body_pred(long,1). body_pred(short,1).\n");
    for (const auto& [splits, count] : {std::pair{"0", 5U}, std::pair{"3", 3U}}) {
        const Outcome outcome = hri({"reproduce", "popper", "--data", folder.path().string(),
                                     "--splits", splits, "--json", json_file});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, AllOf(HasSubstr("trains1-like"), HasSubstr("long(Y)")));
        const nlohmann::json row = read_json(json_file)["tasks"][0];
        EXPECT_EQ(row["accuracy"], 100.0);
        ASSERT_EQ(row["splits"].size(), count);
        EXPECT_EQ(row["splits"][0]["evaluation"]["positives"], 2);
    }
}

}  // namespace
}  // namespace hri::test
