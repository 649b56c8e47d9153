// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/raw_dataset.hpp"

#include <string>
#include <vector>

namespace hri::data {

/// Warns where there are no facts at all, and where examples name constants that no fact has: both
/// are often misspelt.
void warn_about_examples(const RawDataset& data, int target, const std::vector<int>& inputs,
                         std::vector<std::string>& warnings);

}  // namespace hri::data
