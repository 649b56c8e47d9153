// SPDX-License-Identifier: Apache-2.0

// hri reproduce TABLE: the paper's tables, ours beside theirs. Those of single training runs are
// data in reproduce_comparisons.cpp, each other one is a file, reproduce_NAME.cpp.

#include "reproduce.hpp"

#include "runs.hpp"

#include <fmt/format.h>

namespace hri::cli {

void TableFlags::add_to(CLI::App& command) {
    command.add_option("--seeds", seeds, "runs per task, with the seeds 0, 1, ...")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("[10]");
    command.add_option("--first-seed", first_seed, "begin with another seed than 0")
        ->option_text("[0]");
    command.add_option("--tasks", tasks, "some of the tasks, separated by commas")
        ->delimiter(',')
        ->take_all()
        ->option_text("A,B");
    add_state_and_json(command, state_file, json_file);
    options.add_to(command);
}

void add_state_and_json(CLI::App& command, std::string& state_file, std::string& json_file) {
    command
        .add_option("--state,--resume", state_file,
                    "remembers finished runs, so that the same command goes on after a break")
        ->option_text("FILE");
    command.add_option("--json", json_file, "the table")->option_text("FILE");
}

void add_jobs(CLI::App& command, int& jobs) {
    jobs = all_cores();
    command.add_option("--jobs", jobs, "runs at a time; the table does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->option_text("[all cores]");
}

int interrupted(const std::string& state_file) {
    fmt::print(stderr, "hri: interrupted{}\n",
               state_file.empty() ? "" : "; the same command goes on from here");
    return kNo;
}

void add_reproduce(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("reproduce", "Make the paper's tables again");
    command->require_subcommand(1);
    command->footer("Example:\n  hri reproduce ilp --seeds 10 --json ilp.json");
    add_comparisons(*command, action);
    add_reproduce_embeddings(*command, action);
    add_reproduce_gqa(*command, action);
    add_reproduce_portfolio(*command, action);
    add_reproduce_recovery(*command, action);
    add_reproduce_rl(*command, action);
    add_reproduce_skipping(*command, action);
}

}  // namespace hri::cli
