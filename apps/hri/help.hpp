// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"

#include <string>

namespace hri::cli {

/// The text of --help: the flags that most users need, or all of them in groups. `full_name` is the
/// command with those above it: "hri tasks show".
std::string help_text(const Command& command, const std::string& full_name, bool all);

/// The flags of a command and of those below it as tables of Markdown.
std::string help_markdown(const Command& command, const std::string& full_name);

/// "--time-limit SECONDS", "TASK"
std::string usage(const Flag& flag);

}  // namespace hri::cli
