// SPDX-License-Identifier: Apache-2.0

#include "hri/model.hpp"

#include "cli/run_hri.hpp"
#include "support/swi_prolog.hpp"
#include "train/planted.hpp"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Multitask : public testing::Test {
  protected:
    Multitask() { write_scenes(folder_ / "data", set_.scenes); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    std::vector<std::string> arguments(const std::string& out, int rounds,
                                       const std::vector<std::string>& more = {}) const {
        std::vector<std::string> all = {"multitask", file("data"),           "--out",     file(out),
                                        "--rounds",  std::to_string(rounds), "--threads", "1"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    std::string checkpoint(const std::string& out) const {
        return read_file(folder_ / out / "checkpoint.safetensors");
    }

    bool appears(const std::string& name) const {
        return holds_soon([&] { return std::filesystem::exists(folder_ / name); });
    }

    PlantedSet set_ = planted_set(5, 6, 3, 60, 7, 1);
    ScratchFolder folder_;
};

TEST_F(Multitask, WritesModelsProgramsEmbeddingsAndAReport) {
    const Outcome outcome = hri(arguments("run", 4));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("target4(X)"), HasSubstr("synthetic"),
                                   HasSubstr("target-instances per second")));
    const Model model = load_model(folder_ / "run/models/target3.safetensors");
    EXPECT_EQ(model.target.name, "target3");
    EXPECT_TRUE(model.options.mask_absent);
    EXPECT_THAT(read_file(folder_ / "run/programs/target3.pl"), HasSubstr("target3("));
    EXPECT_EQ(hri({"rules", file("run/models/target0.safetensors")}).code, 0);
    const nlohmann::json report = read_json(folder_ / "run/report.json");
    EXPECT_EQ(report["targets"].size(), 5U);
    EXPECT_EQ(report["rounds"], 4);
    EXPECT_EQ(report["instances"], 4 * 5 * 10);
    EXPECT_EQ(report["synthetic"], true);
    EXPECT_EQ(report["closest_before"].size(), 10U);
    EXPECT_EQ(report["closest_after"].size(), 10U);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "run/shared.safetensors"));
}

TEST_F(Multitask, PolishesProgramsAndKeepsThoseOfTrainingApart) {
    const Outcome outcome = hri(arguments("run", 4));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string rule = "target1(X) <- relation1(X,Y) & name1(Y)\n";
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(rule), HasSubstr("polishing changed "),
                                   HasSubstr("; those of training alone are in ")));
    EXPECT_THAT(read_file(folder_ / "run/programs/target1.pl"),
                HasSubstr("target1(X) :- relation1(X,Y), name1(Y).\n"));
    const nlohmann::json report = read_json(folder_ / "run/report.json");
    EXPECT_EQ(report["polished"], true);
    const nlohmann::json& target = report["targets"][1];
    EXPECT_EQ(target["program"], rule);
    EXPECT_LE(target["bits"], target["bits_trained"]);
    EXPECT_EQ(target["rules"][0]["rule"].get<std::string>() + "\n", rule);
    EXPECT_GT(target["rules"][0]["confidence"], target["otherwise"]);
    EXPECT_THAT(read_file(folder_ / "run/rules/target1.pl"),
                AllOf(HasSubstr("% confidence 0."),
                      HasSubstr("target1(X) :- relation1(X,Y), name1(Y).\n")));

    const Outcome plain = hri(arguments("plain", 4, {"--no-polish"}));
    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_THAT(plain.out, Not(HasSubstr("polish")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "plain/trained"));
    const nlohmann::json unpolished = read_json(folder_ / "plain/report.json");
    EXPECT_EQ(unpolished["polished"], false);
    for (std::size_t t = 0; t < 5; ++t) {
        EXPECT_EQ(unpolished["targets"][t]["program"], report["targets"][t]["trained"]);
        EXPECT_FALSE(unpolished["targets"][t].contains("bits"));
        const std::string file = "target" + std::to_string(t) + ".pl";
        EXPECT_EQ(read_file(folder_ / "plain/programs" / file),
                  read_file(folder_ / "run/trained" / file));
        for (const std::string kind : {"run/trained", "run/programs"}) {
            EXPECT_TRUE(swi_prolog_agrees(parse_program(read_file(folder_ / kind / file)),
                                          scene_instance(set_.scenes, 0, set_.targets[t])));
        }
    }
}

TEST_F(Multitask, HelpShowsTheDefaultsOfThisExperiment) {
    const std::string help = hri({"multitask", "--help-all"}).out;
    const auto line_of = [&](const std::string& flag) {
        const std::size_t begin = help.find("  " + flag + " ");
        const std::size_t next = help.find("\n  --", begin);
        return begin == std::string::npos ? "no line" : help.substr(begin, next - begin);
    };
    EXPECT_THAT(line_of("--layers"), HasSubstr("[3]"));
    EXPECT_THAT(line_of("--dimension"), HasSubstr("[30]"));
    EXPECT_THAT(line_of("--recursivity"), HasSubstr("[none]"));
    EXPECT_THAT(line_of("--mask-absent"), HasSubstr("[true]"));
}

