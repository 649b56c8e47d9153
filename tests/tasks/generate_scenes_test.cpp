// SPDX-License-Identifier: Apache-2.0

#include "hri/recall.hpp"
#include "hri/scenes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace hri {
namespace {

using testing::HasSubstr;

std::vector<std::uint32_t> all(const SceneSet& scenes) {
    std::vector<std::uint32_t> images(scenes.size());
    std::iota(images.begin(), images.end(), 0U);
    return images;
}

std::vector<std::uint32_t> planted_targets(const SceneSet& scenes) {
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t target : scenes.targets()) {
        if (planted_program(scenes, target)) {
            targets.push_back(target);
        }
    }
    return targets;
}

Score score_of(const SceneSet& scenes, std::uint32_t target) {
    const Program program = planted_program(scenes, target).value();
    return score_target(scenes, all(scenes), target, [&](const Instance& instance) {
        const Truth truth = evaluate(program, instance);
        return std::vector<float>(truth.begin(), truth.end());
    });
}

std::string mistake(const std::string& rules) {
    try {
        generate_scenes({.images = 1, .planted = rules});
        return "none";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(GenerateScenes, PlantedNamesHoldExactlyWhereTheRulesSaySo) {
    const SceneSet scenes = generate_scenes({.images = 2000, .seed = 5});
    EXPECT_EQ(scenes.size(), 2000U);
    EXPECT_EQ(scenes.predicates().size(), 213U);
    EXPECT_EQ(scenes.unary(), 190U);
    EXPECT_EQ(scenes.targets().size(), 150U);
    const auto targets = planted_targets(scenes);
    EXPECT_EQ(targets.size(), 20U);
    for (const std::uint32_t target : targets) {
        const Score score = score_of(scenes, target);
        EXPECT_EQ(score.false_positives, 0) << scenes.predicates()[target].name;
        EXPECT_EQ(score.false_negatives, 0) << scenes.predicates()[target].name;
        EXPECT_GT(score.positives, 30) << scenes.predicates()[target].name;
    }
}

TEST(GenerateScenes, SaysThatTheyAreSyntheticAndOfWhatTheyAreMade) {
    const SceneSet scenes = generate_scenes({.images = 3, .noise = 0.25, .seed = 5});
    EXPECT_TRUE(scenes.origin().synthetic);
    EXPECT_EQ(scenes.origin().noise, 0.25);
    EXPECT_EQ(scenes.origin().planted, default_planted_rules());
    EXPECT_THAT(scenes.origin().source, HasSubstr("seed 5"));
    EXPECT_EQ(scenes[2].image, "synthetic-2");
}

TEST(GenerateScenes, NoiseMovesItsShareOfThePlantedLabels) {
    const SceneSet scenes = generate_scenes({.images = 3000, .noise = 0.1, .seed = 6});
    std::int64_t positives = 0;
    std::int64_t missed = 0;
    std::int64_t wrong = 0;
    for (const std::uint32_t target : planted_targets(scenes)) {
        const Score score = score_of(scenes, target);
        positives += score.positives;
        missed += score.false_positives;  // the rule holds, the label has moved away
        wrong += score.false_negatives;   // the label came from elsewhere
    }
    EXPECT_EQ(missed, wrong);
    EXPECT_NEAR(static_cast<double>(missed) / static_cast<double>(positives), 0.1, 0.02);
}

TEST(GenerateScenes, DependOnTheSeedAlone) {
    const auto bytes = [](std::uint64_t seed) {
        const SceneSet scenes = generate_scenes({.images = 50, .noise = 0.2, .seed = seed});
        return std::string(scenes.bytes().data(), scenes.bytes().size());
    };
    EXPECT_EQ(bytes(1), bytes(1));
    EXPECT_NE(bytes(1), bytes(2));
}

TEST(GenerateScenes, FollowGivenFrequenciesSizesAndPairs) {
    const SceneSet sample = make_scenes(
        {{"cup", 1}, {"shelf", 1}, {"on", 2}},
        {{"0", 2, {{0, 0}, {1, 1}}, {{2, 0, 1}}}, {"1", 2, {{0, 0}, {1, 1}}, {{2, 0, 1}}}});
    GenerateOptions options{.images = 4000, .sample = &sample, .planted_share = 0, .seed = 1};
    options.lists.name_counts = {{"cup", 6000},  {"shelf", 3000}, {"rare", 10},
                                 {"lamp", 2000}, {"bulb", 2000},  {"book", 2000}};
    options.lists.relation_counts = {{"on", 9000}, {"with", 3000}};
    options.planted = "lamp(X) :- with(X,Y), bulb(Y).";
    const SceneSet scenes = generate_scenes(options);
    EXPECT_EQ(scenes.predicates().size(), 7U);  // rare is too rare
    const std::uint32_t cup = scene_target(scenes, "cup");
    const std::uint32_t shelf = scene_target(scenes, "shelf");
    std::int64_t relations = 0;
    std::int64_t cups_on_shelves = 0;
    std::int64_t cups_and_shelves = 0;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        relations += static_cast<std::int64_t>(scenes[i].relations.size());
        for (const auto& [relation, subject, object] : scenes[i].relations) {
            const auto named = [&](std::uint32_t name, std::uint32_t o) {
                return std::count(scenes[i].names.begin(), scenes[i].names.end(),
                                  SceneLabel{name, o}) > 0;
            };
            const bool forth = named(cup, subject) && named(shelf, object);
            const bool back = named(shelf, subject) && named(cup, object);
            cups_and_shelves += forth || back ? 1 : 0;
            cups_on_shelves += forth && scenes.predicates()[relation].name == "on" ? 1 : 0;
        }
    }
    // the sample's images have one relation; a planted lamp brings one of its own
    EXPECT_NEAR(static_cast<double>(relations) / 4000, 1.1, 0.2);
    // by chance 3 of 8: on is three of four relations, one direction of two
    EXPECT_GT(static_cast<double>(cups_on_shelves), 0.5 * static_cast<double>(cups_and_shelves));
    EXPECT_GT(scenes.with_name(cup).size(), scenes.with_name(scene_target(scenes, "book")).size());
}

TEST(GenerateScenes, InventedPredicatesHoldByTheirRules) {
    const SceneSet scenes =
        generate_scenes({.images = 500,
                         .planted = "vase(X) :- has(X,Y), flowers(Y).\n"
                                    "has(X,Y) :- on(Y,X).\nhas(X,Y) :- with(X,Y).\n"});
    const Score score = score_of(scenes, scene_target(scenes, "vase"));
    EXPECT_EQ(score.false_positives + score.false_negatives, 0);
    EXPECT_GT(score.positives, 200);
    EXPECT_FALSE(planted_program(scenes, scene_target(scenes, "flowers")));
}

TEST(GenerateScenes, RefusesRulesThatItCannotPlant) {
    EXPECT_THAT(mistake("car(X) :- near(X,Y), car(Y)."), HasSubstr("do not call themselves"));
    EXPECT_THAT(mistake("car(X) :- near(X,Y), bus(Y). bus(X) :- on(X,Y), street(Y)."),
                HasSubstr("bus is planted"));
    EXPECT_THAT(mistake("car(X) :- near(X,Y), spaceship(Y)."), HasSubstr("no spaceship/1"));
    EXPECT_THAT(mistake("near(X,Y) :- on(X,Y)."), HasSubstr("the relation near"));
    EXPECT_THAT(mistake("car(X) :- near(X,Y), \\+ bus(Y)."), HasSubstr("definite rules"));
    EXPECT_THAT(mistake("car(X) :- near(X,bob)."), HasSubstr("found bob"));
    EXPECT_THAT(mistake("car(X :- "), HasSubstr("<planted rules>:1"));
    EXPECT_THAT(mistake("p(X) :- on(X,Y)."), HasSubstr("none is about a name"));
    EXPECT_THROW(generate_scenes({.noise = 2}), Error);
}

}  // namespace
}  // namespace hri
