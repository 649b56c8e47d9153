// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instances and images as one database, for searches over clauses. Constants are numbered in one
// row, instance by instance, so that no clause joins two instances.

#include "hri/data.hpp"
#include "hri/scenes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hri::data {

struct InstanceDatabase {
    Database database;
    std::vector<std::int32_t> starts = {0};  ///< [instance]: its first constant; and the end

    /// The instance of each constant.
    std::vector<std::int32_t> instances() const;
};

/// Facts of all inputs that have arguments, from a valuation of 0.5 on. The labels are examples.
InstanceDatabase instance_database(const std::vector<Instance>& instances,
                                   const std::vector<PredicateSymbol>& inputs,
                                   const PredicateSymbol& target);

/// Names and relations of images: a table for each predicate, in their order. No examples.
InstanceDatabase instance_database(const SceneSet& scenes, std::span<const std::uint32_t> images);

}  // namespace hri::data
