// SPDX-License-Identifier: Apache-2.0
#pragma once

// Each command adds its flags to the command line; parsing selects the action that is run
// afterwards.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace hri::cli {

enum ExitCode : int {
    kYes = 0,      ///< done; learn: the program explains the training data
    kNo = 1,       ///< done, but the answer is no
    kMistake = 2,  ///< the user's
    kInternal = 3
};

using Action = std::function<int()>;

void add_learn(CLI::App& app, Action& action);
void add_ask(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_multitask(CLI::App& app, Action& action);
void add_rules(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_tasks(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_rl(CLI::App& app, Action& action);
void add_scenes(CLI::App& app, Action& action);
void add_reach(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

/// The command line as it was typed, for reports.
std::string& command_line();

}  // namespace hri::cli
