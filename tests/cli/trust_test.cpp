// SPDX-License-Identifier: Apache-2.0

// Passwords, names that would be code, files that are not ours, limits: what was attacked.
// docs/design/reliability.md lists the findings.

#include "cli/run_hri.hpp"
#include "support/databases.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace hri::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Trust : public testing::Test {
  protected:
    Trust() { task_ = write_tiny_task(folder_); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    /// All that is in the folder, files' contents and names.
    std::string everything() const {
        std::string all;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
            all += entry.path().string() + "\n";
            if (entry.is_regular_file()) {
                all += read_file(entry.path());
            }
        }
        return all;
    }

    ScratchFolder folder_;
    std::string task_;
};

TEST_F(Trust, NoPasswordIsPrintedOrWritten) {
    write_file(file("p.pl"), "% target: grand/2\ngrand(X,Y) :- p(X,Z), p(Z,Y).\n");
    // nobody listens at port 1; forms that are no connections are taken for files
    for (const std::string& source :
         {std::string("postgresql://boss:s3cr3tPW@127.0.0.1:1/fam"),
          std::string("Postgresql://boss:s3cr3tPW@127.0.0.1:1/fam"),
          std::string("postgresql:/boss:s3cr3tPW@127.0.0.1:1/fam"),
          std::string("postgres//boss:s3cr3tPW@127.0.0.1:1/fam"),
          std::string("postgresql://boss:s3cr3tPW%zz@127.0.0.1:1/fam"),
          std::string("postgresql://boss:s3cr3tPW/x@127.0.0.1:1/fam"),
          std::string("postgresql://boss:s3cr3tPW@x@127.0.0.1:1/fam"),
          std::string("host=127.0.0.1 port=1 user=boss password=s3cr3tPW")}) {
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"learn", source, "--json", file("l.json"), "--log",
                                       file("c.json"), "--strategy", "gradient"},
              {"eval", file("p.pl"), source, "--json", file("e.json")},
              {"explain", file("p.pl"), source, "grand(a,b)", "--json", file("x.json")},
              {"ask", source, "--json", file("a.json")},
              {"inspect", source, "--json", file("i.json")},
              {"multitask", source},
              {"tasks", "show", source},
              {"learn", source, "--format", "popper"},
              {"learn", source, "--format", "postgresql"},
              {"learn", task_, source}}) {
            const Outcome outcome = hri(command);
            EXPECT_EQ(outcome.code, 2) << outcome.err;
            EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("s3cr3t"))) << command[0];
        }
    }
    EXPECT_THAT(everything(), Not(HasSubstr("s3cr3t")));
}

TEST_F(Trust, NoPasswordIsWrittenWhereTheDatabaseAnswers) {
    const Postgres server;
    if (!server.running()) {
        GTEST_SKIP() << server.why_not();
    }
    server.run(
        "CREATE TABLE p (a TEXT, b TEXT); INSERT INTO p VALUES ('a','b'), ('b','c');"
        "CREATE TABLE none (a TEXT, b TEXT);");
    write_file(file("p.pl"), "% target: grand/2\ngrand(X,Y) :- p(X,Z), p(Z,Y).\n");
    const std::string source = server.connection() + "&password=s3cr3tPW";
    const std::string out =
        hri({"inspect", source, "--target", "p", "--json", file("i.json")}).out +
        hri({"eval", file("p.pl"), source, "--target", "grand", "--json", file("e.json")}).err +
        hri({"learn", source, "--target", "none", "--json", file("l.json")}).err +
        hri({"learn", source, "--target", "p", "--max-work", "1000", "--program", file("q.pl"),
             "--out", file("m"), "--checkpoint", file("c"), "--json", file("k.json")})
            .err;
    EXPECT_THAT(out, Not(HasSubstr("s3cr3t")));
    EXPECT_THAT(everything(), Not(HasSubstr("s3cr3t")));
    EXPECT_THAT(read_file(file("i.json")), HasSubstr("password=***"));
}

