// SPDX-License-Identifier: Apache-2.0

// Every mistake of the user gives exit code 2, one line on standard error and nothing on standard
// output.

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string mistake(std::vector<std::string> arguments) {
    const Outcome outcome = hri(std::move(arguments));
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("hri: "));
    return outcome.err;
}

TEST(Mistakes, InCommandsAndFlagsAreAnsweredWithTheNearest) {
    EXPECT_THAT(mistake({"lern", "son"}), HasSubstr("did you mean learn?"));
    EXPECT_THAT(mistake({"learn", "son", "--trian-steps", "3"}),
                HasSubstr("did you mean --train-steps?"));
    EXPECT_THAT(mistake({"tasks", "shwo", "son"}), HasSubstr("did you mean show?"));
    EXPECT_THAT(mistake({"learn", "grandparnet"}),
                HasSubstr("did you mean the task 'grandparent'?"));
    EXPECT_THAT(mistake({"tasks", "show", "sun"}), HasSubstr("'son'"));
    EXPECT_THAT(mistake({"reproduce", "ilp", "--tasks", "son,grandpa"}), HasSubstr("grandparent"));
    EXPECT_THAT(mistake({"reproduce", "ipl"}),
                AllOf(HasSubstr("there is no command 'ipl' of hri reproduce"),
                      HasSubstr("skipping"), HasSubstr("did you mean ilp?")));
    EXPECT_THAT(mistake({"reproduce"}), HasSubstr("hri reproduce --help"));
    EXPECT_THAT(mistake({"help", "lern"}), HasSubstr("did you mean learn?"));
}

TEST(Mistakes, InArgumentsAreTold) {
    EXPECT_THAT(mistake({}), HasSubstr("--help"));
    EXPECT_THAT(mistake({"learn"}), HasSubstr("hri learn --help"));
    EXPECT_THAT(mistake({"reproduce", "ilp", "--seeds", "0"}), HasSubstr("--seeds"));
    EXPECT_THAT(mistake({"learn", "son", "--restarts", "x"}), HasSubstr("--restarts"));
    EXPECT_THAT(mistake({"learn", "son", "--time-limit", "-3"}),
                HasSubstr("--time-limit: expected a number of 0 or more, found -3"));
    EXPECT_THAT(mistake({"learn", "son", "--time-limit", "abc"}),
                HasSubstr("--time-limit: expected a number of 0 or more, found 'abc'"));
    EXPECT_THAT(
        mistake({"learn", "son", "--strategy", "serach"}),
        HasSubstr(
            "--strategy: 'serach' is not one of gradient, search, clauses, portfolio (did you "
            "mean search?)"));
    EXPECT_THAT(mistake({"learn", "son", "--seed", "-1"}),
                HasSubstr("--seed: expected an integer of 0 or more, found '-1'"));
    EXPECT_THAT(mistake({"learn", "son", "--seed"}), HasSubstr("write --seed N"));
    EXPECT_THAT(mistake({"learn", "son", "--seed", "--layers", "3"}),
                HasSubstr("--seed: expected a value"));
    EXPECT_THAT(mistake({"learn", "son", "--folds", "3", "--hold-out", "20"}),
                HasSubstr("use one of --hold-out and --folds"));
    EXPECT_THAT(mistake({"learn", "son", "--log", "curve.json"}), HasSubstr("--strategy gradient"));
    EXPECT_THAT(mistake({"learn", "son", "--layers", "0"}),
                HasSubstr("--layers: expected an integer from 1"));
    EXPECT_THAT(mistake({"learn", "son", "--similarity", "cos"}), HasSubstr("cosine"));
    EXPECT_THAT(mistake({"learn", "son", "--eval_steps", "0"}),
                HasSubstr("--eval-steps: without a step"));
    EXPECT_THAT(mistake({"learn", "son", "--rules", "R9"}), HasSubstr("R0, R0v, R*, MIL"));
    EXPECT_THAT(mistake({"learn", "son", "--constants", "1"}), HasSubstr("constants"));
    EXPECT_THAT(mistake({"eval", "x", "son", "--steps", "0"}), HasSubstr("--steps"));
    EXPECT_THAT(mistake({"rules", "x", "--to", "latin"}), HasSubstr("--to"));
}

