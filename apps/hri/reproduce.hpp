// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"

namespace hri::cli {

// One per table.
void add_reproduce_ilp(CLI::App& reproduce, Action& action);
void add_reproduce_rl(CLI::App& reproduce, Action& action);

}  // namespace hri::cli