TEST_F(Trust, NamesOfDataAreNoCodeInPrograms) {
    const std::string code =
        "\n:- initialization((open('" + file("made") + "',write,S),close(S))).\n%";
    const fs::path folder =
        folder_.path() / ("fam" + std::string("\n:- initialization(halt(7)).\n%.x"));
    fs::create_directories(folder);
    for (const char* name : {"bk.pl", "exs.pl", "bias.pl"}) {
        fs::copy(fs::path(task_) / name, folder / name);
    }
    ASSERT_LE(
        hri(quickly({"learn", folder.string(), "--program", file("p.pl"), "--max-work", "100000"}))
            .code,
        1);
    EXPECT_THAT(read_file(file("p.pl")), Not(HasSubstr("\n:- initialization")));
    // two targets, one of them with a name that is code
    write_file(folder / "bias.pl", "");
    std::string quoted = code;
    for (std::size_t at = 0; (at = quoted.find_first_of("\n'", at)) != std::string::npos; at += 2) {
        quoted.replace(at, 1, quoted[at] == '\n' ? "\\n" : "\\'");
    }
    write_file(folder / "exs.pl", "pos('x" + quoted + "'(a,b)).\nneg('x" + quoted +
                                      "'(a,a)).\npos(q(a,b)).\nneg(q(b,b)).\n");
    const Outcome outcome =
        hri(quickly({"learn", folder.string(), "--program", file("q.pl"), "--max-work", "100000"}));
    ASSERT_LE(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("\n:- initialization")));
    EXPECT_THAT(read_file(file("q.pl")), Not(HasSubstr("\n:- initialization")));
    if (is_installed("swipl")) {
        printed_by("swipl -g halt '" + file("q.pl") + "'", folder_.path());
        EXPECT_FALSE(fs::exists(file("made")));
    }
}

TEST_F(Trust, AFileThatIsNotOursIsNeverReplaced) {
    const std::string thesis = file("thesis.txt");
    write_file(file("p.pl"), "% target: back/2\nback(X,Y) :- edge(Y,X).\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"learn", task_, "--program", thesis},
          {"learn", task_, "--json", thesis},
          {"learn", task_, "--out", thesis},
          {"learn", task_, "--checkpoint", thesis},
          {"eval", file("p.pl"), task_, "--json", thesis},
          {"export", file("p.pl"), "--out", thesis},
          {"reproduce", "ilp", "--tasks", "son", "--seeds", "1", "--iterations", "50", "--state",
           thesis}}) {
        write_file(thesis, "my thesis");
        const Outcome outcome = hri(command);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr("thesis.txt"));
        EXPECT_EQ(read_file(thesis), "my thesis") << command[0] << " " << command[2];
    }
    write_file(file("bk.pl"), "edge(a,b).\n");
    EXPECT_EQ(hri({"tasks", "generate", "son", "--out", folder_.path().string()}).code, 2);
    EXPECT_EQ(read_file(file("bk.pl")), "edge(a,b).\n");
    EXPECT_EQ(hri({"tasks", "generate", "son", "--out", folder_.path().string(), "--force"}).code,
              0);
    EXPECT_THAT(read_file(file("bk.pl")), StartsWith("% written by hri "));
    EXPECT_EQ(hri({"export", file("p.pl"), "--out", thesis, "--force"}).code, 0);
    EXPECT_THAT(read_file(thesis), StartsWith("% written by hri "));
}

TEST_F(Trust, EveryFileThatWasWrittenMayBeWrittenAgain) {
    const auto twice = [&](std::vector<std::string> arguments) {
        for (int i = 0; i < 2; ++i) {
            const Outcome outcome = hri(arguments);
            EXPECT_LE(outcome.code, 1) << arguments[0] << ": " << outcome.err;
        }
    };
    twice(quickly({"learn", task_, "--program", file("p.pl"), "--out", file("m.safetensors"),
                   "--json", file("r.json"), "--log", file("l.json"), "--checkpoint", file("c"),
                   "--strategy", "gradient"}));
    for (const char* language :
         {"prolog", "datalog", "sql", "json", "dot", "svg", "latex", "text"}) {
        twice({"export", file("p.pl"), "--to", language, "--out",
               file(std::string("e.") + language)});
        twice({"export", file("m.safetensors"), "--to", language, "--out",
               file(std::string("f.") + language)});
    }
    twice({"plot", file("l.json"), "--out", file("l.svg")});
    twice({"plot", file("m.safetensors"), "--out", file("m.svg")});
    twice({"eval", file("p.pl"), task_, "--json", file("e.json")});
    twice({"inspect", task_, "--json", file("i.json")});
    twice({"tasks", "--json", file("t.json")});
    twice({"tasks", "generate", "son", "--out", file("son")});
    twice({"rules", file("p.pl"), "--json", file("rules.json")});
    EXPECT_THAT(everything(), AllOf(Not(HasSubstr(".lock\n")), Not(HasSubstr(".tmp\n"))));
}

