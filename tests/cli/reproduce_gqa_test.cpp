// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ReproduceGqa, SetsSyntheticScenesBesideThePaper) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    const Outcome outcome =
        hri({"reproduce", "gqa", "--images", "200", "--planted-targets", "--rounds", "3", "--folds",
             "5", "--runs", "2", "--images-per-target", "2", "--json", json_file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(
        outcome.out,
        AllOf(HasSubstr("200 images (synthetic, noise 0)"), HasSubstr("paper: HRI"),
              HasSubstr("HRI, polished"), HasSubstr("rules learned here (synthetic"),
              HasSubstr("planted rules recovered: "), HasSubstr("GPT-2's vectors, ours random")));
    const nlohmann::json json = read_json(json_file);
    EXPECT_EQ(json["table"], "gqa");
    EXPECT_EQ(json["synthetic"], true);
    EXPECT_EQ(json["targets"], 20);
    EXPECT_EQ(json["symbolic"]["planted"], 40);  // 20 targets, 2 folds
    EXPECT_EQ(json["polished"]["programs"].size(), 20U);
    for (const char* row : {"freq", "freq_all_partners", "naive_bayes", "logistic_regression",
                            "rules", "weights", "soft", "calibrated", "blend", "symbolic",
                            "trained_rules", "polished", "polished_rules"}) {
        EXPECT_EQ(json[row]["per_object"]["at1"]["folds"].size(), 2U) << row;
    }
    EXPECT_EQ(json["paper"]["hri"]["at5"], 60);
}

TEST(ReproduceGqa, LeavesTrainingOutOnRequest) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    const Outcome outcome =
        hri({"reproduce", "gqa", "--images", "200", "--no-training", "--ablation", "--folds", "5",
             "--runs", "1", "--failures", "2", "--json", json_file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("rules, one relation"), HasSubstr("weighted rules")));
    const nlohmann::json json = read_json(json_file);
    EXPECT_FALSE(json.contains("soft"));
    EXPECT_EQ(json["failures"].size(), 2U);
    EXPECT_THAT(outcome.out, HasSubstr(" is taken for "));
    EXPECT_EQ(json["weights_two_hops"]["per_object"]["at5"]["folds"].size(), 1U);
}

TEST(ReproduceUnseen, ComparesNamesByTheirStarts) {
    const ScratchFolder folder;
    const std::string json_file = (folder / "t.json").string();
    const Outcome outcome = hri({"reproduce", "unseen", "--images", "150", "--runs", "2", "--names",
                                 "5", "--rounds", "2", "--json", json_file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("random: names unknown"),
                                   HasSubstr("random: names by their start")));
    // without vectors, rules know no unseen names
    EXPECT_EQ(read_json(json_file)["rows"].size(), 7U);
    const Outcome many = hri({"reproduce", "unseen", "--images", "150", "--names", "900"});
    EXPECT_EQ(many.code, 2);
    EXPECT_THAT(many.err, HasSubstr("could be left out of training"));
}

TEST(ReproduceGqa, ReadsGivenScenesAndRefusesWhatItCannotDo) {
    const ScratchFolder folder;
    const std::string scenes = (folder / "s.scenes").string();
    ASSERT_EQ(hri({"scenes", "generate", "--images", "30", "--out", scenes}).code, 0);
    const Outcome few = hri({"reproduce", "gqa", "--data", scenes, "--folds", "31"});
    EXPECT_EQ(few.code, 2);
    EXPECT_THAT(few.err, HasSubstr("fewer images than folds"));
    const Outcome last = hri({"reproduce", "gqa", "--data", scenes, "--first-fold", "11"});
    EXPECT_EQ(last.code, 2);
    EXPECT_THAT(last.err, HasSubstr("--first-fold: there are 10 folds"));
    const Outcome prior = hri({"reproduce", "gqa", "--data", scenes, "--init", "glove"});
    EXPECT_EQ(prior.code, 2);
    EXPECT_THAT(prior.err, HasSubstr("expected random or table:FILE, found 'glove'"));
    EXPECT_EQ(prior.out, "");
    write_file(
        folder / "a.json",
        R"({"7": {"objects": {"a": {"name": "man", "relations": [{"object": "b", "name": "on"}]},
                                     "b": {"name": "hat", "relations": []}}},
                   "8": {"objects": {"a": {"name": "man", "relations": [{"object": "a", "name": "on"}]}}}})");
    const std::string real = (folder / "r.scenes").string();
    ASSERT_EQ(
        hri({"scenes", "build", (folder / "a.json").string(), "--min-count", "1", "--out", real})
            .code,
        0);
    const Outcome unplanted =
        hri({"reproduce", "gqa", "--data", real, "--folds", "2", "--planted-targets"});
    EXPECT_EQ(unplanted.code, 2);
    EXPECT_THAT(unplanted.err, HasSubstr("no planted rules"));
}

