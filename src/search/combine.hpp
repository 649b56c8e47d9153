// SPDX-License-Identifier: Apache-2.0
#pragma once

// The choice of a set of rules. What a set costs is the caller's: errors and atoms of clauses
// (clauses/combine.hpp), or bits by confidences (scene_rules.cpp). How a set is found is the same.

#include <cstddef>
#include <vector>

namespace hri::search {

/// The cost of a set of rules. Rules are numbers, and come and go.
class SetCost {
  public:
    SetCost() = default;
    SetCost(const SetCost&) = delete;
    SetCost& operator=(const SetCost&) = delete;
    virtual ~SetCost() = default;

    /// The saving of one more rule.
    virtual double gain(std::size_t rule) const = 0;
    virtual void add(std::size_t rule) = 0;
    virtual void remove(std::size_t rule) = 0;
};

struct CombineSettings {
    std::size_t max_rules = 0;    ///< of the set; 0: any number
    std::size_t max_changes = 0;  ///< 0: any number
    double min_gain = 0;          ///< a change saves more
    /// Gains are computed again only when they come first. This suits many rules whose gains mostly
    /// fall as others join. Otherwise each step adds the rule that saves most.
    bool lazy = false;
    /// Where no rule helps alone, one of the set leaves for another. Otherwise it may only leave.
    bool exchange = true;
};

/// Adds the rule that saves most, as long as one does. Then a rule leaves the set where that saves,
/// and others are tried again. `start` is the set to begin with. The set is as `cost` knows it.
std::vector<std::size_t> combine(SetCost& cost, std::size_t rules, const CombineSettings& settings,
                                 const std::vector<std::size_t>& start = {});

}  // namespace hri::search
