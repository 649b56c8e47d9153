// SPDX-License-Identifier: Apache-2.0
#include "data/folder_texts.hpp"
#include "paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::FolderTexts;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using When = SplitOptions::When;

/// Scenes of two pieces each, with colours that all share; scene 1 and size 1 have one name.
FolderTexts scenes() {
    FolderTexts texts;
    texts.bk =
        "piece(1,a). piece(1,b). piece(2,c). piece(2,d). piece(3,e). contact(a,b). sunny.\n"
        "size(a,1). size(b,2). size(c,1). size(d,3). size(e,2). small(1). next(1,2).\n";
    texts.exs = "pos(zendo(1)). neg(zendo(2)). pos(zendo(3)).";
    texts.bias =
        "head_pred(zendo,1). body_pred(piece,2). body_pred(contact,2). body_pred(size,2). "
        "body_pred(small,1). body_pred(next,2). body_pred(sunny,0).\n"
        "type(zendo,(scene,)). type(piece,(scene,piece)). type(contact,(piece,piece)). "
        "type(size,(piece,number)). type(small,(number,)).\n";
    return texts;
}

TEST(Split, CutsAlongTypesThatOnlyDescribe) {
    FolderTexts texts = scenes();
    texts.bk.erase(texts.bk.find("next(1,2)."), 10);
    const Problem problem = texts.read({.split = {.when = When::always}});
    const std::vector<Instance>& instances = problem.training.instances;
    ASSERT_EQ(instances.size(), 3U);
    EXPECT_THAT(problem.notes,
                ElementsAre("split 8 constants into 3 instances of 3 to 5 constants; values: "
                            "types number"));
    EXPECT_THAT(instances[0].names, ElementsAre("1", "2", "a", "b"));
    EXPECT_THAT(instances[0].facts,
                ElementsAre(ElementsAre(Fact{0, 2}, Fact{0, 3}), ElementsAre(Fact{2, 3}),
                            ElementsAre(Fact{2, 0}, Fact{3, 1}), ElementsAre(Fact{0}), IsEmpty(),
                            ElementsAre(Fact{})));
    EXPECT_THAT(instances[0].labels, ElementsAre(Label::positive, Label::unlabelled,
                                                 Label::unlabelled, Label::unlabelled));
    EXPECT_THAT(instances[1].names, ElementsAre("1", "2", "3", "c", "d"));
    // scene 1 is not here, though its name is
    EXPECT_EQ(instances[1].labels[0], Label::unlabelled);
    EXPECT_EQ(instances[1].labels[1], Label::negative);
    EXPECT_THAT(instances[2].names, ElementsAre("2", "3", "e"));
}

TEST(Split, IsLeftAloneWhereItIsNotWanted) {
    EXPECT_EQ(scenes().read({.split = {.when = When::never}}).training.instances.size(), 1U);
    EXPECT_EQ(scenes().read().training.instances.size(), 1U) << "few constants";
    FolderTexts texts;
    texts.exs = "pos(wet).";
    texts.bias.reset();
    EXPECT_EQ(texts.read({.split = {.when = When::always}}).training.instances.size(), 1U);
}

