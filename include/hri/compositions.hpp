// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stories of relatives. A story is a chain of family relations; the question is how its two ends
// are related.
//
//   const InMemoryData stories = kinship_stories({.shortest = 2, .longest = 3, .seed = 1});
//   std::vector<TargetReport> learned = learn_together(kinship_problems(stories), {}, {});

#include "hri/data.hpp"
#include "hri/fields.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri {

struct StorySettings {
    int shortest = 2;  ///< links of a chain
    int longest = 3;
    int stories = 2'000;  ///< of all lengths together
    std::uint64_t seed = 0;
};

template <>
const std::vector<Field<StorySettings>>& fields_of<StorySettings>();

/// The 18 relations that are asked for: father, grandson, uncle, mother_in_law, ... `uncle(X,Y)`
/// says that an uncle of X is Y. Stories tell of husbands and wives too.
const std::vector<std::string>& kinship_targets();

/// Facts are the links. The ends of a story are a positive example of their relation, and a
/// negative one of the others. Each story has people of its own.
InMemoryData kinship_stories(const StorySettings& settings);

/// One problem for each target.
std::vector<Problem> kinship_problems(const InMemoryData& stories);

}  // namespace hri
