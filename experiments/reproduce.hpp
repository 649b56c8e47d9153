// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/device.hpp"

#include "command.hpp"
#include "option_flags.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::cli {

/// The file of a table, and the number of runs at a time.
struct RunFlags {
    std::string state_file;
    std::string json_file;
    int threads = 1;  ///< begins with all cores
    Device device = Device::cpu;

    /// --state and --json
    void add_files_to(Command& command);
    /// --threads
    void add_threads_to(Command& command);
    /// --device
    void add_device_to(Command& command);
};

/// The flags of every table.
struct TableFlags {
    int seeds = 10;
    std::uint64_t first_seed = 0;
    std::vector<std::string> tasks;
    RunFlags run;
    OptionFlags options;

    void add_to(Command& command);
};

/// Prints that a table was interrupted; returns the exit code.
int interrupted(const std::string& state_file);

/// The tables of single training runs.
std::vector<Command> comparison_commands();

// One per other table.
Command embeddings_table();
Command gqa_table();
Command customers_table();
Command kinship_table();
Command popper_table();
Command graphs_table();
Command portfolio_table();
Command recovery_table();
Command rl_table();
Command skipping_table();
Command unseen_table();

}  // namespace hri::cli