TEST(Split, TakesValueTypesFromTheUser) {
    const Problem problem =
        scenes().read({.split = {.when = When::always, .value_types = {"number", "scene"}}});
    EXPECT_THAT(problem.notes[0], HasSubstr("types number, scene"));
    try {
        scenes().read({.split = {.when = When::always, .value_types = {"nubmer"}}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("there is no type 'nubmer' (the data have number, "));
    }
}

TEST(Split, TakesColumnsOfNumbersForValues) {
    FolderTexts texts;
    texts.bk = "age(ann,30). age(bob,30). likes(ann,cleo).";
    texts.exs = "pos(old(ann)). neg(old(bob)).";
    texts.bias.reset();
    const Problem problem = texts.read({.split = {.when = When::always}});
    EXPECT_THAT(problem.notes, ElementsAre(HasSubstr("values: 1 column of numbers")));
    ASSERT_EQ(problem.training.instances.size(), 2U);
    EXPECT_THAT(problem.training.instances[0].names, ElementsAre("30", "ann", "cleo"));
    EXPECT_THAT(problem.training.instances[1].names, ElementsAre("30", "bob"));
}

TEST(Split, TakesConstantsWithManyNeighboursForValues) {
    FolderTexts texts;
    texts.bk.clear();
    for (const char* name : {"a", "b", "c", "d"}) {
        texts.bk += "colour(" + std::string(name) + ",red). part(" + name + "," + name + "1).\n";
    }
    texts.exs = "pos(nice(a)). pos(nice(b)). neg(nice(c)).";
    texts.bias.reset();
    EXPECT_EQ(texts.read({.split = {.when = When::always}}).training.instances.size(), 1U);
    const Problem problem = texts.read({.split = {.when = When::always, .value_degree = 3}});
    EXPECT_THAT(problem.notes, ElementsAre(HasSubstr("values: 1 constant with many neighbours")));
    ASSERT_EQ(problem.training.instances.size(), 3U);
    EXPECT_THAT(problem.training.instances[2].names, ElementsAre("c", "c1", "red"));
}

/// A path of constants and examples along it.
FolderTexts path(int length) {
    FolderTexts texts;
    texts.bk.clear();
    for (int i = 0; i + 1 < length; ++i) {
        texts.bk += "next(n" + std::to_string(100 + i) + ",n" + std::to_string(101 + i) + ").\n";
    }
    texts.exs = "pos(two(n105,n107)). neg(two(n105,n106)).";
    texts.bias.reset();
    return texts;
}

TEST(Split, CutsOutNeighbourhoodsAndForgetsWhatTheCutCouldChange) {
    const Problem problem =
        path(30).read({.closed_world = true, .split = {.when = When::always, .max_constants = 8}});
    ASSERT_EQ(problem.training.instances.size(), 2U);
    EXPECT_THAT(problem.notes, ElementsAre(HasSubstr("2 of them cut out around one example")));
    for (const Instance& instance : problem.training.instances) {
        EXPECT_EQ(instance.constants, 8);
        const auto n = static_cast<std::size_t>(instance.constants);
        for (std::size_t x = 0; x < n; ++x) {
            for (std::size_t y = 0; y < n; ++y) {
                const bool at_border = x == 0 || y == 0 || x + 1 == n || y + 1 == n;
                EXPECT_EQ(instance.labels[x * n + y] == Label::unlabelled, at_border)
                    << instance.names[x] << " " << instance.names[y];
            }
        }
        EXPECT_EQ(instance.facts[0].size(), 7U);
    }
}

TEST(Split, MakesInstancesOfUnlistedConstantsInAClosedWorld) {
    FolderTexts texts = scenes();
    texts.bk.erase(texts.bk.find("next(1,2)."), 10);
    texts.exs = "pos(zendo(1)).";
    const ReadOptions closed{.closed_world = true, .split = {.when = When::always}};
    const Problem problem = texts.read(closed);
    ASSERT_EQ(problem.training.instances.size(), 3U) << "one for each scene";
    int positives = 0;
    int negatives = 0;
    for (const Instance& instance : problem.training.instances) {
        positives += instance.count(Label::positive);
        negatives += instance.count(Label::negative);
    }
    EXPECT_EQ(positives, 1);
    EXPECT_EQ(negatives, 7) << "the other scenes and all pieces, no sizes";

    FolderTexts long_path = path(200);
    long_path.exs = "pos(last(n299)). neg(last(n200)).";
    EXPECT_EQ(long_path.read(closed).training.instances.size(), 2U + 4U * 2U)
        << "a few of a part that is too large";
}

TEST(Split, HappensByItselfAboveAHundredAndFiftyConstants) {
    EXPECT_EQ(path(150).read().training.instances.size(), 1U);
    EXPECT_EQ(path(151).read().training.instances.size(), 2U);
}

TEST(Split, KeepsEveryExampleOfPublicData) {
    const std::filesystem::path popper = std::filesystem::path(HRI_SHARED_DATA) / "popper";
    if (!std::filesystem::exists(popper)) {
        GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
    }

    struct Expected {
        const char* folder;
        int instances;
        int positives;
        int negatives;
    };

    for (const Expected& expected :
         {Expected{"zendo1", 40, 20, 20}, Expected{"zendo3", 100, 50, 50},
          Expected{"trains1", 1000, 394, 606}}) {
        const Problem problem = read_task_folder(popper / expected.folder);
        int positives = 0;
        int negatives = 0;
        for (const Instance& instance : problem.training.instances) {
            positives += instance.count(Label::positive);
            negatives += instance.count(Label::negative);
        }
        EXPECT_EQ(static_cast<int>(problem.training.instances.size()), expected.instances)
            << problem.notes[0];
        EXPECT_EQ(positives, expected.positives) << expected.folder;
        EXPECT_EQ(negatives, expected.negatives) << expected.folder;
    }
}

}  // namespace
}  // namespace hri
