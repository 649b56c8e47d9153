// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"

namespace hri::cli {

Command learn_command();
Command ask_command();
Command compare_command();
Command why_not_command();
Command eval_command();
Command multitask_command();
Command rules_command();
Command export_command();
Command explain_command();
Command rank_command();
Command predict_command();
Command plot_command();
Command inspect_command();
Command tasks_command();
Command reproduce_command();
Command rl_command();
Command scenes_command();
Command scenes_freq_command();
Command reach_command();
Command bench_command();
Command studio_command();

/// The program: every command, and those of none.
Command all_commands();

}  // namespace hri::cli
