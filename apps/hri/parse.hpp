// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hri::cli {

/// Parses the arguments, the program's name first. `--train_steps` counts as `--train-steps`.
/// Returns an exit code where all is said (--help, --version); throws Error on a mistake, naming
/// the nearest flag or command where one is unknown.
std::optional<int> parse(CLI::App& app, std::vector<std::string> arguments);

}  // namespace hri::cli
