// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for training one target and many targets.

#include "hri/graph_scenes.hpp"
#include "hri/multitask.hpp"
#include "hri/train.hpp"
#include "hri/trainable.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<TrainSettings>>& fields_of<TrainSettings>() {
    using S = TrainSettings;
    constexpr const char* kGroup = "Run";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "seed",
                      .help = "The seed of all random numbers.",
                      .group = kGroup,
                      .common = true},
                     &S::seed, 0),
        base::choice({.name = "device",
                      .help = "The device that trains. A GPU trains runs side by side, in the "
                              "exact mode.",
                      .group = kGroup},
                     &S::device, {{"cpu", Device::cpu}, {"cuda", Device::cuda}}),
        base::number({.name = "threads",
                      .help = "Threads inside a step, over instances of 64 constants or more; the "
                              "result does not depend on them.",
                      .group = kGroup},
                     &S::threads, 1, 1024),
        base::number({.name = "time_limit",
                      .help = "The seconds after which training stops; 0 means no limit.",
                      .group = kGroup,
                      .placeholder = "SECONDS",
                      .common = true},
                     &S::time_limit, 0),
        base::number({.name = "log_every",
                      .help = "The iterations between points of the training curve; 0 means none.",
                      .group = kGroup},
                     &S::log_every, 0),
        base::number({.name = "check_every",
                      .help = "The iterations between checks whether the model is done; 0 means "
                              "never.",
                      .group = kGroup},
                     &S::check_every, 0)};
    return fields;
}

template <>
const std::vector<Field<MultitaskSettings>>& fields_of<MultitaskSettings>() {
    using S = MultitaskSettings;
    constexpr const char* kGroup = "Rounds";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "rounds",
                      .help = "The rounds over all targets.",
                      .group = kGroup,
                      .common = true},
                     &S::rounds, 1),
        base::number({.name = "positives",
                      .help = "The images with the target, per target and round.",
                      .group = kGroup,
                      .common = true},
                     &S::positives, 1, 100'000),
        base::number({.name = "randoms",
                      .help = "The images with other targets, per target and round.",
                      .group = kGroup,
                      .common = true},
                     &S::randoms, 0, 100'000),
        base::number({.name = "max_objects",
                      .help = "Images with more objects are skipped.",
                      .group = kGroup,
                      .common = true},
                     &S::max_objects, 1, 10'000),
        base::choice({.name = "update",
                      .help = "When shared embeddings are updated: once per round by the sum over "
                              "targets, or after every image.",
                      .group = kGroup,
                      .common = true},
                     &S::update, {{"summed", Update::summed}, {"sequential", Update::sequential}}),
        base::number({.name = "joint",
                      .help = "The share of the rounds, the last ones, in which all targets "
                              "compete for the objects of images in one softmax; 0 trains every "
                              "target alone, as the paper does.",
                      .group = kGroup,
                      .common = true},
                     &S::joint, 0, 1),
        base::number({.name = "hardness",
                      .help = "In the rounds in which targets compete: how far objects are drawn "
                              "in proportion to the loss of their name. 0 draws them as frequent "
                              "as they are.",
                      .group = kGroup,
                      .common = true},
                     &S::hardness, 0, 1),
        base::boolean({.name = "shared",
                       .help = "Every target has background embeddings of its own.",
                       .group = kGroup,
                       .flag = "unshared",
                       .common = true,
                       .turns_off = true},
                      &S::shared),
        base::number({.name = "seed",
                      .help = "The seed of all random numbers.",
                      .group = kGroup,
                      .common = true},
                     &S::seed, 0),
        base::choice({.name = "device",
                      .help = "The device that trains: cuda is an NVIDIA GPU. A seed gives another "
                              "run there.",
                      .group = kGroup,
                      .common = true},
                     &S::device, {{"cpu", Device::cpu}, {"cuda", Device::cuda}}),
        base::number({.name = "threads",
                      .help = "The threads of each process; the result does not depend on them.",
                      .group = kGroup,
                      .common = true},
                     &S::threads, 1, 1024),
        base::number({.name = "time_limit",
                      .help = "The seconds after which training stops; 0 means no limit.",
                      .group = kGroup,
                      .placeholder = "SECONDS",
                      .common = true},
                     &S::time_limit, 0),
        base::text({.name = "checkpoint",
                    .help = "The file that says where the run stands.",
                    .group = kGroup,
                    .placeholder = "FILE"},
                   &S::checkpoint),
        base::number({.name = "checkpoint_every",
                      .help = "The rounds between checkpoints.",
                      .group = kGroup,
                      .common = true},
                     &S::checkpoint_every, 1),
        base::boolean({.name = "resume",
                       .help = "The run goes on from its checkpoint.",
                       .group = kGroup,
                       .common = true},
                      &S::resume)};
    return fields;
}

template <>
const std::vector<Field<RefineRulesSettings>>& fields_of<RefineRulesSettings>() {
    using S = RefineRulesSettings;
    constexpr const char* kGroup = "Refinement";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "max_images",
                      .help = "The largest number of training images to judge by, drawn at random.",
                      .group = kGroup},
                     &S::max_images, 1),
        base::number({.name = "max_objects",
                      .help = "Images with more objects are skipped.",
                      .group = kGroup},
                     &S::max_objects, 1, 10'000),
        base::number({.name = "seed", .help = "The seed of the drawn images.", .group = kGroup},
                     &S::seed, 0),
        base::number({.name = "threads",
                      .help = "The threads of each process; the result does not depend on them.",
                      .group = kGroup},
                     &S::threads, 1, 1024)};
    return fields;
}

template <>
const std::vector<Field<TrainableSettings>>& fields_of<TrainableSettings>() {
    using S = TrainableSettings;
    constexpr const char* kGroup = "Own training loop";
    static const std::vector<Field<S>> fields = {
        base::boolean({.name = "input_gradients",
                       .help = "The backward pass computes the gradients of the facts too.",
                       .group = kGroup},
                      &S::input_gradients),
        base::number({.name = "threads",
                      .help = "The threads that share a batch; the result does not depend on them.",
                      .group = kGroup},
                     &S::threads, 1, 1024)};
    return fields;
}

template <>
const std::vector<Field<GraphSceneSettings>>& fields_of<GraphSceneSettings>() {
    using S = GraphSceneSettings;
    constexpr const char* kGroup = "Worlds of a graph";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "max_objects",
                      .help = "The largest number of entities around the centre of a world.",
                      .group = kGroup},
                     &S::max_objects, 1, 1'000'000),
        base::number({.name = "max_scenes",
                      .help = "The largest number of worlds; they are spread over the entities.",
                      .group = kGroup},
                     &S::max_scenes, 1),
        base::number({.name = "seed",
                      .help = "The seed of the choice of entities around a centre.",
                      .group = kGroup},
                     &S::seed, 0)};
    return fields;
}

}  // namespace hri
