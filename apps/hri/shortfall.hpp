// SPDX-License-Identifier: Apache-2.0
#pragma once

// What to say where no program explains the training data.

#include "hri/learn.hpp"

#include <string>

namespace hri::cli {

/// The examples that the program gets wrong, some of them by name, and what might help: one line
/// each.
std::string shortfall(const Report& report, const Problem& problem, const LearnSettings& settings);

}  // namespace hri::cli