TEST_F(Trust, OneNameForTwoOutputsIsAMistake) {
    const Outcome outcome = hri({"learn", task_, "--out", file("x"), "--json", file("x")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("two outputs have this name"));
}

TEST_F(Trust, TwoRunsDoNotWriteTheSameOutput) {
    Process first({"learn", "even-odd", "--strategy", "gradient", "--iterations", "100000000",
                   "--checkpoint", file("c")});
    ASSERT_TRUE(holds_soon([&] { return fs::exists(file(".c.lock")); }));
    const Outcome second = hri({"learn", "son", "--checkpoint", file("c")});
    first.signal(SIGKILL);
    first.wait();
    EXPECT_EQ(second.code, 2);
    EXPECT_THAT(second.err, HasSubstr("another run of hri is writing this"));
    EXPECT_LE(hri(quickly({"learn", task_, "--checkpoint", file("c"), "--max-work", "10000"})).code,
              1)
        << "the lock of a killed run counts for nothing";
}

TEST_F(Trust, WhatWasLearnedIsPrintedThoughAFileCannotBeWritten) {
    const Outcome outcome = hri(quickly(
        {"learn", task_, "--max-work", "300000", "--out", "/dev/full", "--json", file("r.json")}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, HasSubstr("back(X,Y) <- edge(Y,X)"));
    EXPECT_THAT(outcome.err, HasSubstr("No space left"));
    EXPECT_THAT(read_file(file("r.json")), HasSubstr("back(X,Y)"));
    const Outcome goes_on =
        hri(quickly({"learn", task_, "--max-work", "300000", "--checkpoint", "/dev/full"}));
    EXPECT_EQ(goes_on.code, 0) << "a checkpoint that cannot be written ends no run";
    EXPECT_THAT(goes_on.err, HasSubstr("warning: no checkpoint was written"));
}

TEST_F(Trust, PipesFoldersAndReadOnlyFoldersAreMistakes) {
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    const Outcome pipe =
        hri(quickly({"learn", task_, "--max-work", "10000", "--json", file("pipe")}));
    EXPECT_EQ(pipe.code, 2);
    EXPECT_THAT(pipe.err, HasSubstr("pipe that nobody reads"));
    EXPECT_EQ(hri({"learn", task_, "--json", task_}).code, 2);
    EXPECT_EQ(hri({"learn", task_, "--json", "/proc/x.json"}).code, 2);
}

TEST_F(Trust, DeepNestingIsAMistake) {
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) {
            all += text;
        }
        return all;
    };
    write_file(file("c.toml"), "[" + repeated("a.", 200'000) + "a]\nx = 1\n");
    EXPECT_EQ(hri({"learn", "son", "--config", file("c.toml")}).code, 2);
    write_file(file("k"), "{\"hri_record\":" + repeated("[", 1'000'000));
    EXPECT_EQ(hri({"learn", "son", "--checkpoint", file("k"), "--resume"}).code, 2);
    write_file(file("r.json"), "{\"curve\":" + repeated("[", 1'000'000) + repeated("]", 1'000'000) +
                                   ",\"task\":\"x\"}");
    EXPECT_EQ(hri({"plot", file("r.json"), "--out", file("r.svg")}).code, 2);
    std::string header =
        "{\"__metadata__\":" + repeated("[", 100'000) + repeated("]", 100'000) + "}";
    std::string model(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        model[i] = static_cast<char>(header.size() >> (8 * i));
    }
    write_file(file("m.safetensors"), model + header);
    EXPECT_EQ(hri({"rules", file("m.safetensors")}).code, 2);
}

TEST_F(Trust, ManyPredicatesAreRefusedBeforeMemoryIsTaken) {
    fs::create_directories(folder_ / "p");
    std::string facts;
    for (int i = 0; i < 66'000; ++i) {
        facts += "p" + std::to_string(i) + "(a" + std::to_string(i % 50) + ").\n";
    }
    std::string examples;
    for (int i = 0; i < 20; ++i) {
        examples +=
            "pos(t(a" + std::to_string(i) + ")).\nneg(t(a" + std::to_string(i + 20) + ")).\n";
    }
    write_file(folder_ / "p/bk.pl", facts);
    write_file(folder_ / "p/exs.pl", examples);
    const Outcome outcome =
        hri({"learn", file("p"), "--strategy", "gradient", "--time-limit", "3"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("at most 2,147,483,647 are supported"));
}

TEST_F(Trust, WhatWasWrittenCanBeRead) {
    fs::create_directories(folder_ / "csv");
    write_file(folder_ / "csv/play.csv",
               "id,#rooms,windy,label\na,3,no,pos\nb,3,yes,pos\nc,2,yes,neg\nd,4,no,neg\n");
    const std::string rules = "R*; S: H(X) <- ~P(X,3)";
    const Outcome learned = hri({"learn", file("csv"), "--rules", rules, "--program", file("p.pl"),
                                 "--checkpoint", file("c"), "--max-work", "300000"});
    EXPECT_THAT(learned.out, HasSubstr("'#rooms'(X,3)"));
    const Outcome judged = hri({"eval", file("p.pl"), file("csv")});
    EXPECT_EQ(judged.code, 0) << judged.err;
    const Outcome resumed = hri({"learn", file("csv"), "--rules", rules, "--checkpoint", file("c"),
                                 "--resume", "--max-work", "400000"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
}

TEST_F(Trust, ACheckpointThatIsWrittenAtOnceIsWholeAtTheEnd) {
    const Outcome outcome = hri(quickly({"learn", task_, "--max-work", "100000", "--checkpoint",
                                         file("c"), "--checkpoint-seconds", "0"}));
    ASSERT_LE(outcome.code, 1) << outcome.err;
    EXPECT_THAT(read_file(file("c")), StartsWith("{\"blobs\":"));
}

TEST_F(Trust, APredicateCalledFalseIsOneLikeOthers) {
    fs::create_directories(folder_ / "f");
    write_file(folder_ / "f/bk.pl", "false(a). false(b). r(c). r(d).\n");
    write_file(folder_ / "f/exs.pl", "pos(t(a)). pos(t(b)). neg(t(c)). neg(t(d)).\n");
    const Outcome outcome = hri({"learn", file("f"), "--max-work", "300000"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    write_file(folder_ / "f/bk.pl", "=(a,a). r(c,d).\n");
    EXPECT_THAT(hri({"learn", file("f")}).err, HasSubstr("built in"));
}

TEST_F(Trust, AViewWithoutEndIsAMistake) {
    if (!is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    run_sqlite(
        "CREATE TABLE e (a TEXT, b TEXT); INSERT INTO e VALUES ('a','b');"
        "CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM "
        "n WHERE x > 0) SELECT x FROM n WHERE x < 0;",
        file("d.db"));
    const Outcome outcome = hri({"learn", file("d.db"), "--target", "e"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("a view works without end"));
}

TEST_F(Trust, AFullStandardOutputIsAMistake) {
    for (const char* command : {"tasks", "--help", "learn --help", "--version", "docs"}) {
        const int status = std::system(
            (std::string(HRI_BINARY) + " " + command + " > /dev/full 2> /dev/null").c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2) << command;
    }
}

TEST_F(Trust, NamesDoNotCommandTheTerminal) {
    write_file(fs::path(task_) / "bk.pl",
               "'e\\x1b\\[31m'(a,b). edge(a,b). edge(b,c). edge(c,d). edge(d,a).\n");
    write_file(fs::path(task_) / "bias.pl", "");
    EXPECT_THAT(hri({"inspect", task_}).out,
                AllOf(HasSubstr("e\\x1b[31m"), Not(HasSubstr("\x1b"))));
}

TEST_F(Trust, HugeNumbersOfFlagsAreMistakes) {
    for (const char* flag : {"--no-growth=18446744073709551615", "--layers=18446744073709551616",
                             "--seed=99999999999999999999", "--time-limit=1e999"}) {
        EXPECT_EQ(hri({"learn", "son", flag}).code, 2) << flag;
    }
}

}  // namespace
}  // namespace hri::test
