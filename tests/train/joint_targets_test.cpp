// SPDX-License-Identifier: Apache-2.0

// Targets that compete for objects in one softmax.

#include "hri/multitask.hpp"

#include "data/scratch_folder.hpp"
#include "train/planted.hpp"
#include "train/targets/contests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

MultitaskSettings joint_rounds(int rounds) {
    MultitaskSettings settings;
    settings.rounds = rounds;
    settings.joint = 0.5;
    settings.seed = 3;
    return settings;
}

TEST(Contests, AreOfObjectsThatHaveTheName) {
    const PlantedSet set = small_set();
    training::Contests contests(set.scenes, set.targets, joint_rounds(10));
    ASSERT_TRUE(contests.any());
    const std::vector<TargetParameters> targets(set.targets.size());
    std::set<std::size_t> met;
    for (int round = 0; round < 40; ++round) {
        contests.pick(round, targets);
        ASSERT_EQ(contests.contests().size(), 10U);
        for (const training::Contest& contest : contests.contests()) {
            ASSERT_FALSE(contest.objects.empty());
            met.insert(contest.target);
            const Scene scene = set.scenes[contest.image];
            std::vector<std::uint32_t> named;
            for (const SceneLabel& name : scene.names)
                if (name.predicate == set.targets[contest.target])
                    named.push_back(name.object);
            EXPECT_EQ(contest.objects, named);
        }
    }
    EXPECT_EQ(met.size(), set.targets.size());
}

TEST(Contests, AreOfHardNamesMoreOften) {
    const PlantedSet set = small_set();
    std::vector<TargetParameters> targets(set.targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t)
        targets[t].loss = t == 0 ? 2.0F : 1.0F;
    const auto share_of_first = [&](double hardness) {
        MultitaskSettings settings = joint_rounds(10);
        settings.hardness = hardness;
        training::Contests contests(set.scenes, set.targets, settings);
        double first = 0;
        for (int round = 0; round < 400; ++round) {
            contests.pick(round, targets);
            EXPECT_EQ(contests.contests().size(), 10U);
            for (const training::Contest& contest : contests.contests())
                first += contest.target == 0 ? 1.0 / 4000 : 0;
        }
        return first;
    };
    const double frequency = share_of_first(0);
    EXPECT_NEAR(share_of_first(1), 2 * frequency / (1 + frequency), 0.03);
    EXPECT_GT(share_of_first(0.5), frequency);
    targets[0].loss = 0;  // guessed without fail
    EXPECT_EQ(share_of_first(1), 0);
}

TEST(Contests, SlopesAreThoseOfTheLoss) {
    const PlantedSet set = small_set();
    training::Contests contests(set.scenes, set.targets, joint_rounds(10));
    std::vector<TargetParameters> targets(set.targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t)
        targets[t].calibration = {0.3F * static_cast<float>(t), 2.0F + static_cast<float>(t)};
    contests.pick(0, targets);
    Random random(1);
    for (float& value : contests.values())
        value = static_cast<float>(random.uniform());
    const std::size_t columns = contests.values().size() / targets.size();
    const auto loss = [&] { return contests.compete(targets) * static_cast<float>(columns); };
    constexpr float kStep = 1e-2F;
    const auto slope = [&](float& number) {
        const float kept = number;
        number = kept + kStep;
        const float above = loss();
        number = kept - kStep;
        const float below = loss();
        number = kept;
        return (above - below) / (2 * kStep);
    };
    for (std::size_t t = 0; t < targets.size(); ++t) {
        for (std::size_t j = 0; j < columns; j += 3) {
            const float expected = slope(contests.values_of(t)[j]);
            loss();
            EXPECT_NEAR(contests.slopes_of(t)[j], expected, 2e-2F) << t << " " << j;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const float expected = slope(targets[t].calibration[i]);
            loss();
            EXPECT_NEAR(contests.calibration_slopes(t)[i], expected, 2e-2F) << t << " " << i;
        }
    }
}

TEST(JointTargets, DoNotDependOnThreads) {
    const PlantedSet set = small_set();
    for (const bool shared : {true, false}) {
        MultitaskSettings settings = joint_rounds(8);
        settings.shared = shared;
        const Multitask one = learn_targets(set.scenes, multitask_options(), settings).learned;
        settings.threads = 3;
        expect_equal(learn_targets(set.scenes, multitask_options(), settings).learned, one);
    }
}

TEST(JointTargets, ResumeAsIfTheyHadNotStopped) {
    const PlantedSet set = small_set();
    const ScratchFolder folder;
    for (const int last : {3, 9}) {  // while targets train alone, and while they compete
        MultitaskSettings settings = joint_rounds(12);
        const Multitask whole = learn_targets(set.scenes, multitask_options(), settings).learned;
        settings.checkpoint = folder / ("checkpoint" + std::to_string(last));
        std::atomic<bool> stop = false;
        settings.interrupt = &stop;
        settings.progress = [&](const MultitaskProgress& now) { stop = now.round == last; };
        learn_targets(set.scenes, multitask_options(), settings);
        settings.interrupt = nullptr;
        settings.progress = {};
        settings.resume = true;
        expect_equal(learn_targets(set.scenes, multitask_options(), settings).learned, whole);
    }
}

TEST(JointTargets, AreReadBackWithTheirCalibration) {
    const PlantedSet set = small_set();
    const ScratchFolder folder;
    const Multitask learned =
        learn_targets(set.scenes, multitask_options(), joint_rounds(4)).learned;
    ASSERT_EQ(learned.targets[0].calibration.size(), 2U);
    save_multitask(folder / "all", learned);
    expect_equal(load_multitask(folder / "all"), learned);
}

TEST(JointTargets, RankBetterThanTargetsThatTrainAlone) {
    const PlantedSet set = planted_set(8, 6, 3, 300, 7, 2);
    std::vector<std::uint32_t> images(set.scenes.size());
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i] = static_cast<std::uint32_t>(i);
    const auto recall_at_1 = [&](double joint) {
        MultitaskSettings settings = joint_rounds(120);
        settings.joint = joint;
        const Multitask learned = learn_targets(set.scenes, multitask_options(), settings).learned;
        return recalls(set.scenes, images, set.targets, soft_scores(set.scenes, learned),
                       {.normalised = joint == 0})
            .per_object.recall_at_1;
    };
    const double alone = recall_at_1(0);
    const double joint = recall_at_1(0.5);
    EXPECT_GT(joint, alone);
}

}  // namespace
}  // namespace hri::test
