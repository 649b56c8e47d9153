// SPDX-License-Identifier: Apache-2.0
#include "hri/scene_rules.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace hri {
namespace {

/// Objects of two names that nothing but a model tells apart; the first name is twice as frequent.
SceneSet lookalikes() {
    std::vector<SceneData> images;
    for (std::uint32_t i = 0; i < 90; ++i)
        images.push_back({std::to_string(i), 2, {{i % 3 == 0 ? 1U : 0U, 0}}, {{2, 0, 1}}});
    return make_scenes({{"dog", 1}, {"cat", 1}, {"on", 2}}, images);
}

std::vector<std::uint32_t> all_of(const SceneSet& scenes) {
    std::vector<std::uint32_t> images(scenes.size());
    std::iota(images.begin(), images.end(), 0U);
    return images;
}

/// Names as they are, but on another scale for each target.
SceneScores oracle(const SceneSet& scenes) {
    return [&scenes](std::size_t image, std::uint32_t /*hidden*/, std::span<float> scores) {
        const std::size_t name = scenes[image].names.front().predicate;
        scores[0] = name == 0 ? 0.2F : 0.1F;  // dog, first object
        scores[2] = name == 1 ? 1.0F : 0.7F;  // cat
    };
}

const std::vector<std::uint32_t> kTargets = {0, 1};

TEST(NameSoftmax, RanksByFrequencyWhereNothingElseTells) {
    const SceneSet scenes = lookalikes();
    const Recall found =
        recalls(scenes, all_of(scenes), kTargets, softmax_scores(scenes, all_of(scenes), kTargets),
                {.normalised = false})
            .per_object;
    EXPECT_NEAR(found.recall_at_1, 2.0 / 3, 1e-9);
}

TEST(NameSoftmax, MakesTheValuationsOfModelsComparable) {
    const SceneSet scenes = lookalikes();
    const auto found = [&](const SceneScores& scores) {
        return recalls(scenes, all_of(scenes), kTargets, scores, {.normalised = false})
            .per_object.recall_at_1;
    };
    EXPECT_NEAR(found(oracle(scenes)), 1.0 / 3, 1e-9);  // cat always scores more
    for (const bool use_bodies : {false, true})
        EXPECT_DOUBLE_EQ(
            found(softmax_scores(scenes, all_of(scenes), kTargets,
                                 {.use_bodies = use_bodies, .epochs = 200}, oracle(scenes))),
            1);
}

TEST(NameSoftmax, GivesProbabilitiesAndTheSameForTheSameSeed) {
    const SceneSet scenes = lookalikes();
    std::vector<float> scores(4);
    std::vector<float> again(4);
    softmax_scores(scenes, all_of(scenes), kTargets)(1, 0, scores);
    softmax_scores(scenes, all_of(scenes), kTargets)(1, 0, again);
    EXPECT_EQ(scores, again);
    for (std::size_t object = 0; object < 2; ++object)
        EXPECT_NEAR(std::exp(scores[object]) + std::exp(scores[2 + object]), 1, 1e-5);
}

}  // namespace
}  // namespace hri
