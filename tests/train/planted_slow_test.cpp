// SPDX-License-Identifier: Apache-2.0

// What the method has to show: the planted rules of synthetic images come back, and name the
// objects of other images better than the baseline Freq does.

#include "hri/multitask.hpp"
#include "hri/recall.hpp"
#include "hri/smallest_hierarchy.hpp"

#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

class PlantedRules : public testing::TestWithParam<double> {};

TEST_P(PlantedRules, ComeBackAndAreAheadOfFreq) {
    const double noise = GetParam();
    const SceneSet scenes = generate_scenes({.images = 5000, .noise = noise, .seed = 7});
    MultitaskSettings settings;
    for (const std::uint32_t target : scenes.targets()) {
        if (planted_program(scenes, target)) {
            settings.targets.push_back(target);
        }
    }
    ASSERT_EQ(settings.targets.size(), 20U);
    const auto folds = scene_folds(scenes.size(), 10, 7);
    std::vector<std::uint32_t> training;
    for (std::size_t f = 1; f < folds.size(); ++f) {
        training.insert(training.end(), folds[f].begin(), folds[f].end());
    }
    std::sort(training.begin(), training.end());
    settings.rounds = 150;
    const SceneSet seen = select_scenes(scenes, training);
    const Multitask learned = learn_targets(seen, multitask_options(), settings).learned;
    std::vector<Program> programs;
    int same = 0;
    for (const RefinedRules& one : refine_rules(seen, learned)) {
        const Program planted = *planted_program(scenes, settings.targets[programs.size()]);
        same += same_answers(one.program, planted, scenes.predicates()) ? 1 : 0;
        EXPECT_TRUE(test::swi_prolog_agrees(
            one.program, scene_instance(scenes, 0, settings.targets[programs.size()])));
        programs.push_back(one.program);
    }
    EXPECT_GE(same, noise > 0 ? 16 : 19);

    const Recall ours = recalls(scenes, folds[0], settings.targets,
                                program_scores(scenes, settings.targets, programs))
                            .per_object;
    const Recall freq =
        recalls(scenes, folds[0], settings.targets, freq_scores(scenes, training, settings.targets),
                {.normalised = false})
            .per_object;
    EXPECT_GT(ours.recall_at_1, freq.recall_at_1);
    EXPECT_GT(ours.recall_at_5, freq.recall_at_5);
}

INSTANTIATE_TEST_SUITE_P(WithoutNoiseAndWithATenth, PlantedRules, testing::Values(0.0, 0.1));

}  // namespace
}  // namespace hri
