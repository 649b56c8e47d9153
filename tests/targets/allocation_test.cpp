// SPDX-License-Identifier: Apache-2.0
// Once it has met images of every size, training on an image allocates nothing.

#include "hri/multitask.hpp"

#include "support/allocations.hpp"
#include "train/planted.hpp"
#include "train/targets/image_objective.hpp"

#include <gtest/gtest.h>

namespace hri::test {
namespace {

TEST(ImageObjective, AllocatesNothingForImagesOfKnownSizes) {
    const PlantedSet set = planted_set(4, 6, 3, 80, 9, 1);
    MultitaskSettings settings;
    settings.rounds = 1;
    const Options options = multitask_options();
    const Multitask learned = learn_targets(set.scenes, options, settings).learned;
    training::ImageObjective objective(options, make_protorules(options), options.dimension,
                                       set.scenes.predicates().size());
    std::vector<float> gradient(learned.background.size());
    const auto see_all = [&](double noise) {
        for (std::size_t i = 0; i < set.scenes.size(); ++i) {
            const TargetParameters& target = learned.targets[i % learned.targets.size()];
            objective.loss(
                set.scenes[i], target.target,
                {learned.background.data(), target.auxiliaries.data(), target.slots.data()},
                {noise, noise, 0.3, 0.1}, i);
            objective.gradient();
            objective.add_background_gradient(gradient.data());
        }
    };
    see_all(1.0);  // with noise, which pairs count differs
    see_all(0.1);
    const long before = test::allocations;
    see_all(0.2);
    EXPECT_EQ(test::allocations - before, 0);
}

}  // namespace
}  // namespace hri::test
