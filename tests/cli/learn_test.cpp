// SPDX-License-Identifier: Apache-2.0

#include "hri/tasks.hpp"

#include "cli/run_hri.hpp"
#include "support/swi_prolog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Learn : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    /// The program of a report, as Prolog runs it.
    static void expect_prolog_agrees(const nlohmann::json& report, const Problem& problem) {
        EXPECT_TRUE(swi_prolog_agrees(parse_program(report["prolog"].get<std::string>()), problem));
    }

    ScratchFolder folder_;
    std::string task_ = write_tiny_task(folder_);
};

TEST_F(Learn, WritesModelProgramReportAndCurve) {
    const Outcome outcome = hri(quickly(
        {"learn", task_, "--out", file("m.safetensors"), "--program", file("p.pl"), "--json",
         file("r.json"), "--log", file("l.json"), "--seed", "3", "--strategy", "gradient"}));
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "") << "no progress bar where there is no terminal";
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("back(X,Y) <- "), HasSubstr("explains the training data"),
                      HasSubstr("(seed 3, ")));

    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_THAT(report["program"].get<std::string>(), HasSubstr("back(X,Y) <- "));
    EXPECT_THAT(report["prolog"].get<std::string>(), HasSubstr("back(X,Y) :- "));
    EXPECT_EQ(report["fits"], true);
    EXPECT_EQ(report["accuracy"], 100.0);
    EXPECT_GT(report["seconds"].get<double>(), 0);
    EXPECT_EQ(report["seed"], 3);
    EXPECT_EQ(report["stop_reason"], "fits");
    EXPECT_EQ(report["training"]["positives"], 4);
    EXPECT_EQ(report["training"]["negatives"], 12);
    EXPECT_EQ(report["evaluation"], nullptr);
    EXPECT_EQ(report["options"]["layers"], 2);

    const nlohmann::json log = read_json(file("l.json"));
    ASSERT_GT(log["curve"].size(), 100U);
    EXPECT_EQ(log["curve"][0]["iteration"], 0);
    EXPECT_EQ(log["curve"][0]["sharpness"].size(), 3U) << "two layers and the target";

    EXPECT_THAT(read_file(file("p.pl")), HasSubstr("% learned by hri"));
    expect_prolog_agrees(report, read_problem(task_));
    EXPECT_TRUE(swi_prolog_agrees(parse_program(read_file(file("p.pl"))), read_problem(task_)));
    const Outcome rules = hri({"rules", file("m.safetensors")});
    EXPECT_EQ(rules.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr(rules.out)) << "the model has the same rules";
    for (const std::string learned : {"m.safetensors", "p.pl"}) {
        const Outcome judged = hri({"eval", file(learned), task_, "--json", file("e.json")});
        EXPECT_EQ(judged.code, 0) << judged.err;
        EXPECT_EQ(read_json(file("e.json"))["symbolic_fixpoint"]["accuracy"], 100.0);
    }
}

TEST_F(Learn, GivesTheSameModelForAnyNumberOfThreads) {
    std::vector<std::string> models;
    for (const std::string threads : {"1", "3"}) {
        const Outcome outcome =
            hri(quickly({"learn", task_, "--out", file("m"), "--threads", threads, "--restarts",
                         "4", "--seed", "11", "--strategy", "gradient"}));
        ASSERT_LE(outcome.code, 1) << outcome.err;
        models.push_back(read_file(file("m")));
    }
    EXPECT_EQ(models[0], models[1]);
}

TEST_F(Learn, SaysNoWhereNothingFits) {
    write_file(folder_ / "tiny" / "exs.pl",
               "pos(back(a,b)).\nneg(back(b,c)).\nneg(back(c,d)).\nneg(back(d,a)).\n");
    const Outcome outcome = hri(quickly(
        {"learn", task_, "--strategy", "gradient", "--restarts", "2", "--json", file("r.json")}));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("does not explain the training data"));
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_EQ(report["fits"], false);
    EXPECT_EQ(report["restarts"], 2);
    expect_prolog_agrees(report, read_problem(task_));
    EXPECT_LT(report["accuracy"].get<double>(), 100);
}

