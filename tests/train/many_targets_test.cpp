// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"

#include "data/scratch_folder.hpp"
#include "soft/dense.hpp"
#include "train/planted.hpp"
#include "train/targets/image_objective.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

MultitaskSettings few_rounds(int rounds) {
    MultitaskSettings settings;
    settings.rounds = rounds;
    settings.seed = 3;
    return settings;
}

TEST(Multitask, DefaultsAreThePapers) {
    const Options options = multitask_options();
    EXPECT_EQ(options.layers, 3);
    EXPECT_EQ(options.train_steps, 4);
    EXPECT_EQ(options.dimension, 30);
    EXPECT_EQ(options.recursivity, Recursivity::none);
    EXPECT_EQ(options.learning_rate, 0.001);
    EXPECT_EQ(options.learning_rate_rules, 0.01);
    EXPECT_EQ(options.gumbel, 0.3);
    const MultitaskSettings settings;
    EXPECT_EQ(settings.rounds, 3000);
    EXPECT_EQ(settings.positives, 5);
    EXPECT_EQ(settings.randoms, 5);
    EXPECT_EQ(settings.max_objects, 15);
}

/// Gives the same of an image as the whole model does that leaves out what the image lacks.
TEST(ImageObjective, AgreesWithTheWholeModel) {
    const PlantedSet set = small_set();
    Options options = multitask_options();
    options.skip_pairs = options.skip_gradients = 0;
    const Multitask learned = learn_targets(set.scenes, options, few_rounds(5)).learned;
    const ProtoRules protorules = make_protorules(options);
    training::ImageObjective small(options, protorules, 30, set.scenes.predicates().size());
    for (std::size_t t = 0; t < learned.targets.size(); ++t) {
        const Model model = learned.model(t);
        training::Objective<float> whole(model.hierarchy, model.protorules, 30, options);
        std::vector<float> d_predicates(model.parameters.predicates.size());
        std::vector<float> d_slots(model.parameters.slots.size());
        for (std::size_t i = 0; i < 20; ++i) {
            const TargetParameters& own = learned.targets[t];
            const training::NoiseLevels calm{0, 0, 0, 0.1};
            const float small_loss = small.loss(
                set.scenes[i], own.target,
                {learned.background.data(), own.auxiliaries.data(), own.slots.data()}, calm, 0);
            small.gradient();
            std::vector<float> d_background(learned.background.size(), 0.0F);
            small.add_background_gradient(d_background.data());

            const Instance instance = scene_instance(set.scenes, i, own.target);
            soft::DenseInstance<float> dense;
            soft::make_dense(dense, instance,
                             soft::columns_of(set.scenes.predicates(), model.inputs), model.inputs,
                             1);
            const float whole_loss =
                whole.loss(model.parameters.predicates.data(), model.parameters.slots.data(),
                           nullptr, 0.1F, dense, options.train_steps);
            whole.gradient(d_predicates.data(), d_slots.data());
            EXPECT_NEAR(small_loss, whole_loss, 1e-4F);
            EXPECT_THAT(small.target(), Pointwise(FloatNear(1e-5F), whole.target()));
            EXPECT_THAT(infer(model, instance, options.train_steps),
                        Pointwise(FloatNear(1e-5F), whole.target()));
            for (std::size_t k = 0; k < d_slots.size(); ++k)
                ASSERT_NEAR(small.d_slots()[k], d_slots[k], 1e-3F * (1 + std::abs(d_slots[k])));
            for (std::size_t p = 0, row = 2; p < model.inputs.size() + 1; ++p) {
                if (p == own.target)
                    continue;
                for (std::size_t k = 0; k < 30; ++k) {
                    const float expected = d_predicates[row * 30 + k];
                    ASSERT_NEAR(d_background[p * 30 + k], expected,
                                1e-3F * (1 + std::abs(expected)));
                }
                ++row;
            }
        }
    }
}

TEST(ImageObjective, HidesANameFromAllTargets) {
    const PlantedSet set = small_set();
    const Multitask learned =
        learn_targets(set.scenes, multitask_options(), few_rounds(30)).learned;
    const SceneScores scores = soft_scores(set.scenes, learned);
    for (std::size_t i = 0; i < 10; ++i) {
        const auto objects = static_cast<std::size_t>(set.scenes[i].objects);
        for (const std::uint32_t hidden : {kHideOwnLabel, set.targets[1]}) {
            std::vector<float> found(learned.targets.size() * objects, -1.0F);
            scores(i, hidden, found);
            for (std::size_t t = 0; t < learned.targets.size(); ++t) {
                Instance instance = scene_instance(set.scenes, i, learned.targets[t].target);
                if (hidden != kHideOwnLabel)
                    instance.facts[hidden].clear();
                const std::vector<float> expected = infer(learned.model(t), instance, 4);
                for (std::size_t x = 0; x < objects; ++x)
                    EXPECT_NEAR(found[t * objects + x], expected[x], 1e-5F);
            }
        }
    }
}

