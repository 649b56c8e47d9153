// SPDX-License-Identifier: Apache-2.0
#include "hri/scene_rules.hpp"

#include "hri/random.hpp"

#include "paths.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace hri {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kHat = 0;
constexpr std::uint32_t kShoe = 1;
constexpr std::uint32_t kPerson = 2;

/// 100 images: a person has a hat on (80) or wears a shoe (20); every tenth shoe is `on` too.
SceneSet clothes() {
    std::vector<SceneData> images;
    for (int i = 0; i < 100; ++i) {
        const bool is_hat = i < 80;
        const bool is_on = is_hat || i % 10 == 0;
        images.push_back({std::to_string(i),
                          2,
                          {{is_hat ? kHat : kShoe, 0}, {kPerson, 1}},
                          {{is_on ? 3U : 4U, is_on ? 0U : 1U, is_on ? 1U : 0U}}});
        std::sort(images.back().names.begin(), images.back().names.end());
    }
    return make_scenes({{"hat", 1}, {"shoe", 1}, {"person", 1}, {"on", 2}, {"wear", 2}}, images);
}

std::vector<std::uint32_t> all_of(const SceneSet& scenes) {
    std::vector<std::uint32_t> images(scenes.size());
    std::iota(images.begin(), images.end(), 0U);
    return images;
}

TEST(SceneRules, HaveTheConfidencesThatCountingGives) {
    const SceneSet scenes = clothes();
    const SceneRules rules = learn_scene_rules(scenes, all_of(scenes), scenes.targets(),
                                               {.bodies = SceneBodyShapes::neighbours});
    ASSERT_EQ(rules.names.size(), 3U);
    const auto of = [&](std::uint32_t name) -> const NameRules& {
        return *std::find_if(rules.names.begin(), rules.names.end(),
                             [&](const NameRules& names) { return names.target == name; });
    };
    // on(X,Y) holds of 80 hats and 2 shoes; 80 of all 200 objects are hats
    ASSERT_EQ(of(kHat).rules.size(), 1U);
    const SceneRule& rule = of(kHat).rules.front();
    EXPECT_EQ(rule.correct, 80);
    EXPECT_EQ(rule.covered, 82);
    // the likeliest two numbers, with ten objects more for each, as frequent as hats are
    const double frequency = 80.5 / 201;
    const auto likelihood = [&](double confidence, double otherwise) {
        const double missed = (1 - confidence) * (1 - otherwise);
        return 80 * std::log1p(-missed) + 2 * std::log(missed) + 118 * std::log1p(-otherwise) +
               10 * frequency * (std::log(confidence) + std::log(otherwise)) +
               10 * (1 - frequency) * (std::log1p(-confidence) + std::log1p(-otherwise));
    };
    const double confidence = rule.confidence;
    const double otherwise = of(kHat).otherwise;
    EXPECT_NEAR(confidence, 84.0 / 92, 0.01);
    EXPECT_NEAR(otherwise, 4.0 / 128, 0.01);
    for (const double change : {-0.002, 0.002}) {
        EXPECT_GT(likelihood(confidence, otherwise), likelihood(confidence + change, otherwise));
        EXPECT_GT(likelihood(confidence, otherwise), likelihood(confidence, otherwise + change));
    }
    EXPECT_LT(of(kHat).bits, of(kHat).bits_without);
    const auto hat = static_cast<std::size_t>(&of(kHat) - rules.names.data());
    EXPECT_THAT(to_text(program_of(rules, hat)),
                testing::AnyOf("hat(X) <- on(X,Y)\n", "hat(X) <- on(X,Y) & person(Y)\n"));
    EXPECT_THAT(
        to_prolog(rules, hat),
        HasSubstr(fmt::format("% confidence {:.4f}: 80 of 82\nhat(X) :- on(X,", confidence)));
    EXPECT_EQ(to_text(parse_program(to_prolog(rules, hat))), to_text(program_of(rules, hat)));
}

