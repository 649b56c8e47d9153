// SPDX-License-Identifier: Apache-2.0

// Values worked out by hand.

#include "hri/recall.hpp"

#include "hri/scenes.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t kCar = 0;
constexpr std::uint32_t kWheel = 1;
constexpr std::uint32_t kSky = 2;
const std::vector<std::uint32_t> kTargets = {kCar, kWheel, kSky};

/// Image 0: a wheel on a car; image 1: a sky above a car and a wheel on it.
SceneSet images() {
    return make_scenes({{"car", 1}, {"wheel", 1}, {"sky", 1}, {"on", 2}, {"above", 2}},
                       {{"0", 2, {{kCar, 0}, {kWheel, 1}}, {{3, 1, 0}}},
                        {"1", 3, {{kCar, 0}, {kWheel, 1}, {kSky, 2}}, {{3, 1, 0}, {4, 2, 0}}}});
}

SceneScores fixed(const std::map<std::size_t, std::vector<float>>& of_image) {
    return [of_image](std::size_t image, std::uint32_t /*hidden*/, std::span<float> scores) {
        const std::vector<float>& given = of_image.at(image);
        ASSERT_EQ(given.size(), scores.size());
        std::copy(given.begin(), given.end(), scores.begin());
    };
}

TEST(Recall, RanksTheTargetsOfEachObjectStrictly) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> first = {0};
    //                                            objects 0    1
    const SceneScores scores = fixed({{0,
                                       {0.9F, 0.1F,      // car
                                        0.2F, 0.5F,      // wheel
                                        0.1F, 0.5F}}});  // sky: ties with wheel on object 1
    const Recalls got = recalls(scenes, first, kTargets, scores, {.normalised = false});
    EXPECT_EQ(got.per_object.count, 2);
    EXPECT_DOUBLE_EQ(got.per_object.recall_at_1, 0.5);     // the tie is no find
    EXPECT_DOUBLE_EQ(got.per_object.recall_at_5, 1);       // three targets only
    EXPECT_DOUBLE_EQ(got.as_authors_code.recall_at_1, 1);  // here it is
    EXPECT_DOUBLE_EQ(got.of_target[kCar].recall_at_1, 1);
    EXPECT_DOUBLE_EQ(got.of_target[kWheel].recall_at_1, 0);
    EXPECT_EQ(got.of_target[kSky].count, 0);
    // of the atoms car(0) is best; wheel(1) ties with sky(1): of two true atoms one
    EXPECT_DOUBLE_EQ(got.per_image.recall_at_1, 0.5);
    EXPECT_DOUBLE_EQ(got.per_image.recall_at_5, 1);
}

TEST(Recall, NormalisesEachTargetOverTheObjectsOfTheImage) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> first = {0};
    // Of the wheels, the car's model says more (0.3), but its vector is (0.4, 0.3) -> (0.8, 0.6),
    // the wheel's (0, 0.1) -> (0, 1).
    const SceneScores scores = fixed({{0, {0.4F, 0.3F, 0, 0.1F, 0, 0}}});
    EXPECT_DOUBLE_EQ(recalls(scenes, first, kTargets, scores).per_object.recall_at_1, 1);
    EXPECT_DOUBLE_EQ(
        recalls(scenes, first, kTargets, scores, {.normalised = false}).per_object.recall_at_1,
        0.5);
}

TEST(Recall, TheCodesFiveAreSixAndStrictIsNot) {
    std::vector<PredicateSymbol> predicates;
    std::vector<std::uint32_t> targets;
    for (std::uint32_t t = 0; t < 8; ++t) {
        predicates.push_back({"t" + std::to_string(t), 1});
        targets.push_back(t);
    }
    const SceneSet scenes = make_scenes(predicates, {{"0", 1, {{0, 0}}, {}}});
    const std::vector<std::uint32_t> first = {0};
    const auto recall_at_5 = [&](float own) {
        const Recalls got = recalls(scenes, first, targets,
                                    fixed({{0, {own, 0.9F, 0.8F, 0.7F, 0.6F, 0.5F, 0.1F, 0.05F}}}),
                                    {.normalised = false});
        return std::vector<double>{got.per_object.recall_at_5, got.as_authors_code.recall_at_5};
    };
    EXPECT_THAT(recall_at_5(0.55F), ElementsAre(1, 1));  // fifth
    EXPECT_THAT(recall_at_5(0.4F), ElementsAre(0, 1));   // sixth
    EXPECT_THAT(recall_at_5(0.07F), ElementsAre(0, 0));  // eighth but one
}

