// SPDX-License-Identifier: Apache-2.0
#pragma once

// The predicates that facts and labels are about.
//
//   auto schema = make_schema({{"father", 2}, {"mother", 2}}, {"grandparent", 2});
//   Instance instance = make_instance(schema, 3);          // hri/data.hpp
//   instance.facts[0] = {{0, 1}, {1, 2}};                  // father(0,1), father(1,2)

#include "hri/logic.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hri {

struct Schema {
    std::vector<PredicateSymbol> inputs;  ///< Instance::facts has the same order
    PredicateSymbol target;               ///< of Instance::labels
    /// Of predicates' arguments, where the data declare them; values are names of types, and "in"
    /// or "out".
    std::map<PredicateSymbol, std::vector<std::string>> types = {};
    std::map<PredicateSymbol, std::vector<std::string>> directions = {};
    bool operator==(const Schema&) const = default;
};

/// All instances of a problem share one schema, which never changes.
using SharedSchema = std::shared_ptr<const Schema>;

/// A schema without types and directions.
SharedSchema make_schema(std::vector<PredicateSymbol> inputs, PredicateSymbol target = {});

}  // namespace hri
