// SPDX-License-Identifier: Apache-2.0

#include "data/scenes/read_scenes.hpp"

#include "hri/scenes.hpp"

#include "data/scratch_folder.hpp"
#include "support/mutations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace hri {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kGqa = R"({
"7": {"width": 500, "objects": {
  "a": {"name": "man", "relations": [{"object": "b", "name": "wearing"},
                                     {"object": "c", "name": "to the left of"},
                                     {"object": "c", "name": "next to"}, {"object": "c", "name": "near"}],
        "attributes": ["tall"]},
  "b": {"name": "Jeans", "relations": []},
  "c": {"name": "traffic light", "relations": [{"object": "d", "name": "on"}]},
  "d": {"name": "sky \"\u0041\\", "relations": [{"object": "zz", "name": "on"}]},
  "e": {"name": "man", "relations": []}}},
"8": {"objects": {"1": {"name": "tree", "relations": []}}}
})";

constexpr const char* kVisualGenome = R"([
 {"image_id": 1, "objects": [{"object_id": 5, "names": ["man", "person"], "merged_object_ids": [6]},
                             {"object_id": 7, "names": ["sidewalk"]}],
  "relationships": [{"predicate": "ON ", "subject_id": 6, "object_id": 7}]},
 {"image_id": 2,
  "relationships": [{"predicate": "wears", "subject": {"object_id": 1, "name": "lady"},
                     "object": {"object_id": 2, "names": ["shoes"]}}]}
])";

constexpr const char* kClevr = R"({"info": {"split": "train"}, "scenes": [
 {"image_filename": "c0.png", "objects": [
   {"color": "red", "shape": "cube", "size": "large", "material": "metal"},
   {"color": "blue", "shape": "cube", "size": "small", "material": "metal"}],
  "relationships": {"front": [[1], []], "left": [[], [0]]}}], "more": [1, {}]})";

constexpr const char* kVrd = R"({"v.jpg": [
 {"predicate": 0, "subject": {"category": 1, "bbox": [0, 50, 10, 30]},
  "object": {"category": 0, "bbox": [40, 60, 10, 30]}},
 {"predicate": 1, "subject": {"category": 1, "bbox": [0, 50, 10, 30]},
  "object": {"category": 1, "bbox": [0, 50, 40, 60]}}], "empty.jpg": []})";

struct Read {
    SceneSet scenes;
    SceneReport report;
};

Read read(const std::string& text, SceneOptions options) {
    scenes::Gatherer gatherer(options);
    std::istringstream in(text);
    scenes::read_scenes_from(in, "s.json", gatherer);
    SceneSet scenes = gatherer.finish("s.json");
    return {std::move(scenes), gatherer.report};
}

SceneOptions all(std::int64_t least = 1) {
    SceneOptions options = paper_merges();
    options.min_count = least;
    return options;
}

/// The facts of an image, as text.
std::vector<std::string> facts(const SceneSet& scenes, std::size_t i) {
    std::vector<std::string> out;
    for (const SceneLabel& name : scenes[i].names) {
        out.push_back(scenes.predicates()[name.predicate].name + "(" + std::to_string(name.object) +
                      ")");
    }
    for (const SceneRelation& relation : scenes[i].relations) {
        out.push_back(scenes.predicates()[relation.predicate].name + "(" +
                      std::to_string(relation.subject) + "," + std::to_string(relation.object) +
                      ")");
    }
    return out;
}