TEST(Recall, TellsWhichNameIsHiddenAndTakesTheFirstImagesOfATarget) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> both = {1, 0};
    std::vector<std::pair<std::size_t, std::uint32_t>> asked;
    const SceneScores scores = [&](std::size_t image, std::uint32_t hidden, std::span<float>) {
        asked.emplace_back(image, hidden);
    };
    const Recalls got = recalls(scenes, both, kTargets, scores, {.images_per_target = 1});
    using Asked = std::pair<std::size_t, std::uint32_t>;
    EXPECT_THAT(asked, ElementsAre(Asked{0, kCar}, Asked{0, kWheel}, Asked{1, kSky},
                                   Asked{0, kHideOwnLabel}, Asked{1, kHideOwnLabel}));
    EXPECT_DOUBLE_EQ(got.per_object.recall_at_1, 0);  // nothing is found where all scores are 0 ...
    EXPECT_DOUBLE_EQ(got.as_authors_code.recall_at_1, 1);  // ... but by the code's reading
}

TEST(Freq, VotesForTheMostFrequentPartnerOfEachNeighbour) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> all = {0, 1};
    std::vector<float> scores(9, 0);
    freq_scores(scenes, all, kTargets)(1, kHideOwnLabel, scores);
    // The car is under a wheel (2 cars are) and below the sky (1); each is a vote for car.
    EXPECT_THAT(scores, ElementsAre(3, 0, 0, 0, 2, 0, 0, 0, 1));
    std::fill(scores.begin(), scores.end(), 0.0F);
    freq_scores(scenes, all, kTargets)(1, kCar, scores);  // now nobody knows the car
    EXPECT_THAT(scores, ElementsAre(3, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(NaiveBayes, AddsTheLogarithmsOfPriorAndNeighbours) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> all = {0, 1};
    std::vector<float> scores(9, 0);
    bayes_scores(scenes, all, kTargets)(1, kSky, scores);
    // 2 relations, 2 directions, 3 names: 12 kinds of neighbours, of 0.1 each. Cars have 3
    // neighbours, 2 of them a wheel on them; there are 2 cars.
    EXPECT_NEAR(scores[0], std::log(3.0) + std::log(2.1 / 4.2), 1e-5);
    // Nobody knows the sky; 2 wheels with 2 neighbours never have a wheel on them.
    EXPECT_NEAR(scores[3], std::log(3.0) + std::log(0.1 / 3.2), 1e-5);
    // The sky is above a car, as no car is.
    EXPECT_NEAR(scores[2], std::log(3.0) + std::log(0.1 / 4.2), 1e-5);
}

TEST(LogisticRegression, FindsNamesThatOneNeighbourTells) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> all = {0, 1};
    const SceneScores scores = logistic_scores(scenes, all, kTargets, 3);
    EXPECT_DOUBLE_EQ(
        recalls(scenes, all, kTargets, scores, {.normalised = false}).per_object.recall_at_1, 1);
    std::vector<float> first(9, 0);
    std::vector<float> again(9, 0);
    scores(1, kCar, first);
    logistic_scores(scenes, all, kTargets, 3)(1, kCar, again);
    EXPECT_EQ(first, again);
}

TEST(Freq, AllPartnersVoteOnRequest) {
    const SceneSet scenes = make_scenes({{"car", 1}, {"wheel", 1}, {"on", 2}},
                                        {{"0", 2, {{0, 0}, {0, 1}}, {{2, 1, 0}}},
                                         {"1", 2, {{0, 0}, {0, 1}}, {{2, 1, 0}}},
                                         {"2", 2, {{0, 0}, {1, 1}}, {{2, 1, 0}}}});
    const std::vector<std::uint32_t> all = {0, 1, 2};
    const std::vector<std::uint32_t> targets = {0, 1};
    std::vector<float> scores(4, 0);
    freq_scores(scenes, all, targets, true)(2, 1, scores);  // wheels hidden
    EXPECT_THAT(scores, ElementsAre(0, 2, 0, 1));           // on a car: 2 cars, 1 wheel
    std::fill(scores.begin(), scores.end(), 0.0F);
    freq_scores(scenes, all, targets, false)(2, 1, scores);
    EXPECT_THAT(scores, ElementsAre(0, 2, 0, 0));
}

