// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for rules over scene graphs.

#include "hri/scene_rules.hpp"

#include "base/fields.hpp"

namespace hri {

namespace {

constexpr const char* kGroup = "Rules of scene graphs";

template <class Settings>
Field<Settings> bodies_field() {
    return base::choice({.name = "bodies",
                         .help = "The bodies of rules: one relation of the object; also two of its "
                                 "relations; also a relation of its neighbour; or all of these.",
                         .group = kGroup},
                        &Settings::bodies,
                        {{"neighbours", SceneBodyShapes::neighbours},
                         {"pairs", SceneBodyShapes::pairs},
                         {"two-hops", SceneBodyShapes::two_hops},
                         {"all", SceneBodyShapes::all}});
}

}  // namespace

template <>
const std::vector<Field<SceneRuleSettings>>& fields_of<SceneRuleSettings>() {
    using S = SceneRuleSettings;
    static const std::vector<Field<S>> fields = {
        bodies_field<S>(),
        base::number({.name = "min_correct",
                      .help = "The fewest objects of a name that a rule covers.",
                      .group = kGroup},
                     &S::min_correct, 1),
        base::number({.name = "smoothing",
                      .help = "Confidences count so many objects more, as frequent as the name.",
                      .group = kGroup},
                     &S::smoothing, 0.001, 1e6),
        base::number({.name = "threads",
                      .help = "The threads that choose rules; the result does not depend on them.",
                      .group = kGroup},
                     &S::threads, 1, 1024)};
    return fields;
}

template <>
const std::vector<Field<NameSoftmaxSettings>>& fields_of<NameSoftmaxSettings>() {
    using S = NameSoftmaxSettings;
    static const std::vector<Field<S>> fields = {
        bodies_field<S>(),
        base::boolean({.name = "use_bodies",
                       .help = "The softmax sees nothing but other scores and the frequency of "
                               "names.",
                       .group = kGroup,
                       .flag = "no-bodies",
                       .turns_off = true},
                      &S::use_bodies),
        base::number({.name = "min_covered",
                      .help = "The fewest objects that a body of two relations covers.",
                      .group = kGroup},
                     &S::min_covered, 1),
        base::number({.name = "max_bodies",
                      .help = "The largest number of bodies; the most frequent ones are kept.",
                      .group = kGroup},
                     &S::max_bodies, 1),
        base::number({.name = "epochs",
                      .help = "The passes over all objects that train the softmax.",
                      .group = kGroup},
                     &S::epochs, 1, 100'000),
        base::number({.name = "max_images",
                      .help = "The largest number of images that the weights of other scores are "
                              "learned from.",
                      .group = kGroup},
                     &S::max_images, 1),
        base::number({.name = "seed", .help = "The seed of the order of objects.", .group = kGroup},
                     &S::seed, 0)};
    return fields;
}

}  // namespace hri