TEST_F(Learn, TakesOptionsFromTaskThenFileThenFlags) {
    write_file(folder_ / "c.toml", "layers = 3\niterations = 20\ntrain_steps = 3\n");
    hri({"learn", "predecessor", "--config", file("c.toml"), "--train_steps=5", "--restarts", "1",
         "--strategy", "gradient", "--json", file("r.json")});
    const nlohmann::json options = read_json(file("r.json"))["options"];
    EXPECT_EQ(options["eval_steps"], 4) << "the task's";
    EXPECT_EQ(options["layers"], 3) << "the file's";
    EXPECT_EQ(options["iterations"], 20) << "the file's";
    EXPECT_EQ(options["train_steps"], 5) << "the flag's";
    EXPECT_EQ(options["temperature"], 0.1) << "the default";
}

TEST_F(Learn, StopsOnASignalWithWhatItHas) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Process process({"learn", "less-than", "--strategy", "gradient", "--time-limit", "0",
                         "--iterations", "100000000", "--restarts", "1", "--out",
                         file("m.safetensors"), "--json", file("r.json"), "--program",
                         file("p.pl")});
        ASSERT_TRUE(process.handles_signals());
        process.signal(signal);
        const Outcome outcome = process.wait();  // of itself it would take days
        EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << outcome.code << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
        EXPECT_EQ(read_json(file("r.json"))["stop_reason"], "interrupted");
        EXPECT_EQ(hri({"rules", file("m.safetensors")}).code, 0);
        EXPECT_EQ(hri({"rules", file("p.pl")}).code, 0);
    }
}

TEST_F(Learn, RunsSearchAndTrainingSideBySideUnlessTold) {
    const Outcome outcome = hri({"learn", "fizz", "--json", file("r.json"), "--out", file("m"),
                                 "--time-limit", "0", "--max-work", "4000000"});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("100.00 %"), HasSubstr(" bits; "), HasSubstr("programs tried")));
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_EQ(report["strategy"], "portfolio");
    EXPECT_GE(report["fitting"].get<int>(), 1);
    EXPECT_GE(report["different"].get<int>(), 1);
    EXPECT_EQ(report["alternatives"][0]["program"], report["program"]);
    EXPECT_LT(report["bits"].get<double>(), 100);
    expect_prolog_agrees(report, make_problem(find_task("fizz")));
    const Outcome judged = hri({"eval", file("m"), "fizz", "--json", file("e.json")});
    EXPECT_EQ(judged.code, 0) << judged.err;
    EXPECT_EQ(read_json(file("e.json"))["symbolic_fixpoint"]["accuracy"], 100.0);
}

TEST_F(Learn, GivesUpAtTheTimeLimitWhereNothingFits) {
    write_file(folder_ / "tiny" / "exs.pl",
               "pos(back(a,b)).\nneg(back(b,c)).\nneg(back(c,d)).\nneg(back(d,a)).\n");
    const Outcome outcome = hri({"learn", task_, "--time-limit", "0.5", "--constants-in-rules",
                                 "never", "--json", file("r.json")});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("does not explain the training data"),
                                   HasSubstr("the time limit of")));
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_EQ(report["stop_reason"], "time_limit");
    expect_prolog_agrees(report, read_problem(task_));
}