/// Half of the things that are on or wear another one are hats: rules that say the same share what
/// they are confident of, and one of them is enough.
TEST(SceneRules, CountOneReasonOnce) {
    std::vector<SceneData> images;
    for (int i = 0; i < 200; ++i) {
        const bool is_hat = i % 2 == 0;
        images.push_back(
            {std::to_string(i), 2, {{is_hat ? kHat : kShoe, 0}}, {{2, 0, 1}, {3, 0, 1}}});
        images.push_back({fmt::format("{}, alone", i), 2, {{kShoe, 0}}, {{3, 1, 0}}});
    }
    const SceneSet scenes = make_scenes({{"hat", 1}, {"shoe", 1}, {"on", 2}, {"wear", 2}}, images);
    const SceneRules rules = learn_scene_rules(scenes, all_of(scenes), std::vector{kHat});
    ASSERT_EQ(rules.names[0].rules.size(), 1U) << to_prolog(rules, 0);
    EXPECT_EQ(rules.names[0].rules[0].covered, 200);
    EXPECT_NEAR(rules.names[0].rules[0].confidence, 0.5, 0.02);
}

TEST(SceneRules, RankByTheProbabilityThatAllReasonsAreWrong) {
    const SceneSet scenes = clothes();
    const std::vector<std::uint32_t> targets = {kHat, kShoe, kPerson};
    SceneRules rules =
        learn_scene_rules(scenes, all_of(scenes), targets, {.bodies = SceneBodyShapes::neighbours});
    std::vector<float> scores(6);
    rule_scores(scenes, rules)(0, kHat, scores);  // a hat on a person
    const NameRules& hat = rules.names[0];
    EXPECT_FLOAT_EQ(scores[0], static_cast<float>(-std::log(1 - hat.rules[0].confidence) -
                                                  std::log(1 - hat.otherwise)));
    EXPECT_FLOAT_EQ(scores[1], static_cast<float>(-std::log(1 - hat.otherwise)));
    EXPECT_GT(scores[0], scores[2]);
    EXPECT_GT(scores[0], scores[4]);
    const std::vector<NameGuess> guesses = guess_names(scenes, rules, 0, 0, kHat, 2);
    ASSERT_EQ(guesses.size(), 2U);
    EXPECT_EQ(guesses[0].name, 0U);
    EXPECT_FLOAT_EQ(static_cast<float>(-std::log1p(-guesses[0].probability)), scores[0]);
    ASSERT_EQ(guesses[0].rules.size(), 1U);
    EXPECT_THAT(rule_text(rules, 0, 0), HasSubstr("hat(X) :- on(X,"));
}

TEST(SceneRules, SayWhichNamesTheyTakeForOthers) {
    const SceneSet scenes = clothes();
    const SceneRules rules = learn_scene_rules(scenes, all_of(scenes), scenes.targets(),
                                               {.bodies = SceneBodyShapes::neighbours});
    const std::vector<Confusion> found = confusions(scenes, all_of(scenes), rules, 5);
    ASSERT_EQ(found.size(), 1U);  // the two shoes that are `on`
    const auto name = [&](std::size_t i) { return rules.names[i].target; };
    EXPECT_EQ(name(found[0].name), kShoe);
    EXPECT_EQ(name(found[0].guess), kHat);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[0].objects, 20);
    EXPECT_EQ(found[0].object, 0U);
    ASSERT_EQ(found[0].rules.size(), 1U);
    EXPECT_THAT(rule_text(rules, found[0].guess, found[0].rules[0]), HasSubstr("hat(X) :- on(X,"));
    EXPECT_TRUE(confusions(scenes, all_of(scenes), rules, 0).empty());
}

