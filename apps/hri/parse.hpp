// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"

#include <string>
#include <vector>

namespace hri::cli {

/// Does what the arguments ask for, the program's name first, and gives the exit code.
/// `--train_steps` counts as `--train-steps`. Throws Error on a mistake, with what was expected and
/// the nearest flag or command. Fields are named as flags in what it throws.
int run_command_line(Command& program, std::vector<std::string> arguments);

/// A hint whose fields in braces are named as flags of the command that runs.
std::string with_flags(const std::string& hint);

}  // namespace hri::cli
