// SPDX-License-Identifier: Apache-2.0

// hri reproduce TABLE: the paper's tables, ours beside theirs. One file per table:
// reproduce_NAME.cpp.

#include "reproduce.hpp"

#include "command.hpp"

namespace hri::cli {

void add_reproduce(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("reproduce", "Make the paper's tables again");
    command->require_subcommand(1);
    command->footer("Example:\n  hri reproduce ilp --seeds 10 --json ilp.json");
    add_reproduce_ilp(*command, action);
    add_reproduce_rl(*command, action);
}

}  // namespace hri::cli
