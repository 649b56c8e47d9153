// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/rl.hpp"

#include <CLI/CLI.hpp>

namespace hri::cli {

/// --restarts, --time-limit, --evaluations, --guide: the search for a policy.
void add_search_flags(CLI::App& command, RlSettings& settings);

}  // namespace hri::cli