TEST(Mistakes, InFilesAreToldWithTheirPlace) {
    const ScratchFolder folder;
    const std::string task = write_tiny_task(folder);
    write_file(folder / "a.toml", "layers = 3\nlayrs = 4\n");
    EXPECT_THAT(mistake({"learn", task, "--config", (folder / "a.toml").string()}),
                HasSubstr("a.toml:2:1: there is no option 'layrs' (did you mean layers?)"));
    write_file(folder / "a.rules", "A: H(X) <- P(X,Y,Z)\n");
    EXPECT_THAT(mistake({"learn", task, "--rules", (folder / "a.rules").string()}),
                HasSubstr("a.rules:1:12:"));
    write_file(folder / "tiny" / "bk.pl", "edge(a,b).\nedge(a,.\n");
    EXPECT_THAT(mistake({"learn", task}), HasSubstr("bk.pl:2:8:"));
}

TEST(Mistakes, MissingFilesAreNamed) {
    const ScratchFolder folder;
    EXPECT_THAT(mistake({"learn", (folder / "none").string()}), HasSubstr("none"));
    EXPECT_THAT(mistake({"learn", folder.path().string()}), HasSubstr(folder.path().string()));
    EXPECT_THAT(mistake({"learn", "son", "--config", "none.toml"}), HasSubstr("none.toml"));
    EXPECT_THAT(mistake({"rules", "none.safetensors"}), HasSubstr("none.safetensors"));
    EXPECT_THAT(mistake({"eval", "none.pl", "son"}), HasSubstr("none.pl"));
    write_file(folder / "file", "x");
    EXPECT_THAT(mistake({"learn", (folder / "file").string()}),
                HasSubstr("does not tell how to read"));
}

TEST(Mistakes, OutputsThatCannotBeWrittenAreToldBeforeTraining) {
    const ScratchFolder folder;
    write_file(folder / "file", "x");
    // a regular file is no folder, and nobody makes files in /proc, not even root
    const std::string task = write_tiny_task(folder);
    for (const std::string flag : {"--out", "--program", "--json", "--log"}) {
        for (const std::string& path :
             {(folder / "file" / "below").string(), (folder / "none" / "below").string(),
              folder.path().string(), std::string("/proc/hri-output")}) {
            const std::string said = mistake({"learn", "--strategy", "gradient", task,
                                              "--iterations", "1000000000", flag, path});
            EXPECT_THAT(said, AllOf(HasSubstr(path), HasSubstr("cannot write")));
        }
    }
    EXPECT_THAT(mistake({"reproduce", "ilp", "--json", "/proc/hri.json"}), HasSubstr("/proc"));
    EXPECT_THAT(mistake({"tasks", "generate", "son", "--out", (folder / "file" / "x").string()}),
                HasSubstr("file"));
}

TEST(Mistakes, DamagedModelsAndProgramsAreRefused) {
    const ScratchFolder folder;
    const std::string task = write_tiny_task(folder);
    const std::string model = (folder / "m.safetensors").string();
    ASSERT_EQ(hri(quickly({"learn", task, "--out", model})).err, "");
    const std::string bytes = read_file(model);
    write_file(model, std::string_view(bytes).substr(0, bytes.size() / 2));
    EXPECT_THAT(mistake({"rules", model}), HasSubstr("m.safetensors: "));
    EXPECT_THAT(mistake({"eval", model, task}), HasSubstr("damaged"));
    write_file(folder / "p.pl", "back(X,Y) :- edge(Y,X)\n");
    EXPECT_THAT(mistake({"eval", (folder / "p.pl").string(), task}), HasSubstr("p.pl:"));
    write_file(folder / "p.pl", "back(X) :- edge(X,Y).\n");
    EXPECT_THAT(mistake({"eval", (folder / "p.pl").string(), task}), HasSubstr("back/1"));
    EXPECT_THAT(mistake({"rules", (folder / "p.pl").string(), "--weights"}),
                HasSubstr("--weights is for models"));
}

}  // namespace
}  // namespace hri::test