TEST_F(Learn, AsksForTheLabelsThatWouldDecide) {
    // the inverse of next, or everything but next: unlisted atoms are unlabelled
    const Outcome outcome = hri({"ask", task_, "--count", "3", "--json", file("q.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_LE(read_json(file("q.json"))["questions"].size(), 3U);
}

TEST_F(Learn, StopsAtItsTimeLimit) {
    const Outcome outcome =
        hri({"learn", "less-than", "--strategy", "gradient", "--iterations", "100000000",
             "--restarts", "3", "--time-limit", "0.3", "--json", file("r.json")});
    EXPECT_LE(outcome.code, 1) << outcome.err;
    const nlohmann::json report = read_json(file("r.json"));
    EXPECT_LT(report["iterations"].get<int>(), 100'000'000);
    if (!report["fits"].get<bool>()) {
        EXPECT_EQ(report["stop_reason"], "time_limit");
    }
}

TEST_F(Learn, NamesWrongExamplesAndWhatMightHelpWhereNothingFits) {
    const std::filesystem::path folder = folder_ / "odd";
    std::filesystem::create_directory(folder);
    write_file(folder / "bk.pl", "edge(a,b). edge(c,d).\n");
    write_file(folder / "exs.pl", "pos(good(a)). neg(good(c)). neg(good(b)).\n");
    const Outcome outcome = hri({"learn", folder.string(), "--time-limit", "0", "--max-work",
                                 "100000", "--constants-in-rules", "never"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("does not explain"), HasSubstr("wrong: good("),
                                   HasSubstr("should be "), HasSubstr("hint: ")));
}

TEST_F(Learn, LearnsTheTargetsOfAFolderInTurn) {
    const std::filesystem::path folder = folder_ / "two";
    std::filesystem::create_directory(folder);
    write_file(folder / "bk.pl", "edge(a,b). edge(b,c). edge(c,d).\n");
    write_file(folder / "exs.pl",
               "pos(back(b,a)). neg(back(a,b)). neg(back(a,c)). neg(back(a,a)).\n"
               "pos(start(a)). pos(start(b)). neg(start(d)).\n");
    const std::string data = folder.string();
    const Outcome outcome = hri({"learn", data, "--program", file("p.pl"), "--json", file("r.json"),
                                 "--time-limit", "0", "--max-work", "100000"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("back/2:\n"), HasSubstr("start/1:\n"),
                                   HasSubstr("back(X,Y) <- "), HasSubstr("start(X) <- ")));
    const nlohmann::json reports = read_json(file("r.json"))["targets"];
    ASSERT_EQ(reports.size(), 2U);
    expect_prolog_agrees(reports[0], read_problem(data, {.target = "back"}));
    expect_prolog_agrees(reports[1], read_problem(data, {.target = "start"}));
    for (const std::string target : {"back", "start"}) {
        const Outcome judged =
            hri({"eval", file("p.pl"), data, "--target", target, "--json", file("e.json")});
        EXPECT_EQ(judged.code, 0) << judged.err;
        EXPECT_EQ(judged.err, "");
        EXPECT_EQ(read_json(file("e.json"))["symbolic_fixpoint"]["accuracy"], 100.0);
    }
    const Outcome both = hri({"eval", file("p.pl"), data, "--json", file("e.json")});
    EXPECT_EQ(both.code, 0) << both.err;
    EXPECT_THAT(both.out, AllOf(HasSubstr("back/2:\n"), HasSubstr("start/1:\n")));
    EXPECT_EQ(read_json(file("e.json"))["targets"][1]["accuracy"], 100.0);
    const Outcome why = hri({"explain", file("p.pl"), data, "start(a)"});
    EXPECT_EQ(why.code, 0) << why.err;
    EXPECT_THAT(hri({"inspect", data}).out,
                AllOf(HasSubstr("target   back/2\n"), HasSubstr("target   start/1\n")));
    EXPECT_THAT(hri({"export", file("p.pl"), "--to", "sql"}).out,
                AllOf(HasSubstr("VIEW \"back\""), HasSubstr("VIEW \"start\"")));
    const Outcome model = hri({"learn", data, "--out", file("m.safetensors")});
    EXPECT_EQ(model.code, 2) << "a model is of one target";
    EXPECT_THAT(model.err, HasSubstr("--target with one of back/2, start/1"));
}

TEST_F(Learn, WarnsOnceWhateverTheNumberOfTargets) {
    const std::filesystem::path folder = folder_ / "two";
    std::filesystem::create_directory(folder);
    write_file(folder / "bk.pl", "edge(a,b).\n");
    write_file(folder / "exs.pl", "pos(back(b,a)). pos(start(a)).\n");
    write_file(folder / "bias.pl", "head_pred(back,2). head_pred(start,1). max_vars(3).\n");
    const Outcome outcome =
        hri({"learn", folder.string(), "--time-limit", "0", "--max-work", "10000"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("max_vars"), outcome.err.rfind("max_vars"));
}

TEST_F(Learn, RefusesDataWithoutExamples) {
    write_file(folder_ / "tiny" / "exs.pl", "");
    write_file(folder_ / "tiny" / "bias.pl", "head_pred(back,2).\n");
    const Outcome outcome = hri({"learn", task_});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("there are no examples of back/2 to learn from"));
}

TEST_F(Learn, GivesAReasonEvenWhereThereAreNoNegativeExamples) {
    write_file(folder_ / "tiny" / "exs.pl", "pos(back(b,a)).\n");
    const Outcome outcome = hri({"learn", task_, "--time-limit", "0", "--max-work", "50000"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("back(X,Y) <- edge(Y,X)\n"),
                                   HasSubstr("1 positive example, 0 negative ones"),
                                   HasSubstr("hint: there are no negative examples")));
}

TEST_F(Learn, NamesTheCheckpointThatItCannotGoOnFrom) {
    write_file(folder_ / "run.json", "[1]");
    const Outcome outcome = hri({"learn", task_, "--checkpoint", file("run.json"), "--resume"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("run.json: this file exists, and hri did not write it"));
}

}  // namespace
}  // namespace hri::test
