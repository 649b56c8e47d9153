// SPDX-License-Identifier: Apache-2.0

// The fields of the generators that experiments learn from.

#include "hri/compositions.hpp"
#include "hri/customers.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<CustomerSettings>>& fields_of<CustomerSettings>() {
    using S = CustomerSettings;
    constexpr const char* kGroup = "Customers";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "customers",
                      .help = "The number of customers.",
                      .group = kGroup,
                      .common = true},
                     &S::customers, 1, 10'000'000),
        base::number(
            {.name = "noise", .help = "The share of the labels that are wrong.", .group = kGroup},
            &S::noise, 0, 0.999),
        base::number({.name = "seed", .help = "The seed of the customers.", .group = kGroup},
                     &S::seed, 0)};
    return fields;
}

template <>
const std::vector<Field<StorySettings>>& fields_of<StorySettings>() {
    using S = StorySettings;
    constexpr const char* kGroup = "Stories";
    static const std::vector<Field<S>> fields = {
        base::number(
            {.name = "shortest", .help = "The links of the shortest chain.", .group = kGroup},
            &S::shortest, 2, 1'000),
        base::number(
            {.name = "longest", .help = "The links of the longest chain.", .group = kGroup},
            &S::longest, 2, 1'000),
        base::number({.name = "stories",
                      .help = "The number of stories of all lengths together.",
                      .group = kGroup,
                      .common = true},
                     &S::stories, 1, 10'000'000),
        base::number({.name = "seed", .help = "The seed of the stories.", .group = kGroup},
                     &S::seed, 0)};
    return fields;
}

}  // namespace hri