TEST(ReproduceGqa, ReadsAFolderOfSceneGraphs) {
    const ScratchFolder folder;
    std::string images;
    for (int i = 0; i < 6; ++i) {
        images +=
            (i == 0 ? "" : ",") + std::string("\"") + std::to_string(i) +
            R"(": {"objects": {"a": {"name": "man", "relations": [{"object": "b", "name": "on"}]},
                                     "b": {"name": "hat", "relations": []}}})";
    }
    write_file(folder / "train_sceneGraphs.json", "{" + images + "}");
    std::filesystem::create_directory(folder / "lists");
    write_file(folder / "lists/obj_freq.txt", "man 2000\nhat 3000\n");
    write_file(folder / "lists/rel_freq.txt", "on 2000\n");
    const Outcome outcome = hri({"reproduce", "gqa", "--data", folder.path().string(), "--lists",
                                 (folder / "lists").string(), "--folds", "2", "--rounds", "2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("6 images, from train_sceneGraphs.json"));
    const Outcome empty = hri({"reproduce", "gqa", "--data", (folder / "lists").string()});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("no scene graphs in this folder"));
}

/// The images to judge by have a name and a relation that training lacks, and one has no relations.
TEST(ReproduceGqa, JudgesByOtherImagesOfVrd) {
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "test");
    const auto relation = [](int predicate, int subject, int object) {
        return fmt::format(
            R"({{"predicate": {}, "subject": {{"category": {}, "bbox": [0, 1, 0, 1]}},
                               "object": {{"category": {}, "bbox": [1, 2, 0, 1]}}}})",
            predicate, subject, object);
    };
    std::string images;
    for (int i = 0; i < 12; ++i)
        images += fmt::format(R"({}"{}.jpg": [{}])", i == 0 ? "" : ", ", i,
                              i % 2 == 0 ? relation(0, 0, 1) : relation(1, 1, 2));
    write_file(folder / "train.json", "{" + images + "}");
    write_file(folder / "objects.json", R"(["hat", "person", "dog", "dragon"])");
    write_file(folder / "predicates.json", R"(["on", "walk", "eat"])");
    write_file(folder / "test/test.json", R"({"a.jpg": [)" + relation(0, 0, 1) + ", " +
                                              relation(2, 3, 1) + R"(], "b.jpg": [], "c.jpg": [)" +
                                              relation(2, 3, 0) + "]}");
    std::filesystem::create_directories(folder / "compact");
    const std::string train = (folder / "compact/train.scenes").string();
    ASSERT_EQ(hri({"scenes", "build", (folder / "train.json").string(), "--min-count", "1", "--out",
                   train})
                  .code,
              0);
    std::vector<std::string> command = {
        "reproduce",    "gqa", "--data", train, "--test", (folder / "test/test.json").string(),
        "--no-training"};
    const Outcome no_lists = hri(command);
    EXPECT_EQ(no_lists.code, 2);
    EXPECT_THAT(no_lists.err, HasSubstr("there is no list of the names"));
    command.insert(command.end(), {"--objects", (folder / "objects.json").string(), "--predicates",
                                   (folder / "predicates.json").string()});
    const Outcome judged = hri(command);
    EXPECT_EQ(judged.code, 0) << judged.err;
    EXPECT_THAT(judged.out, HasSubstr("learned from 12, judged by 1 of "));
    const Outcome lists_beside_the_data =
        hri({"reproduce", "gqa", "--data", (folder / "train.json").string(), "--test",
             (folder / "test/test.json").string(), "--no-training"});
    EXPECT_EQ(lists_beside_the_data.code, 0) << lists_beside_the_data.err;
    EXPECT_THAT(lists_beside_the_data.out, HasSubstr("learned from 12, judged by 1 of "));
    const Outcome known = hri({"reproduce", "gqa", "--data", train, "--test",
                               (folder / "train.json").string(), "--no-training"});
    EXPECT_EQ(known.code, 2);
    EXPECT_THAT(known.err, HasSubstr("12 of these are among the images to learn from, such as 11"));
}

}  // namespace
}  // namespace hri::test
