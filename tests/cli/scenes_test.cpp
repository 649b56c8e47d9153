// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Scenes : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    std::string generated(const std::string& name, std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"scenes", "generate", "--images",
                                              "60",     "--out",    file(name)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = hri(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    }

    ScratchFolder folder_;
};

TEST_F(Scenes, AreBuiltAndShown) {
    write_file(
        file("a.json"),
        R"({"7": {"objects": {"a": {"name": "man", "relations": [{"object": "b", "name": "wearing"}]},
                                     "b": {"name": "hat", "relations": []}}}})");
    write_file(file("b.json"), R"({"8": {"objects": {"a": {"name": "tree", "relations": []}}}})");
    const Outcome built = hri({"scenes", "build", file("a.json"), file("b.json"), "--min-count",
                               "1", "--out", file("s.scenes")});
    EXPECT_EQ(built.code, 0) << built.err;
    EXPECT_THAT(built.out, AllOf(HasSubstr("read     2 images, 3 objects, 1 relation"),
                                 HasSubstr("kept     1 image, from a.json b.json"),
                                 HasSubstr("left out 1 image")));
    const Outcome shown = hri({"scenes", "show", file("s.scenes"), "--json", file("s.json")});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("person"), HasSubstr("wearing")));
    const nlohmann::json json = read_json(file("s.json"));
    EXPECT_EQ(json["images"], 1);
    EXPECT_EQ(json["synthetic"], false);
    EXPECT_EQ(json["predicates"].size(), 4U);
    const Outcome image = hri({"scenes", "show", file("s.scenes"), "--image", "7"});
    EXPECT_EQ(image.out, "hat(1).\nperson(0).\nwearing(0,1).\n");
}

TEST_F(Scenes, TellMistakesWithTheirPlace) {
    write_file(file("a.json"), "{\"7\": {\"objects\": 3}}");
    const Outcome damaged = hri({"scenes", "build", file("a.json"), "--out", file("s.scenes")});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_THAT(damaged.err, HasSubstr("a.json:1:7: image 7: expected \"objects\""));
    EXPECT_FALSE(std::filesystem::exists(file("s.scenes")));
    write_file(file("b.json"), "{\"7\": {\"objects\": {}}}");
    const Outcome rare = hri({"scenes", "build", file("b.json"), "--out", file("s.scenes")});
    EXPECT_EQ(rare.code, 2);
    EXPECT_THAT(rare.err, HasSubstr("--min-count"));
    const Outcome other = hri({"scenes", "show", file("a.json")});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("a.json: not a file of scenes"));
}

TEST_F(Scenes, SyntheticOnesAreCalledSoWhereverTheyAreShown) {
    EXPECT_THAT(generated("s.scenes", {"--noise", "0.1"}),
                HasSubstr("60 images (synthetic, noise 0.1), generated, seed 0"));
    EXPECT_THAT(hri({"scenes", "show", file("s.scenes")}).out,
                AllOf(HasSubstr("60 images (synthetic"), HasSubstr("planted rules\nperson(X) :-")));
    const Outcome freq =
        hri({"scenes", "freq", file("s.scenes"), "--folds", "3", "--json", file("f.json")});
    EXPECT_EQ(freq.code, 0) << freq.err;
    EXPECT_THAT(freq.out, HasSubstr("60 images (synthetic"));
    const nlohmann::json json = read_json(file("f.json"));
    EXPECT_EQ(json["synthetic"], true);
    const nlohmann::json& recall_at_1 = json["all_partners"]["per_object"]["at1"];
    EXPECT_EQ(recall_at_1["folds"].size(), 3U);
    EXPECT_LE(recall_at_1["low"], recall_at_1["mean"]);
    EXPECT_GT(recall_at_1["mean"], 0);
}

TEST_F(Scenes, PlantWhatAFileSays) {
    write_file(file("rules.pl"), "kite(X) :- in(X,Y), ocean(Y).\n");
    generated("s.scenes", {"--planted", file("rules.pl"), "--seed", "4"});
    EXPECT_THAT(hri({"scenes", "show", file("s.scenes")}).out,
                HasSubstr("planted rules\nkite(X) :- in(X,Y), ocean(Y).\n"));
    const Outcome few = hri({"scenes", "freq", file("s.scenes"), "--folds", "61"});
    EXPECT_EQ(few.code, 2);
    EXPECT_THAT(few.err, HasSubstr("fewer --folds"));
}

}  // namespace
}  // namespace hri::test
