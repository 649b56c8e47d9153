// SPDX-License-Identifier: Apache-2.0

#include "hri/scenes.hpp"

#include "data/scenes/contents.hpp"
#include "data/scratch_folder.hpp"
#include "support/mutations.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SceneSet two_images() {
    return make_scenes({{"car", 1}, {"wheel", 1}, {"on", 2}},
                       {{"7", 3, {{1, 2}, {0, 0}, {1, 1}, {0, 0}}, {{2, 1, 0}, {2, 2, 0}}},
                        {"8", 2, {{0, 1}}, {}}},
                       {1, 0}, {"two images", true, 0.25, "car(X) :- on(Y,X), wheel(Y)."});
}

std::string bytes_of(const SceneSet& scenes) {
    return {scenes.bytes().data(), scenes.bytes().size()};
}

TEST(SceneSet, GivesBackWhatItWasMadeOfSortedAndWithoutDuplicates) {
    const SceneSet scenes = two_images();
    ASSERT_EQ(scenes.size(), 2U);
    EXPECT_EQ(scenes.unary(), 2U);
    EXPECT_EQ(scenes[0].image, "7");
    EXPECT_EQ(scenes[1].objects, 2);
    EXPECT_THAT(scenes[0].names, ElementsAre(SceneLabel{0, 0}, SceneLabel{1, 1}, SceneLabel{1, 2}));
    EXPECT_THAT(scenes[0].relations, ElementsAre(SceneRelation{2, 1, 0}, SceneRelation{2, 2, 0}));
    EXPECT_THAT(scenes[1].relations, ElementsAre());
    EXPECT_THAT(scenes.with_name(0), ElementsAre(0, 1));
    EXPECT_THAT(scenes.with_name(1), ElementsAre(0));
    EXPECT_THAT(scenes.targets(), ElementsAre(1, 0));
}

TEST(SceneSet, IsTheSameAfterItsFileIsMapped) {
    const test::ScratchFolder folder;
    const SceneSet scenes = two_images();
    write_scenes(folder / "s.scenes", scenes);
    const SceneSet mapped = open_scenes(folder / "s.scenes");
    EXPECT_EQ(bytes_of(mapped), bytes_of(scenes));
    EXPECT_EQ(mapped.predicates(), scenes.predicates());
    EXPECT_EQ(mapped.origin(), scenes.origin());
    EXPECT_THAT(mapped[0].names, testing::ElementsAreArray(scenes[0].names));
}

TEST(SceneSet, AnEmptySetIsASetToo) {
    EXPECT_EQ(SceneSet().size(), 0U);
    EXPECT_EQ(SceneSet().predicates().size(), 0U);
}

TEST(SceneSet, RefusesFactsOutOfRange) {
    const std::vector<PredicateSymbol> predicates = {{"car", 1}, {"on", 2}};
    EXPECT_THROW(make_scenes(predicates, {{"7", 1, {{1, 0}}, {}}}), Error);
    EXPECT_THROW(make_scenes(predicates, {{"7", 1, {{0, 1}}, {}}}), Error);
    EXPECT_THROW(make_scenes(predicates, {{"7", 1, {}, {{0, 0, 0}}}}), Error);
    EXPECT_THROW(make_scenes(predicates, {{"7", 1, {}, {{1, 0, 1}}}}), Error);
    EXPECT_THROW(make_scenes({{"on", 2}, {"car", 1}}, {}), Error);
}

TEST(SceneSet, AnInstanceHidesTheTargetAndLabelsEveryObject) {
    const SceneSet scenes = two_images();
    const Instance instance = scene_instance(scenes, 0, 1);
    EXPECT_EQ(instance.constants, 3);
    EXPECT_THAT(instance.labels, ElementsAre(Label::negative, Label::positive, Label::positive));
    EXPECT_THAT(instance.facts, ElementsAre(ElementsAre(Fact{0, 0, 1}), ElementsAre(),
                                            ElementsAre(Fact{1, 0, 1}, Fact{2, 0, 1})));
}

TEST(SceneSet, RefusesAFileCutOffAnywhere) {
    const std::string whole = bytes_of(two_images());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_THROW(scenes::decode(whole.substr(0, size), "cut"), Error) << size;
    }
    EXPECT_THROW(scenes::decode(whole + '\0', "longer"), Error);
}

