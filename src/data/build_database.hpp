// SPDX-License-Identifier: Apache-2.0
#pragma once

// The database of a problem: all that was read, before it is made into instances.

#include "hri/database.hpp"

#include "data/raw_dataset.hpp"

#include <memory>
#include <vector>

namespace hri::data {

/// `inputs` are tables, of any arity. The target's own facts come last.
std::shared_ptr<Database> build_database(const RawDataset& data, int target,
                                         const std::vector<int>& inputs, bool closed_world);

}  // namespace hri::data
