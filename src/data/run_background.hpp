// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the rules of a background: those over constants to their fixpoint, others by SWI-Prolog.

#include "data/grounding/ground_background.hpp"
#include "data/raw_dataset.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hri::data {

/// Fills the tables of inputs. Those that can only be called leave `inputs`, and are in what is
/// returned. Throws Error.
std::optional<Grounded> run_background(RawDataset& data, int target, std::vector<int>& inputs,
                                       std::vector<std::string>& notes);

}  // namespace hri::data
