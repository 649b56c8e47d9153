// SPDX-License-Identifier: Apache-2.0
#include "cli/run_hri.hpp"
#include "support/databases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::hri;
using test::Outcome;
using test::ScratchFolder;
using testing::HasSubstr;

TEST(Inspect, TellsWhatDataHold) {
    const ScratchFolder folder;
    const std::string task = test::write_tiny_task(folder);
    write_file(folder / "tiny/bias.pl", "head_pred(back,2). body_pred(edge,2). max_vrs(3).");
    const Outcome outcome = hri({"inspect", task, "--json", (folder / "out.json").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("target   back/2\n"));
    EXPECT_THAT(outcome.out, HasSubstr("edge/2"));
    EXPECT_THAT(outcome.out,
                HasSubstr("training 1 instance of 4 constants, 4 positive examples and 12 negative "
                          "ones\n"));
    EXPECT_THAT(outcome.err, HasSubstr("bias.pl:1:39: max_vrs/1 is not used"));
    EXPECT_EQ(test::read_json(folder / "out.json")["positives"], 4);
}

TEST(Inspect, ProposesAMappingForADatabase) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const ScratchFolder folder;
    test::run_sqlite("CREATE TABLE edge (a TEXT, b TEXT); INSERT INTO edge VALUES ('x', 'y');",
                     folder / "graph.db");
    const std::string database = (folder / "graph.db").string();
    const Outcome mapping = hri({"inspect", database, "--propose-mapping"});
    EXPECT_EQ(mapping.code, 0) << mapping.err;
    EXPECT_THAT(mapping.out, HasSubstr("[[relation]]\nname = \"edge\"\ntable = \"edge\"\n"));
    const Outcome data = hri({"inspect", database, "--target", "edge"});
    EXPECT_EQ(data.code, 0) << data.err;
    EXPECT_THAT(data.out, HasSubstr("1 positive example"));
}

TEST(Data, OfTestTriplesJudgesAProgram) {
    const ScratchFolder folder;
    write_file(folder / "train.txt", "a\tedge\tb\nb\tedge\tc\nb\tback\ta\n");
    write_file(folder / "test.txt", "c\tback\tb\n");
    write_file(folder / "program.pl", "back(X,Y) :- edge(Y,X).");
    const Outcome outcome =
        hri({"eval", (folder / "program.pl").string(), folder.path().string(), "--target", "back",
             "--closed-world", "--json", (folder / "out.json").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("1 positive atom and 7 negative ones"));
    EXPECT_EQ(test::read_json(folder / "out.json")["recall"], 100);
    // what the program defines need not be named
    const Outcome same =
        hri({"eval", (folder / "program.pl").string(), folder.path().string(), "--closed-world"});
    EXPECT_EQ(same.out, outcome.out) << same.err;
    const Outcome why =
        hri({"explain", (folder / "program.pl").string(), folder.path().string(), "back(c,b)"});
    EXPECT_EQ(why.code, 0) << why.err;
    EXPECT_THAT(why.out, HasSubstr("edge(b,c)  a fact"));
}

TEST(Data, MistakesAreToldWithTheirPlace) {
    const ScratchFolder folder;
    write_file(folder / "p.csv", "a,b\nx\n");
    const Outcome outcome = hri({"inspect", (folder / "p.csv").string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("p.csv:2:2: expected 2 cells, found 1"));
    EXPECT_EQ(hri({"inspect", "nothing/here"}).code, 2);
    EXPECT_EQ(hri({"inspect", (folder / "p.csv").string(), "--format", "excel"}).code, 2);
}

}  // namespace
}  // namespace hri