TEST(SceneRules, AreNoneWhereNothingTellsTheNamesApart) {
    std::vector<SceneData> images;
    for (int i = 0; i < 40; ++i)
        images.push_back({std::to_string(i), 2, {{i % 2 == 0 ? kHat : kShoe, 0}}, {{2, 0, 1}}});
    const SceneSet scenes = make_scenes({{"hat", 1}, {"shoe", 1}, {"on", 2}}, images);
    const SceneRules rules = learn_scene_rules(scenes, all_of(scenes), scenes.targets());
    for (std::size_t i = 0; i < rules.names.size(); ++i) {
        EXPECT_TRUE(rules.names[i].rules.empty()) << to_prolog(rules, i);
        EXPECT_DOUBLE_EQ(rules.names[i].bits, rules.names[i].bits_without);
        EXPECT_NO_THROW(parse_program(to_prolog(rules, i)));
    }
}

TEST(SceneRules, DoNotDependOnThreads) {
    GenerateOptions wanted;
    wanted.images = 400;
    wanted.planted = default_planted_rules();
    const SceneSet scenes = generate_scenes(wanted);
    const std::vector<std::uint32_t> images = all_of(scenes);
    const SceneRules one = learn_scene_rules(scenes, images, scenes.targets());
    const SceneRules four = learn_scene_rules(scenes, images, scenes.targets(), {.threads = 4});
    ASSERT_EQ(one.names.size(), four.names.size());
    std::size_t rules = 0;
    for (std::size_t i = 0; i < one.names.size(); ++i) {
        EXPECT_EQ(one.names[i].rules, four.names[i].rules);
        EXPECT_EQ(one.names[i].otherwise, four.names[i].otherwise);
        rules += one.names[i].rules.size();
    }
    EXPECT_GT(rules, 20U);
}

TEST(SceneRules, FindPlantedRulesOverTwoRelations) {
    GenerateOptions wanted;
    wanted.images = 3000;
    wanted.planted = "street(X) :- on(Y,X), behind(Y,Z), bus(Z).\n";
    const SceneSet scenes = generate_scenes(wanted);
    const std::vector<std::uint32_t> targets = {scene_target(scenes, "street")};
    const SceneRules rules = learn_scene_rules(scenes, all_of(scenes), targets);
    ASSERT_FALSE(rules.names[0].rules.empty());
    EXPECT_THAT(to_text(program_of(rules, 0)), HasSubstr("on(Y,X) & behind(Y,Z) & bus(Z)"));
}

/// Both ways of ranking on one fold of VRD's training images.
TEST(SceneRules, AreAheadOfCountingOnRealImages) {
    const std::filesystem::path vrd = std::filesystem::path(HRI_SHARED_DATA) / "scene-graphs/vrd";
    if (!std::filesystem::exists(vrd / "annotations_train.json"))
        GTEST_SKIP() << vrd << " is not there";
    SceneOptions options = paper_merges();
    options.min_count = 50;
    const SceneSet scenes = read_scenes({vrd}, options);
    const auto folds = scene_folds(scenes.size(), 10, 0);
    std::vector<std::uint32_t> training;
    for (std::size_t f = 1; f < folds.size(); ++f)
        training.insert(training.end(), folds[f].begin(), folds[f].end());
    const auto judged = [&](const SceneScores& scores) {
        return recalls(scenes, folds[0], scenes.targets(), scores, {.normalised = false})
            .per_object;
    };
    const Recall freq = judged(freq_scores(scenes, training, scenes.targets(), true));
    const Recall rules =
        judged(rule_scores(scenes, learn_scene_rules(scenes, training, scenes.targets())));
    EXPECT_GT(rules.recall_at_1, std::max(0.45, freq.recall_at_1));
    EXPECT_GT(rules.recall_at_5, std::max(0.71, freq.recall_at_5));
    const Recall weighted = judged(softmax_scores(scenes, training, scenes.targets()));
    EXPECT_GT(weighted.recall_at_1, 0.45);
    EXPECT_GT(weighted.recall_at_5, 0.72);
}

}  // namespace
}  // namespace hri
