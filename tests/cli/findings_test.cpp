// SPDX-License-Identifier: Apache-2.0

// Findings of docs/design/reliability.md that no other test shows: inputs that took time without
// end, limits of time and memory, names that shared a file, tables read in part.

#include "cli/run_hri.hpp"
#include "support/databases.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::string joined(int count, const std::function<std::string(int)>& part,
                   const std::string& between) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += (i == 0 ? "" : between) + part(i);
    return all;
}

class Findings : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    /// `objects` constants, two edges from each, labels that no rule explains.
    std::string write_noise(int objects) const {
        fs::create_directories(folder_ / "noise");
        std::string facts;
        std::string examples;
        for (int i = 0; i < objects; ++i) {
            for (const int step : {7, 31})
                facts += "e(a" + std::to_string(i) + ",a" +
                         std::to_string((i * step + 3) % objects) + ").\n";
            examples += std::string(i * 37 % 11 < 5 ? "pos" : "neg") + "(t(a" + std::to_string(i) +
                        ",a" + std::to_string((i * 13 + 5) % objects) + ")).\n";
        }
        write_file(folder_ / "noise/bk.pl", facts);
        write_file(folder_ / "noise/exs.pl", examples);
        return file("noise");
    }

    ScratchFolder folder_;
};

// Before, these took minutes: the test's time limit is the check.
TEST_F(Findings, TimeDoesNotGrowWithTheSquareOfTheInput) {
    const std::string header =
        "{" +
        joined(
            100'000,
            [](int i) {
                return "\"k" + std::to_string(i) +
                       "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
            },
            ",") +
        "}";
    std::string model(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        model[i] = static_cast<char>(header.size() >> (8 * i));
    write_file(file("m.safetensors"), model + header);
    EXPECT_THAT(hri({"rules", file("m.safetensors")}).err, HasSubstr("unknown tensor"));

    write_file(file("c"), "{\"hri_record\":1,\"values\":" + header + "}");
    EXPECT_EQ(hri({"learn", "son", "--checkpoint", file("c"), "--resume"}).code, 2);

    write_file(file("t.tsv"), "son " +
                                  joined(
                                      200'000, [](int) { return "0.5"; }, " ") +
                                  "\n");
    EXPECT_NE(hri({"multitask", file("t.tsv"), "--init", "table:" + file("t.tsv")}).code, 0);

    const auto cells = [](const std::string& cell) {
        return joined(
            40'000, [&](int) { return cell; }, ",");
    };
    write_file(file("wide.csv"), joined(
                                     40'000, [](int i) { return "c" + std::to_string(i); }, ",") +
                                     ",label\n" + cells("1") + ",pos\n" + cells("2") + ",neg\n");
    EXPECT_THAT(hri({"inspect", file("wide.csv")}).out, HasSubstr("c39999"));

    write_file(file("chain.pl"),
               "% target: t/1\nt(X) :- a0(X).\n" +
                   joined(
                       250,
                       [](int i) {
                           const std::string next = "a" + std::to_string(i + 1) + "(X)";
                           return "a" + std::to_string(i) + "(X) :- " + next + ", " + next + ".\n";
                       },
                       "") +
                   "a250(X) :- e(X).\n");
    EXPECT_THAT(hri({"rules", file("chain.pl")}).out, HasSubstr("t(X) <- e(X)"));
}

TEST_F(Findings, ATimeLimitIsLookedAtInEveryLongIteration) {
    const Outcome outcome =
        hri({"learn", write_noise(250), "--strategy", "gradient", "--split", "never", "--restarts",
             "40", "--time-limit", "0.001", "--json", file("r.json")});
    ASSERT_LE(outcome.code, 1) << outcome.err;
    const nlohmann::json report = read_json(folder_ / "r.json");
    EXPECT_EQ(report.at("stop_reason"), "time_limit");
    EXPECT_LE(report.at("iterations").get<int>(), 4) << "a run has thousands";
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("time limit"));
}

TEST_F(Findings, TargetsOfTheSameFileNameAreNumberedAndLongNamesAreCut) {
    const std::vector<std::string> names = {"t/v", "t_v", std::string(300, 'x'), "rel"};
    nlohmann::json images;
    for (int i = 0; i < 12; ++i) {
        nlohmann::json objects;
        for (int k = 0; k < 4; ++k)
            objects[std::to_string(10 * i + k)] = {
                {"name", names[static_cast<std::size_t>(k)]},
                {"relations",
                 {{{"name", "on"}, {"object", std::to_string(10 * i + (k + 1) % 4)}}}}};
        images[std::to_string(i)] = {{"objects", objects}};
    }
    write_file(file("images.json"), images.dump());
    ASSERT_EQ(
        hri({"scenes", "build", file("images.json"), "--min-count", "1", "--out", file("s")}).code,
        0);
    const Outcome outcome =
        hri({"multitask", file("s"), "--rounds", "2", "--preset", "paper", "--out", file("run")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> written;
    for (const auto& entry : fs::directory_iterator(folder_ / "run/programs"))
        written.push_back(entry.path().filename().string());
    EXPECT_EQ(written.size(), 4U);
    EXPECT_THAT(written, IsSupersetOf({"t_v.pl", "t_v.2.pl", "rel.pl"}));
    EXPECT_FALSE(fs::exists(folder_ / "run/polishing")) << "it is for runs that were cut off";
}

TEST_F(Findings, ProgramsThatWerePolishedAreTakenOverByTheNextRun) {
    ASSERT_EQ(hri({"scenes", "generate", "--images", "80", "--out", file("s")}).code, 0);
    const std::vector<std::string> command = {"multitask", file("s"), "--rounds",
                                              "3",         "--out",   file("run")};
    ASSERT_EQ(hri(command).code, 0);
    const std::string program = read_file(folder_ / "run/report.json");
    // a folder that cannot be made ready programs in is a mistake before any work
    fs::create_directories(folder_ / "run/polishing");
    write_file(folder_ / "run/polishing/polished-0.json", "{\"of\": \"another run\"}");
    write_file(folder_ / "run/polishing/notes.txt", "mine");
    std::vector<std::string> resumed = command;
    resumed.emplace_back("--resume");
    ASSERT_EQ(hri(resumed).code, 0);
    EXPECT_EQ(read_json(folder_ / "run/report.json").at("targets"),
              nlohmann::json::parse(program).at("targets"));
    EXPECT_EQ(read_file(folder_ / "run/polishing/notes.txt"), "mine");
    EXPECT_FALSE(fs::exists(folder_ / "run/polishing/polished-0.json"));
}

TEST_F(Findings, GeneratedColumnsAndDatabasesWithALogAreRead) {
    if (!is_installed("sqlite3"))
        GTEST_SKIP() << "sqlite3 is not installed";
    run_sqlite(
        "CREATE TABLE p(id TEXT PRIMARY KEY, x INT, y TEXT GENERATED ALWAYS AS "
        "(CASE WHEN x > 1 THEN 'high' ELSE 'low' END) VIRTUAL);"
        "INSERT INTO p(id, x) VALUES ('a', 1), ('b', 2);",
        file("g.db"));
    EXPECT_THAT(hri({"inspect", file("g.db")}).out, HasSubstr("low, high"));
    run_sqlite(
        "PRAGMA journal_mode=WAL; CREATE TABLE e(a TEXT, b TEXT);"
        "INSERT INTO e VALUES ('a','b'), ('b','c'), ('c','a');",
        file("w.db"));
    const Outcome outcome = hri({"inspect", file("w.db"), "--target", "e"});
    EXPECT_THAT(outcome.out, HasSubstr("3 positive examples")) << outcome.err;
}

TEST_F(Findings, AFolderWithoutPermissionIsNamedAsSuch) {
    if (geteuid() == 0)
        GTEST_SKIP() << "root may read everything";
    fs::create_directories(folder_ / "closed");
    fs::permissions(folder_ / "closed", fs::perms::none);
    const Outcome outcome = hri({"learn", file("closed")});
    fs::permissions(folder_ / "closed", fs::perms::owner_all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("ermission"));
}

TEST_F(Findings, LineSeparatorsInQuotesAreRead) {
    fs::create_directories(folder_ / "d");
    write_file(folder_ / "d/bk.pl", "e('a\\u2028b',c). e(c,d).\n");
    write_file(folder_ / "d/exs.pl", "pos(t(c)). neg(t(d)).\n");
    const Outcome outcome = hri({"inspect", file("d")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("e/2        2"));
}

// 1.0 and 1.00 are two constants, 8 and '8' are one, as docs/limits.md says.
TEST_F(Findings, ConstantsAreTexts) {
    fs::create_directories(folder_ / "d");
    write_file(folder_ / "d/bk.pl", "e(a,1.0). e(b,1.00). e(c,8). e(d,'8').\n");
    write_file(folder_ / "d/exs.pl", "pos(t(a)). neg(t(b)).\n");
    EXPECT_THAT(hri({"inspect", file("d")}).out, HasSubstr("1 instance of 7 constants"));
}

// A variable in \= does not count as a mention: Z is inner, as docs/reference/cli.md says.
TEST_F(Findings, AVariableThatOnlyAComparisonMentionsIsInner) {
    fs::create_directories(folder_ / "d");
    write_file(folder_ / "d/bk.pl", "u(a). v(b).\n");
    write_file(folder_ / "d/exs.pl", "pos(p(a)). neg(p(b)).\n");
    write_file(file("p.pl"), "% target: p/1\np(X) :- \\+ w(Z), u(X), Z \\= a.\n");
    write_file(file("q.pl"), "% target: p/1\np(X) :- \\+ u(Z), u(X), Z \\= a.\n");
    EXPECT_EQ(hri({"predict", file("p.pl"), file("d")}).code, 0);
    EXPECT_EQ(hri({"predict", file("q.pl"), file("d")}).code, 1);
}

}  // namespace
}  // namespace hri::test