TEST(ProgramScores, AreWhatTheProgramsSayWithoutTheHiddenName) {
    const SceneSet scenes = images();
    const std::vector<Program> programs = {parse_program("car(X) :- on(Y,X), wheel(Y)."),
                                           parse_program("wheel(X) :- on(X,Y), car(Y)."),
                                           parse_program("sky(X) :- above(X,Y), car(Y).")};
    const SceneScores scores = program_scores(scenes, kTargets, programs);
    std::vector<float> got(9, 0);
    scores(1, kCar, got);
    EXPECT_THAT(got, ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 0));
    scores(1, kHideOwnLabel, got);
    EXPECT_THAT(got, ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1));
    const std::vector<std::uint32_t> all = {0, 1};
    EXPECT_DOUBLE_EQ(recalls(scenes, all, kTargets, scores).per_object.recall_at_1, 1);
}

TEST(ScoreTarget, CountsAllObjects) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> all = {0, 1};
    const Score score = score_target(scenes, all, kCar, [](const Instance& instance) {
        std::vector<float> v(static_cast<std::size_t>(instance.constants), 0.2F);
        v[1] = 0.8F;
        if (instance.constants == 2) {
            v[0] = 0.6F;
        }
        return v;
    });
    // predicted: both of image 0, object 1 of image 1; true: object 0 of both
    EXPECT_DOUBLE_EQ(score.accuracy, 2.0 / 5);
    EXPECT_DOUBLE_EQ(score.precision, 1.0 / 3);
    EXPECT_DOUBLE_EQ(score.recall, 1.0 / 2);
}

TEST(SceneFolds, DealEveryImageOnce) {
    const auto folds = scene_folds(23, 10, 1);
    std::vector<std::uint32_t> all;
    for (const auto& fold : folds) {
        EXPECT_TRUE(fold.size() == 2 || fold.size() == 3);
        EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
        all.insert(all.end(), fold.begin(), fold.end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all.size(), 23U);
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    EXPECT_EQ(folds, scene_folds(23, 10, 1));
    EXPECT_NE(folds, scene_folds(23, 10, 2));
}

TEST(RenamedScenes, ReadSomeNamesAsOthers) {
    const SceneSet scenes = make_scenes({{"truck", 1}, {"car", 1}, {"on", 2}},
                                        {{"a", 2, {{0, 0}, {0, 1}, {1, 1}}, {{2, 0, 1}}}});
    const SceneSet renamed = renamed_scenes(scenes, {{0, 1}});
    ASSERT_EQ(renamed.size(), 1U);
    const std::vector<SceneLabel> names(renamed[0].names.begin(), renamed[0].names.end());
    EXPECT_EQ(names, (std::vector<SceneLabel>{{1, 0}, {1, 1}}));
    EXPECT_EQ(renamed[0].relations.size(), 1U);
}

TEST(SelectScenes, KeepsTheChosenImagesAsTheyAre) {
    const SceneSet scenes = images();
    const std::vector<std::uint32_t> second = {1};
    const SceneSet one = select_scenes(scenes, second);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].image, "1");
    EXPECT_THAT(one[0].names, testing::ElementsAreArray(scenes[1].names));
    EXPECT_THAT(one[0].relations, testing::ElementsAreArray(scenes[1].relations));
    EXPECT_EQ(one.predicates(), scenes.predicates());
    EXPECT_THAT(one.targets(), testing::ElementsAreArray(scenes.targets()));
}

TEST(ScenesAround, KeepsRelationsThatTouchTheTargetAndImagesOfTheRightSize) {
    const SceneSet scenes = images();
    const SceneSet around = scenes_around(scenes, kSky, 3, 3);
    ASSERT_EQ(around.size(), 1U);
    EXPECT_EQ(around[0].image, "1");
    EXPECT_EQ(around[0].objects, 2);
    EXPECT_EQ(around[0].relations.size(), 1U);
    EXPECT_EQ(around[0].names.size(), 2U);
    EXPECT_EQ(scenes_around(scenes, kCar, 3, 5).size(), 2U);
    EXPECT_EQ(scenes_around(scenes, kCar, 4, 5).size(), 1U);
}

}  // namespace
}  // namespace hri
