// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/options.hpp"

#include <string>

namespace hri::cli {

/// Prints the least model that represents the program of a file. The exit code.
int reach_program(const std::string& file, const Options& options, const std::string& json_file);
/// The same for every built-in task's solution, as a table.
int reach_tasks(const Options& options, const std::string& json_file);

}  // namespace hri::cli