TEST_F(Multitask, TakesTargetsAndAPrior) {
    write_file(folder_ / "targets", "# two of them\ntarget2\n target0 \n");
    write_file(folder_ / "table", "target2 1 0 0\nname1 0 1 0\nrelation2 1 1 3\nname0 5 1 1\n");
    const Outcome outcome = hri(
        arguments("run", 2, {"--targets", file("targets"), "--init", "table:" + file("table")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json report = read_json(folder_ / "run/report.json");
    EXPECT_EQ(report["targets"].size(), 2U);
    EXPECT_EQ(report["targets"][0]["target"], "target2");
    EXPECT_EQ(report["init_known"], 4);
}

TEST_F(Multitask, NamesTheMistake) {
    write_file(folder_ / "targets", "target0\nzebra\n");
    const Outcome unknown = hri(arguments("run", 2, {"--targets", file("targets")}));
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("targets:2:1"), HasSubstr("zebra")));
    EXPECT_THAT(hri(arguments("run", 2, {"--init", "glove"})).err,
                HasSubstr("expected random or table:FILE"));
    EXPECT_THAT(hri({"multitask", file("data"), "--resume"}).err, HasSubstr("--out"));
    EXPECT_THAT(hri(arguments("run", 2, {"--dimension", "0"})).err, HasSubstr("dimension"));
    EXPECT_EQ(hri({"multitask", file("nothing")}).code, 2);
}

TEST_F(Multitask, LeavesACheckpointWhenInterruptedAndGoesOnFromIt) {
    ASSERT_EQ(hri(arguments("whole", 1500)).code, 0);
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string out = "part" + std::to_string(signal);
        Process process(arguments(out, 1500, {"--checkpoint-every", "20"}));
        ASSERT_TRUE(appears(out + "/checkpoint.safetensors"));
        process.signal(signal);
        const Outcome part = process.wait();
        EXPECT_EQ(part.code, 1) << part.err;
        EXPECT_THAT(part.out, HasSubstr("--resume goes on"));
        const nlohmann::json report = read_json(folder_ / out / "report.json");
        EXPECT_LT(report["rounds"], 1500);
        EXPECT_EQ(report["polished"], false);
        ASSERT_EQ(hri(arguments(out, 1500, {"--resume"})).code, 0);
        EXPECT_EQ(checkpoint(out), checkpoint("whole"));
    }
}

/// The same images, with another name for one predicate.
SceneSet renamed(const SceneSet& scenes, const std::string& from, const std::string& to) {
    std::vector<PredicateSymbol> predicates = scenes.predicates();
    for (PredicateSymbol& predicate : predicates) {
        predicate.name = predicate.name == from ? to : predicate.name;
    }
    std::vector<SceneData> images;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene scene = scenes[i];
        images.push_back({std::string(scene.image),
                          scene.objects,
                          {scene.names.begin(), scene.names.end()},
                          {scene.relations.begin(), scene.relations.end()}});
    }
    return make_scenes(predicates, images, {scenes.targets().begin(), scenes.targets().end()},
                       scenes.origin());
}

/// A predicate that training never saw takes part by its vector in the table that the model started
/// from: learned with name0 (car), applied to images that have trucks in its place.
TEST_F(Multitask, KnowsNewPredicatesByTheirPrior) {
    write_scenes(folder_ / "data", planted_set(1, 4, 2, 100, 6, 1).scenes);
    write_scenes(folder_ / "trucks",
                 renamed(planted_set(1, 4, 2, 100, 6, 2).scenes, "name0", "truck"));
    write_file(folder_ / "table",
               "relation0 9 0 0 1\nrelation1 0 9 0 1\nname0 0 0 5 1\nname1 4 4 0 1\n"
               "name2 -4 4 0 1\nname3 4 -4 0 1\ntruck 0 0 5 1.1\nbird 4.1 4 0 1\n");
    ASSERT_EQ(
        hri(arguments("run", 150, {"--preset", "paper", "--init", "table:" + file("table")})).code,
        0);
    const std::string model = file("run/models/target0.safetensors");
    const auto judged = [&](const std::string& data, std::vector<std::string> more = {}) {
        std::vector<std::string> all = {"eval", model, file(data), "--json", file("score.json")};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = hri(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    };
    const auto recall = [&] { return read_json(folder_ / "score.json")["recall"].get<double>(); };
    judged("data");
    EXPECT_GT(recall(), 0.99);
    EXPECT_THAT(judged("trucks").err, HasSubstr("does not know: truck/1 (--extra"));
    EXPECT_LT(recall(), 0.5);
    const Outcome with = judged("trucks", {"--extra-embeddings", file("table")});
    EXPECT_EQ(with.err, "");
    EXPECT_THAT(with.out, HasSubstr("on 100 images (synthetic"));
    EXPECT_GT(recall(), 0.99);
    EXPECT_GT(read_json(folder_ / "score.json")["precision"], 0.99);
    EXPECT_EQ(read_json(folder_ / "score.json")["synthetic"], true);
}

class Mpi : public Multitask {
  protected:
    void SetUp() override {
        if (std::system("command -v mpirun > /dev/null") != 0) {
            GTEST_SKIP() << "mpirun is not installed";
        }
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                 "OMPI_MCA_rmaps_base_oversubscribe"}) {
            setenv(name, "1", 1);
        }
    }

    static std::vector<std::string> mpirun(int ranks) {
        return {"mpirun", "-n", std::to_string(ranks)};
    }

    /// Without what differs from run to run.
    nlohmann::json record(const std::string& name) const {
        nlohmann::json json = read_json(folder_ / name);
        json.erase("seconds");
        json.erase("command");
        return json;
    }

    static Outcome on_ranks(int ranks, const std::vector<std::string>& arguments) {
        return Process(arguments, mpirun(ranks)).wait();
    }
};