std::string mistake(const std::string& text, SceneOptions options = all()) {
    try {
        read(text, std::move(options));
        return "none";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(ReadScenes, MergesNamesDropsLeftAndRightAndLeavesOutWhatNothingTouches) {
    const Read gqa = read(kGqa, all());
    ASSERT_EQ(gqa.scenes.size(), 1U);
    EXPECT_EQ(gqa.scenes[0].image, "7");
    EXPECT_THAT(facts(gqa.scenes, 0), testing::UnorderedElementsAre(
                                          "person(0)", "pants(1)", "street_light(2)",
                                          "sky_\"a\\(3)", "wearing(0,1)", "near(0,2)", "on(2,3)"));
    EXPECT_EQ(gqa.report.images, 2);
    EXPECT_EQ(gqa.report.objects, 6);
    EXPECT_EQ(gqa.report.relations, 5);
    EXPECT_EQ(gqa.report.dropped, 1);
    EXPECT_EQ(gqa.report.unknown, 1);
    EXPECT_EQ(gqa.report.empty, 1);
    EXPECT_THAT(gqa.report.warnings, ElementsAre(HasSubstr("1 relations of objects")));
}

TEST(ReadScenes, KeepsARelationOnlyIfItAndBothNamesAreFrequent) {
    SceneOptions options = all(2);
    options.name_counts = {{"man", 1}, {"boy", 1}, {"jeans", 5}, {"tree", 9}, {"sky", 1}};
    options.relation_counts = {{"wearing", 2}, {"next to", 9}, {"on", 1}};
    const Read gqa = read(kGqa, options);
    EXPECT_THAT(facts(gqa.scenes, 0), ElementsAre("pants(1)", "person(0)", "wearing(0,1)"));
    std::vector<std::string> names;
    for (const PredicateSymbol& symbol : gqa.scenes.predicates()) {
        names.push_back(symbol.name);
    }
    EXPECT_THAT(names, ElementsAre("tree", "pants", "person", "near", "wearing"));
}

TEST(ReadScenes, AsksOfFewImagesForFewerOccurrencesThanOfGqa) {
    EXPECT_EQ(scenes::min_count_of({}, {}, 85'638), 1500);
    EXPECT_EQ(scenes::min_count_of({}, {}, 1'000'000), 1500);
    EXPECT_EQ(scenes::min_count_of({}, {}, 3'780), 66);
    EXPECT_EQ(scenes::min_count_of({}, {}, 1), 1);
    EXPECT_EQ(scenes::min_count_of({}, {{"man", 1}}, 3'780), 1500);  // lists count all of GQA
    EXPECT_EQ(scenes::min_count_of(all(50), {}, 3'780), 50);
    EXPECT_EQ(read(kGqa, paper_merges()).scenes.size(), 1U);
}

TEST(ReadScenes, CountsInTheDataWhereNoFrequenciesAreGiven) {
    SceneOptions options = all(2);  // person and near occur twice, after merging
    options.isolated = true;
    EXPECT_THAT(facts(read(kGqa, options).scenes, 0), ElementsAre("person(0)", "person(1)"));
}

TEST(ReadScenes, TakesTheWantedTargetsAndTellsWhichAreMissing) {
    SceneOptions options = all();
    options.targets = {"street_light", "cars", "woman"};
    const Read gqa = read(kGqa, options);
    std::vector<std::string> names;
    for (const std::uint32_t target : gqa.scenes.targets()) {
        names.push_back(gqa.scenes.predicates()[target].name);
    }
    EXPECT_THAT(names, ElementsAre("street_light", "person"));
    EXPECT_THAT(gqa.report.warnings, testing::Contains(HasSubstr("'cars'")));
}

TEST(ReadScenes, LeavesOutImagesOfTooManyObjects) {
    SceneOptions options = all();
    options.max_objects = 3;
    EXPECT_THAT(mistake(kGqa, options), HasSubstr("nothing is left of 2 images"));
    options.max_objects = 4;
    EXPECT_EQ(read(kGqa, options).scenes.size(), 1U);
}

TEST(ReadScenes, ReadsVisualGenomesSceneGraphsAndRelationships) {
    const Read genome = read(kVisualGenome, all());
    ASSERT_EQ(genome.scenes.size(), 2U);
    EXPECT_THAT(facts(genome.scenes, 0),
                testing::UnorderedElementsAre("person(0)", "sidewalk(1)", "on(0,1)"));
    EXPECT_THAT(facts(genome.scenes, 1),
                testing::UnorderedElementsAre("person(0)", "shoe(1)", "wears(0,1)"));
}

TEST(ReadScenes, ReadsClevr) {
    const Read clevr = read(kClevr, all());
    ASSERT_EQ(clevr.scenes.size(), 1U);
    EXPECT_EQ(clevr.scenes[0].image, "c0.png");
    EXPECT_THAT(facts(clevr.scenes, 0),
                testing::UnorderedElementsAre("red(0)", "cube(0)", "large(0)", "metal(0)",
                                              "blue(1)", "cube(1)", "small(1)", "metal(1)",
                                              "front(1,0)", "left(0,1)"));
}

/// With VRD's lists of names in the folder.
SceneOptions vrd_options(const test::ScratchFolder& folder) {
    write_file(folder.path() / "objects.json", R"(["street", "person"])");
    write_file(folder.path() / "predicates.json", R"(["on", "next to"])");
    SceneOptions options = all();
    options.object_names = folder.path() / "objects.json";
    options.predicate_names = folder.path() / "predicates.json";
    return options;
}

TEST(ReadScenes, ReadsVrdAndMergesObjectsOfOneCategoryAndBox) {
    const test::ScratchFolder folder;
    const Read vrd = read(kVrd, vrd_options(folder));
    ASSERT_EQ(vrd.scenes.size(), 1U);
    EXPECT_EQ(vrd.scenes[0].image, "v.jpg");
    EXPECT_EQ(vrd.report.objects, 3);
    EXPECT_EQ(vrd.report.empty, 1);
    EXPECT_THAT(facts(vrd.scenes, 0),
                testing::UnorderedElementsAre("person(0)", "street(1)", "person(2)", "on(0,1)",
                                              "near(0,2)"));
}

TEST(ReadScenes, ReadsAFolderOfVrdByTheListsBesideTheAnnotations) {
    const test::ScratchFolder folder;
    vrd_options(folder);
    write_file(folder.path() / "annotations.json", kVrd);
    EXPECT_EQ(read_scenes({folder.path()}, all())[0].objects, 3);
}

TEST(ReadScenes, AddsWhatBoxesTellOnRequest) {
    const test::ScratchFolder folder;
    SceneOptions options = vrd_options(folder);
    options.box_relations = true;
    EXPECT_THAT(facts(read(kVrd, options).scenes, 0),
                testing::UnorderedElementsAre("person(0)", "street(1)", "person(2)", "on(0,1)",
                                              "near(0,2)", "box_left_of(0,2)", "box_left_of(1,2)",
                                              "box_larger_than(0,1)", "box_larger_than(2,1)"));
}

TEST(ReadScenes, TellsWhatVrdLacks) {
    const test::ScratchFolder folder;
    const SceneOptions options = vrd_options(folder);
    EXPECT_THAT(mistake(R"({"v.jpg": [{"predicate": 2}]})", options),
                HasSubstr("image v.jpg: expected a predicate below 2, found 2"));
    EXPECT_THAT(mistake(R"({"v.jpg": [{"predicate": 0, "subject": {"category": 0,
                "bbox": [1, 2, 3]}}]})",
                        options),
                HasSubstr("expected a \"bbox\" of four numbers"));
    EXPECT_THAT(mistake(kVrd), HasSubstr("there is no list of the names"));
    write_file(folder.path() / "objects.json", "{}");
    EXPECT_THAT(mistake(kVrd, options), HasSubstr("expected a JSON list of names"));
}

TEST(ReadScenes, TellsWhereAFileIsDamaged) {
    EXPECT_THAT(mistake(""), HasSubstr("s.json:1:1: expected '{' or '['"));
    EXPECT_THAT(mistake("{\n\"7\": {\"objects\": {}} \"8\": {}}"),
                HasSubstr("s.json:2:22: expected ',' or '}', found '\"'"));
    EXPECT_THAT(mistake("{\"7\": {\"objects\": {\"a\": {\"name\": 3}}}}"),
                HasSubstr("s.json:1:7: image 7: expected a \"name\" of each object"));
    EXPECT_THAT(mistake("{\"7\": {\"objects\":\n {\"a\" {}}}}"),
                HasSubstr("s.json:2:7: damaged JSON"));
    EXPECT_THAT(mistake("{\"7\": {\"objects\": {\"a\": {\"na"), HasSubstr("end of a string"));
    EXPECT_THAT(mistake("{\"7\": {\"objects\": {}"), HasSubstr("found the end of the file"));
    EXPECT_THAT(mistake("{\"7\": {\"objects\": {}}, \"7\": {\"objects\": {}}}"),
                HasSubstr("s.json:1:29: image 7 is there twice"));
    EXPECT_THAT(mistake("{} x"), HasSubstr("s.json:1:4: expected the end of the file"));
    EXPECT_THAT(mistake("[3]"), HasSubstr("s.json:1:2: expected a scene in braces"));
    EXPECT_THAT(mistake("[{\"image_id\": 1}]"), HasSubstr("\"objects\" or \"relationships\""));
    EXPECT_THAT(mistake("{\"7\": {\"objects\": 1e999, }}"), HasSubstr("s.json:1:7: "));
    EXPECT_THAT(mistake("{}"), HasSubstr("nothing is left of 0 images"));
}

TEST(ReadScenes, ReadsOrRefusesWhateverItIsGiven) {
    struct File {
        std::string path;
        std::string text;
    };

    Random random(11);
    int refused = 0;
    for (int round = 0; round < 6000; ++round) {
        const char* const whole = round % 3 == 0 ? kGqa : round % 3 == 1 ? kVisualGenome : kClevr;
        const std::string text = test::mutated(whole, random, "{}[]:,\"\\01a \n\x80");
        try {
            read(text, all());
        } catch (const Error& error) {
            ++refused;
            if (error.place().line > 0) {
                test::expect_place_inside(error, std::vector<File>{{"s.json", text}});
            }
        }
    }
    EXPECT_GT(refused, 2000);
}

TEST(ReadScenes, HoldsOneImageAtATimeEvenWithoutLineBreaks) {
    struct Endless : std::streambuf {  // 50 MB that nobody stores
        std::string block;
        int left = 5'000;

        int_type underflow() override {
            if (left == 0) {
                return traits_type::eof();
            }
            --left;
            block =
                (left == 4'999 ? "{\"" : ",\"") + std::to_string(left) +
                R"(":{"objects":{"a":{"name":"car","relations":[{"name":"on","object":"a"}],"x":")" +
                std::string(10'000, 'x') + "\"}}}" + (left == 0 ? "}" : "");
            setg(block.data(), block.data(), block.data() + block.size());
            return traits_type::to_int_type(block.front());
        }
    } endless;

    const SceneOptions options = all();
    scenes::Gatherer gatherer(options);
    std::istream in(&endless);
    scenes::read_scenes_from(in, "s.json", gatherer);
    const SceneSet scenes = gatherer.finish("s.json");
    EXPECT_EQ(scenes.size(), 5'000U);
    EXPECT_LT(scenes.bytes().size(), 500'000U);
}

TEST(ReadScenes, ReadsListsAndTellsTheLineOfAMistake) {
    const test::ScratchFolder folder;
    write_file(folder / "obj_freq.txt", "total obj 30\nman 10\r\ntraffic light 20\n\n");
    write_file(folder / "rel_freq.txt", "on top of\t7\nto the left of 9\n");
    write_file(folder / "un_merge.txt", "person: person,man\n");
    write_file(folder / "freq_gqa.txt", "person\nstreet_light");
    const SceneOptions options = read_scene_lists(folder.path());
    EXPECT_EQ(options.name_counts,
              (std::map<std::string, std::int64_t>{{"man", 10}, {"traffic light", 20}}));
    EXPECT_EQ(options.relation_counts, (std::map<std::string, std::int64_t>{{"on top of", 7}}));
    EXPECT_EQ(options.merged_names, (std::map<std::string, std::string>{{"man", "person"}}));
    EXPECT_EQ(options.merged_relations, paper_merges().merged_relations);
    EXPECT_THAT(options.targets, ElementsAre("person", "street light"));
    write_file(folder / "rel_freq.txt", "on 7\non top of\n");
    try {
        read_scene_lists(folder.path());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.place().line, 2);
    }
}

}  // namespace
}  // namespace hri