TEST(SceneSet, RefusesEveryChangedByte) {
    const std::string whole = bytes_of(two_images());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        EXPECT_THROW(scenes::decode(changed, "changed"), Error) << at;
    }
}

TEST(SceneSet, BelievesNoNumberEvenWhereTheChecksumIsRight) {
    const std::string whole = bytes_of(two_images());
    Random random(3);
    int sound = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string changed = whole;
        for (int changes = 1 + random.below(3); changes > 0; --changes) {
            const auto at =
                static_cast<std::size_t>(random.below(static_cast<int>(changed.size())));
            changed[at] = static_cast<char>(random.below(4) == 0 ? 0xFF : random.below(5));
        }
        const std::uint64_t sum = scenes::checksum(changed);
        std::memcpy(changed.data() + offsetof(scenes::Header, checksum), &sum, sizeof sum);
        try {
            const SceneSet scenes = scenes::decode(changed, "changed");
            ++sound;  // other names, other numbers in range: then all of it can be read
            for (std::size_t i = 0; i < scenes.size(); ++i) {
                for (std::uint32_t target = 0; target < scenes.unary(); ++target) {
                    EXPECT_EQ(scene_instance(scenes, i, target).constants, scenes[i].objects);
                }
            }
        } catch (const Error& error) {
            EXPECT_EQ(error.place().file, "changed");
        }
    }
    EXPECT_GT(sound, 0);
    EXPECT_LT(sound, 15'000);
}

TEST(SceneSet, TellsWhatIsNoFileOfScenesAndWhichVersionItKnows) {
    const test::ScratchFolder folder;
    write_file(folder / "a", "{}");
    write_file(folder / "empty", "");
    std::string newer = bytes_of(two_images());
    newer[8] = 9;
    write_file(folder / "newer", newer);
    const auto message = [&](const std::string& name) {
        try {
            open_scenes(folder / name);
            return std::string("none");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_THAT(message("a"), HasSubstr("a: not a file of scenes"));
    EXPECT_THAT(message("empty"), HasSubstr("empty: not a file of scenes"));
    EXPECT_THAT(message("newer"), HasSubstr("version 9, expected 1"));
    EXPECT_THAT(message("absent"), HasSubstr("cannot read"));
    EXPECT_THAT(message(""), HasSubstr("cannot read"));
}

TEST(SceneSet, IsAProblemWhoseInstancesAreImages) {
    const test::ScratchFolder folder;
    write_scenes(folder / "two.scenes", two_images());
    const Problem problem = read_problem((folder / "two.scenes").string(), {.target = "wheel"});
    EXPECT_EQ(problem.target(), (PredicateSymbol{"wheel", 1}));
    EXPECT_THAT(problem.inputs(), ElementsAre(PredicateSymbol{"car", 1}, PredicateSymbol{"on", 2}));
    ASSERT_EQ(problem.training.instances.size(), 2U);
    const Instance& first = problem.training.instances.front();
    EXPECT_THAT(first.labels, ElementsAre(Label::negative, Label::positive, Label::positive));
    EXPECT_THAT(first.facts[1], ElementsAre(Fact{1, 0, 1}, Fact{2, 0, 1}));
    EXPECT_THROW(read_problem((folder / "two.scenes").string()), Error);
}

TEST(SceneSet, JoinsImagesByTheNamesOfPredicates) {
    const SceneSet first = make_scenes({{"hat", 1}, {"sitting_on", 2}}, {{"a", 1, {{0, 0}}, {}}});
    const SceneSet second = make_scenes({{"sitting_on", 2}}, {{"b", 2, {}, {{0, 0, 1}}}});
    const SceneSet both = joined_scenes(first, second);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[1].image, "b");
    EXPECT_EQ(both[1].relations[0].predicate, 1U);
    EXPECT_THROW(joined_scenes(second, first), Error);
    const SceneOptions options = same_predicates(first);
    EXPECT_TRUE(options.name_counts.contains("hat"));
    EXPECT_TRUE(options.relation_counts.contains("sitting on"));
    EXPECT_EQ(options.targets, std::vector<std::string>{"hat"});
}

}  // namespace
}  // namespace hri