TEST(Multitask, IsReadBackAsItWasWritten) {
    const PlantedSet set = small_set();
    const ScratchFolder folder;
    for (const bool shared : {true, false}) {
        MultitaskSettings settings = few_rounds(2);
        settings.shared = shared;
        const Multitask learned = learn_targets(set.scenes, multitask_options(), settings).learned;
        save_multitask(folder / "all", learned);
        const Multitask read = load_multitask(folder / "all");
        expect_equal(read, learned);
        EXPECT_EQ(read.start, learned.start);
        EXPECT_EQ(read.predicates, learned.predicates);
        EXPECT_EQ(read.options, learned.options);
        EXPECT_EQ(read.model(1).parameters.predicates, learned.model(1).parameters.predicates);
    }
    write_file(folder / "all", read_file(folder / "all").substr(0, 4000));
    EXPECT_THROW(load_multitask(folder / "all"), Error);
}

TEST(Multitask, DoesNotDependOnThreads) {
    const PlantedSet set = small_set();
    for (const bool shared : {true, false}) {
        MultitaskSettings settings = few_rounds(8);
        settings.shared = shared;
        const Multitask one = learn_targets(set.scenes, multitask_options(), settings).learned;
        settings.threads = 3;
        expect_equal(learn_targets(set.scenes, multitask_options(), settings).learned, one);
    }
}

TEST(Multitask, ResumesAsIfItHadNotStopped) {
    const PlantedSet set = small_set();
    const ScratchFolder folder;
    for (const Update update : {Update::summed, Update::sequential}) {
        for (const bool shared : {true, false}) {
            MultitaskSettings settings = few_rounds(12);
            settings.update = update;
            settings.shared = shared;
            const Multitask whole =
                learn_targets(set.scenes, multitask_options(), settings).learned;
            settings.checkpoint = folder / "checkpoint";
            std::atomic<bool> stop = false;
            settings.interrupt = &stop;
            settings.progress = [&](const MultitaskProgress& now) { stop = now.round == 5; };
            const MultitaskResult half = learn_targets(set.scenes, multitask_options(), settings);
            EXPECT_EQ(half.stop_reason, StopReason::interrupted);
            EXPECT_EQ(half.rounds, 6);
            settings.interrupt = nullptr;
            settings.resume = true;
            const MultitaskResult rest = learn_targets(set.scenes, multitask_options(), settings);
            EXPECT_EQ(rest.rounds, 12);
            expect_equal(rest.learned, whole);
        }
    }
}

TEST(Multitask, RefusesTheCheckpointOfAnotherRun) {
    const PlantedSet set = small_set();
    const ScratchFolder folder;
    MultitaskSettings settings = few_rounds(2);
    settings.checkpoint = folder / "checkpoint";
    learn_targets(set.scenes, multitask_options(), settings);
    settings.resume = true;
    settings.seed = 4;
    try {
        learn_targets(set.scenes, multitask_options(), settings);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("seed was 3 and is now 4"));
    }
    write_file(settings.checkpoint, read_file(settings.checkpoint).substr(0, 3000));
    EXPECT_THROW(learn_targets(set.scenes, multitask_options(), settings), Error);
}

TEST(Multitask, SharesOneTableOfEmbeddings) {
    const PlantedSet set = small_set();
    const Multitask all = learn_targets(set.scenes, multitask_options(), few_rounds(3)).learned;
    EXPECT_NE(all.background, all.start);
    MultitaskSettings alone = few_rounds(3);
    alone.targets = {set.targets[0]};
    // what the others learn changes what the first one reads
    EXPECT_NE(learn_targets(set.scenes, multitask_options(), alone).learned.background,
              all.background);
    MultitaskSettings unshared = few_rounds(3);
    unshared.shared = false;
    const Multitask apart = learn_targets(set.scenes, multitask_options(), unshared).learned;
    EXPECT_EQ(apart.background, apart.start);
    EXPECT_NE(apart.targets[0].background, apart.targets[1].background);
}

TEST(Multitask, ModelsLackTheirOwnPredicate) {
    const PlantedSet set = small_set();
    const Multitask learned = learn_targets(set.scenes, multitask_options(), few_rounds(1)).learned;
    const Model model = learned.model(2);
    EXPECT_EQ(model.target.name, "target2");
    EXPECT_EQ(model.inputs.size(), set.scenes.predicates().size() - 1);
    EXPECT_EQ(std::count(model.inputs.begin(), model.inputs.end(), model.target), 0);
    const std::vector<float> row(learned.background.begin() + 3 * 30,
                                 learned.background.begin() + 4 * 30);
    EXPECT_TRUE(
        std::equal(row.begin(), row.end(), model.parameters.predicates.begin() + (2 + 2) * 30));
}

TEST(Multitask, SkipsLargeImagesAndTargetsWithout) {
    const PlantedSet set = small_set();
    MultitaskSettings settings = few_rounds(2);
    settings.max_objects = 4;
    const MultitaskResult result = learn_targets(set.scenes, multitask_options(), settings);
    for (const TargetParameters& target : result.learned.targets) {
        std::size_t expected = 0;
        for (const std::uint32_t i : set.scenes.with_name(target.target))
            expected += static_cast<std::size_t>(set.scenes[i].objects <= 4);
        EXPECT_EQ(target.images, expected);
    }
    settings.max_objects = 3;
    EXPECT_EQ(learn_targets(set.scenes, multitask_options(), settings).instances, 0);
}

}  // namespace
}  // namespace hri::test
