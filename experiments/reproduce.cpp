// SPDX-License-Identifier: Apache-2.0

// hri reproduce TABLE: the paper's tables, ours beside theirs. Those of single training runs are
// data in reproduce_comparisons.cpp, each other one is a file, reproduce_NAME.cpp.

#include "reproduce.hpp"

#include "commands.hpp"
#include "own_fields.hpp"

#include <fmt/format.h>
#include <utility>

namespace hri::cli {

void TableFlags::add_to(Command& command) {
    using F = TableFlags;
    static const std::vector<Field<F>> fields = {
        base::number(own("seeds", "The runs per task, with the seeds 0, 1, ..."), &F::seeds, 1,
                     1'000'000),
        base::number(own("first_seed", "The first seed."), &F::first_seed, 0),
        base::list(own("tasks", "The tasks of the table; without it all."), &F::tasks)};
    add_flags(command, *this, fields);
    run.add_files_to(command);
    options.add_to(command);
}

void RunFlags::add_files_to(Command& command) {
    using F = RunFlags;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("state", "Remembers finished runs, so that the same command goes on after a break.",
                "FILE"),
            &F::state_file),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    add_flags(command, *this, fields);
    command.flag("state").hidden_names = {"--resume"};
}

void RunFlags::add_threads_to(Command& command) {
    static const std::vector<Field<RunFlags>> fields = {
        base::number(own("threads", "The runs at a time; the table does not depend on it."),
                     &RunFlags::threads, 1, 1024)};
    add_flags(command, *this, fields);
    make_threads(command, threads);
}

void RunFlags::add_device_to(Command& command) {
    static const std::vector<Field<RunFlags>> fields = {
        base::choice(own("device",
                         "The device that trains. A GPU trains all seeds of a task side "
                         "by side, in the exact mode."),
                     &RunFlags::device, {{"cpu", Device::cpu}, {"cuda", Device::cuda}})};
    add_flags(command, *this, fields);
}

int interrupted(const std::string& state_file) {
    fmt::print(stderr, "hri: interrupted{}\n",
               state_file.empty() ? "" : "; the same command goes on from here");
    return kNo;
}

Command reproduce_command() {
    Command command{.name = "reproduce",
                    .help = "Makes the paper's tables again.",
                    .examples = "hri reproduce ilp --seeds 10 --json ilp.json"};
    command.commands = comparison_commands();
    for (Command& table :
         std::vector<Command>{customers_table(), embeddings_table(), gqa_table(), graphs_table(),
                              kinship_table(), popper_table(), portfolio_table(), recovery_table(),
                              rl_table(), skipping_table(), unseen_table()}) {
        command.commands.push_back(std::move(table));
    }
    return command;
}

}  // namespace hri::cli
