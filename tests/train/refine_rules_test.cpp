// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"
#include "hri/smallest_hierarchy.hpp"

#include "support/swi_prolog.hpp"
#include "train/planted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

int recovered(const PlantedSet& set, const std::vector<Program>& programs) {
    int count = 0;
    for (std::size_t t = 0; t < programs.size(); ++t) {
        const Program planted = parse_program(text_of(set.rules[t], set.scenes));
        count += same_answers(programs[t], planted, set.scenes.predicates(), 100) ? 1 : 0;
        EXPECT_TRUE(swi_prolog_agrees(programs[t], scene_instance(set.scenes, 0, set.targets[t])));
    }
    return count;
}

TEST(Planted, RulesAreLearnedByTrainingAlone) {
    const PlantedSet set = planted_set(6, 8, 3, 400, 8, 1);
    MultitaskSettings settings;
    settings.rounds = 150;
    const Multitask learned = learn_targets(set.scenes, multitask_options(), settings).learned;
    std::vector<Program> programs;
    for (std::size_t t = 0; t < learned.targets.size(); ++t)
        programs.push_back(extract(learned, t, set.scenes));
    EXPECT_GE(recovered(set, programs), 5);
}

TEST(RefineRules, FindsMostPlantedRulesAfterHardlyAnyTraining) {
    const PlantedSet set = planted_set(6, 8, 3, 400, 8, 1);
    MultitaskSettings settings;
    settings.rounds = 2;
    const Multitask learned = learn_targets(set.scenes, multitask_options(), settings).learned;
    const std::vector<RefinedRules> polished = refine_rules(set.scenes, learned, {.threads = 2});
    std::vector<Program> programs;
    for (const RefinedRules& target : polished) {
        EXPECT_LE(target.bits, target.bits_before);
        programs.push_back(target.program);
    }
    EXPECT_GE(recovered(set, programs), 5);
}

TEST(RefineRules, GivesNothingWhereItIsInterrupted) {
    const PlantedSet set = planted_set(2, 4, 2, 50, 6, 1);
    MultitaskSettings settings;
    settings.rounds = 1;
    const Multitask learned = learn_targets(set.scenes, multitask_options(), settings).learned;
    const std::atomic<bool> interrupt = true;
    EXPECT_TRUE(refine_rules(set.scenes, learned, {.interrupt = &interrupt}).empty());
}

/// Two rules, neither of which shows in one relation by itself.
TEST(RefineRules, AddsRelationsToNewThings) {
    const SceneSet scenes = generate_scenes({.images = 3000,
                                             .planted = "car(X) :- on(Y,X), near(Y,Z), bench(Z).\n"
                                                        "car(X) :- wearing(X,Y), flowers(Y).\n",
                                             .seed = 3});
    MultitaskSettings settings;
    settings.targets = {scene_target(scenes, "car")};
    settings.rounds = 1;
    const Multitask learned = learn_targets(scenes, multitask_options(), settings).learned;
    const std::vector<RefinedRules> polished = refine_rules(scenes, learned);
    EXPECT_TRUE(same_answers(polished[0].program, *planted_program(scenes, settings.targets[0]),
                             scenes.predicates()))
        << to_text(polished[0].program);
    EXPECT_TRUE(
        swi_prolog_agrees(polished[0].program, scene_instance(scenes, 0, settings.targets[0])));
}

TEST(Extract, TakesOnlyPredicatesThatTrainingSaw) {
    const std::vector<PredicateSymbol> predicates = {
        {"car", 1}, {"wheel", 1}, {"unseen", 1}, {"of", 2}, {"unseen_too", 2}};
    std::vector<SceneData> images;
    for (int i = 0; i < 20; ++i)
        images.push_back({std::to_string(i), 2, {{0, 0}, {1, 1}}, {{3, 1, 0}}});
    const SceneSet scenes = make_scenes(predicates, images, {0}, {});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        MultitaskSettings settings;
        settings.targets = {0};
        settings.rounds = 1;
        settings.seed = seed;
        const Multitask learned = learn_targets(scenes, multitask_options(), settings).learned;
        EXPECT_THAT(to_text(extract(learned, 0, scenes)),
                    testing::Not(testing::HasSubstr("unseen")));
    }
}

TEST(Extract, SaysNothingOfATargetThatNoImageHas) {
    const SceneSet scenes =
        make_scenes({{"car", 1}, {"unseen", 1}, {"of", 2}},
                    {{"0", 2, {{0, 0}}, {{2, 1, 0}}}, {"1", 2, {{0, 1}}, {{2, 0, 1}}}});
    MultitaskSettings settings;
    settings.rounds = 1;
    const Multitask learned = learn_targets(scenes, multitask_options(), settings).learned;
    EXPECT_EQ(to_text(extract(learned, 1, scenes)), "unseen(X) <- False\n");
    EXPECT_EQ(to_text(refine_rules(scenes, learned)[1].program), "unseen(X) <- False\n");
}

/// Labels that no rule explains: the shortest description says that nothing has the name.
TEST(RefineRules, DoesNotExplainChance) {
    Random random(5);
    std::vector<SceneData> scenes;
    for (int i = 0; i < 200; ++i) {
        SceneData scene{std::to_string(i), 5, {}, {}};
        for (std::uint32_t x = 0; x < 5; ++x) {
            if (random.chance(0.1))
                scene.names.push_back({0, x});
            scene.names.push_back({1 + static_cast<std::uint32_t>(random.below(4)), x});
            scene.relations.push_back({5 + static_cast<std::uint32_t>(random.below(2)), x,
                                       static_cast<std::uint32_t>(random.below(5))});
        }
        std::sort(scene.names.begin(), scene.names.end());
        std::sort(scene.relations.begin(), scene.relations.end());
        scenes.push_back(std::move(scene));
    }
    const SceneSet set = make_scenes(
        {{"t", 1}, {"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"r", 2}, {"s", 2}}, scenes, {0}, {});
    MultitaskSettings settings;
    settings.rounds = 5;
    const Multitask learned = learn_targets(set, multitask_options(), settings).learned;
    const Program nothing = parse_program("t(X) :- t(X).\n");
    EXPECT_TRUE(
        same_answers(refine_rules(set, learned)[0].program, nothing, set.predicates(), 100));
}

}  // namespace
}  // namespace hri::test
