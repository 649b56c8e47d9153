// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"
#include "option_flags.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::cli {

/// What every table takes.
struct TableFlags {
    int seeds = 10;
    std::uint64_t first_seed = 0;
    std::vector<std::string> tasks;
    std::string state_file;
    std::string json_file;
    OptionFlags options;

    void add_to(CLI::App& command);
};

/// --state and --json
void add_state_and_json(CLI::App& command, std::string& state_file, std::string& json_file);

/// --jobs; begins with all cores.
void add_jobs(CLI::App& command, int& jobs);

/// What an interrupted table says; the exit code.
int interrupted(const std::string& state_file);

/// The tables of single training runs.
void add_comparisons(CLI::App& reproduce, Action& action);

// One per other table.
void add_reproduce_embeddings(CLI::App& reproduce, Action& action);
void add_reproduce_gqa(CLI::App& reproduce, Action& action);
void add_reproduce_portfolio(CLI::App& reproduce, Action& action);
void add_reproduce_recovery(CLI::App& reproduce, Action& action);
void add_reproduce_rl(CLI::App& reproduce, Action& action);
void add_reproduce_skipping(CLI::App& reproduce, Action& action);

}  // namespace hri::cli