TEST_F(Mpi, GivesTheSameBitsForAnyNumberOfRanks) {
    for (const char* more : {"--train-predicates=true", "--unshared"}) {
        ASSERT_EQ(hri(arguments("one", 30, {more})).code, 0);
        for (const int ranks : {2, 4}) {
            const Outcome outcome = on_ranks(ranks, arguments("many", 30, {more}));
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_EQ(checkpoint("many"), checkpoint("one")) << ranks << more;
            EXPECT_EQ(read_file(folder_ / "many/models/target4.safetensors"),
                      read_file(folder_ / "one/models/target4.safetensors"));
            const nlohmann::json report = read_json(folder_ / "many/report.json");
            EXPECT_EQ(report["ranks"], ranks);
            EXPECT_EQ(report["targets"], read_json(folder_ / "one/report.json")["targets"]);
        }
    }
}

TEST_F(Mpi, ResumesOnAnotherNumberOfRanks) {
    ASSERT_EQ(hri(arguments("whole", 30)).code, 0);
    ASSERT_EQ(on_ranks(2, arguments("part", 30, {"--time-limit", "1e-9"})).code, 0);
    EXPECT_LT(read_json(folder_ / "part/report.json")["rounds"], 30);
    ASSERT_EQ(on_ranks(4, arguments("part", 30, {"--resume"})).code, 0);
    EXPECT_EQ(checkpoint("part"), checkpoint("whole"));
}

TEST_F(Mpi, RefusesSequentialUpdatesOnSeveralRanks) {
    const Outcome outcome = on_ranks(2, arguments("run", 3, {"--update", "sequential"}));
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("one rank only"));
}

TEST_F(Mpi, SplitsRestartsWithoutChangingTheResult) {
    const std::vector<std::string> learn = {
        "learn",        "son", "--strategy", "gradient", "--iterations", "150", "--restarts", "4",
        "--time-limit", "0",   "--seed",     "0",        "--threads",    "1"};
    const auto with = [&](const std::string& name) {
        std::vector<std::string> all = learn;
        all.insert(all.end(), {"--out", file(name + ".safetensors"), "--json", file(name), "--log",
                               file(name + ".log"), "--log-every", "100"});
        return all;
    };
    const Outcome alone = hri(with("one"));
    ASSERT_EQ(record("one")["restarts"], 2) << "the second rank learns what is kept";
    for (const int ranks : {2, 4}) {
        const Outcome together = on_ranks(ranks, with("many"));
        EXPECT_EQ(together.code, alone.code) << together.err;
        EXPECT_EQ(read_file(folder_ / "many.safetensors"), read_file(folder_ / "one.safetensors"));
        EXPECT_EQ(record("many"), record("one")) << ranks;
        EXPECT_EQ(record("many.log"), record("one.log")) << ranks;
        EXPECT_GT(record("many.log")["curve"].back()["accuracy"], 50) << ranks;
    }
    EXPECT_THAT(on_ranks(2, {"learn", "grandparent"}).err, HasSubstr("--strategy gradient"));
}

TEST_F(Mpi, ARankThatDiesEndsTheRunAndLeavesACheckpoint) {
    ASSERT_EQ(hri(arguments("whole", 1500)).code, 0);
    // the second rank ends itself by a signal while it trains
    write_file(folder_ / "rank.sh",
               "#!/bin/sh\n"
               "if [ \"$OMPI_COMM_WORLD_RANK\" = 1 ]; then\n"
               "    \"$@\" & child=$!\n"
               "    while [ ! -f " +
                   file("part/checkpoint.safetensors") +
                   " ]; do sleep 0.05; done\n"
                   "    kill -9 $child; wait $child; exit 9\n"
                   "fi\n"
                   "exec \"$@\"\n");
    std::vector<std::string> launcher = mpirun(2);
    launcher.insert(launcher.end(), {"sh", file("rank.sh")});
    const Outcome part =
        Process(arguments("part", 1500, {"--checkpoint-every", "20"}), launcher).wait();
    EXPECT_NE(part.code, 0);
    EXPECT_THAT(part.err, HasSubstr("another rank has died"));
    const Outcome rest = hri(arguments("part", 1500, {"--resume"}));
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(checkpoint("part"), checkpoint("whole"));
}

}  // namespace
}  // namespace hri::test
