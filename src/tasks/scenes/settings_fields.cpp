// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for the generator of scenes.

#include "hri/scenes.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<GenerateOptions>>& fields_of<GenerateOptions>() {
    using S = GenerateOptions;
    constexpr const char* kGroup = "Synthetic scenes";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "images",
                      .help = "The number of synthetic images.",
                      .group = kGroup,
                      .common = true},
                     &S::images, 1, 10'000'000),
        base::text({.name = "planted",
                    .help = "The rules that hold in synthetic images, as Prolog text; without them "
                            "20 targets have rules.",
                    .group = kGroup},
                   &S::planted),
        base::number({.name = "planted_share",
                      .help = "The share of images that begin with the body of a planted rule, or "
                              "nearly.",
                      .group = kGroup},
                     &S::planted_share, 0, 1),
        base::number({.name = "near_misses",
                      .help = "The share of these images that have one atom of the body changed.",
                      .group = kGroup},
                     &S::near_misses, 0, 1),
        base::number({.name = "noise",
                      .help = "The share of planted labels that are wrong.",
                      .group = kGroup,
                      .common = true},
                     &S::noise, 0, 1),
        base::number({.name = "max_objects",
                      .help = "The largest number of objects of an image.",
                      .group = kGroup,
                      .common = true},
                     &S::max_objects, 2, 1000),
        base::number({.name = "seed",
                      .help = "The seed of all random numbers.",
                      .group = kGroup,
                      .common = true},
                     &S::seed, 0)};
    return fields;
}

}  // namespace hri
