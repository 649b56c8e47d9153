// SPDX-License-Identifier: Apache-2.0

// Many targets over images as a GPU works them off, in loops, against the processor's own training
// without noise; and on a GPU, where there is one.

#include "train/targets/batch_rounds.hpp"

#include "hri/device.hpp"
#include "hri/multitask.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/cuda_images.hpp"
#include "soft/cuda/host_images.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hri {
namespace {

Options exact_options() {
    Options options = multitask_options();
    options.dimension = 8;
    options.skip_pairs = options.skip_gradients = 0;
    options.gumbel = options.predicate_noise = options.slot_noise = 0;
    return options;
}

MultitaskSettings settings_of(const SceneSet& scenes, int rounds, double joint) {
    MultitaskSettings settings;
    settings.targets.assign(scenes.targets().begin(), scenes.targets().begin() + 6);
    settings.rounds = rounds;
    settings.positives = 2;
    settings.randoms = 2;
    settings.joint = joint;
    settings.seed = 3;
    return settings;
}

SceneSet some_scenes() { return generate_scenes({.images = 60, .seed = 4}); }

/// All rounds, as learn_targets() does them.
template <class Batch>
Multitask learned_by(const SceneSet& scenes, const Options& options,
                     const MultitaskSettings& settings) {
    const ProtoRules protorules = make_protorules(options);
    const training::ImageSampler draws(scenes, settings.targets, settings);
    training::Contests contests(scenes, settings.targets, settings);
    training::Training training(scenes, options, settings);
    const int first_joint = settings.rounds - static_cast<int>(settings.joint * settings.rounds);
    for (std::size_t t = 0; t < settings.targets.size(); ++t)
        if (settings.joint > 0)
            training.learned.targets[t].calibration[0] = contests.log_frequency(t);
    const soft::ImageSetup setup = soft::make_image_setup(
        scenes, protorules, options, settings.targets, settings.max_objects, true, 17);
    training::BatchRounds<Batch> rounds(
        setup, {options, settings, draws, contests, training, first_joint});
    rounds.train_alone(0, first_joint);
    for (int round = first_joint; round < settings.rounds; ++round)
        rounds.train_jointly(round);
    rounds.store(false);
    return training.learned;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 const char* what) {
    ASSERT_EQ(found.size(), expected.size());
    double most = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        most = std::max(most, std::abs(static_cast<double>(found[i] - expected[i])));
    EXPECT_LT(most, 1e-4) << what;
}

void expect_same(const Multitask& found, const Multitask& expected) {
    expect_near(found.background, expected.background, "background");
    for (std::size_t t = 0; t < expected.targets.size(); ++t) {
        expect_near(found.targets[t].slots, expected.targets[t].slots, "slots");
        expect_near(found.targets[t].auxiliaries, expected.targets[t].auxiliaries, "auxiliaries");
        expect_near(found.targets[t].calibration, expected.targets[t].calibration, "calibration");
    }
}

TEST(BatchRounds, TrainTargetsAloneAsTheProcessorDoes) {
    const SceneSet scenes = some_scenes();
    const MultitaskSettings settings = settings_of(scenes, 3, 0);
    const Multitask expected = learn_targets(scenes, exact_options(), settings).learned;
    EXPECT_NE(expected.background, expected.start);
    expect_same(learned_by<soft::HostImages>(scenes, exact_options(), settings), expected);
}

TEST(BatchRounds, TrainTargetsJointlyAsTheProcessorDoes) {
    const SceneSet scenes = some_scenes();
    const MultitaskSettings settings = settings_of(scenes, 4, 0.5);
    const Multitask expected = learn_targets(scenes, exact_options(), settings).learned;
    expect_same(learned_by<soft::HostImages>(scenes, exact_options(), settings), expected);
}

TEST(BatchRounds, RefuseWhatAGpuCannotDo) {
    const SceneSet scenes = some_scenes();
    MultitaskSettings settings = settings_of(scenes, 2, 0);
    settings.device = Device::cuda;
    settings.shared = false;
    EXPECT_THROW(learn_targets(scenes, exact_options(), settings), Error);
}

TEST(BatchRounds, GiveOnAGpuWhatTheProcessorGivesAndTheSameBitsEveryTime) {
    if (!soft::why_no_cuda().empty())
        GTEST_SKIP() << soft::why_no_cuda();
    const SceneSet scenes = some_scenes();
    for (const double joint : {0.0, 0.5}) {
        MultitaskSettings settings = settings_of(scenes, 4, joint);
        const Multitask expected = learn_targets(scenes, exact_options(), settings).learned;
        settings.device = Device::cuda;
        expect_same(learn_targets(scenes, exact_options(), settings).learned, expected);
        settings.rounds = 40;
        Options noisy = multitask_options();
        const Multitask once = learn_targets(scenes, noisy, settings).learned;
        const Multitask again = learn_targets(scenes, noisy, settings).learned;
        EXPECT_EQ(once.background, again.background);
        EXPECT_EQ(once.targets[3].slots, again.targets[3].slots);
    }
}

}  // namespace
}  // namespace hri
