// SPDX-License-Identifier: Apache-2.0
#pragma once

// A command of the program, as data: what --help prints, what the command line may hold and what is
// run. Flags come from the fields of settings structs.
//
//   auto flags = std::make_shared<Flags>();
//   Command command{.name = "rules", .help = "Print the rules of a model or a program."};
//   add_flags(command, *flags, own_fields());
//   command.run = [flags] { return run(*flags); };

#include "hri/fields.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hri::cli {

enum ExitCode : int {
    kYes = 0,      ///< done; learn: the program explains the training data
    kNo = 1,       ///< done, but the answer is no
    kMistake = 2,  ///< the user's
    kInternal = 3
};

/// A field on the command line: --time-limit SECONDS, or TASK without dashes.
struct Flag {
    FieldInfo field;
    std::vector<std::string> names;         ///< "--state", "--resume"; none of an argument
    std::vector<std::string> hidden_names;  ///< that --help does not show
    std::string standard;                   ///< the default that --help shows
    bool required = false;
    bool repeats = false;  ///< an argument that takes all that are left
    std::function<void(const std::string&)> set;

    bool is_argument() const { return names.empty(); }

    /// A flag without a value.
    bool is_switch() const;
};

struct Command {
    std::string name;
    std::string help;           ///< one sentence
    std::string details = {};   ///< below the flags: exit codes, files
    std::string examples = {};  ///< one per line
    std::vector<Flag> flags = {};
    std::vector<Command> commands = {};
    std::function<int()> run = {};  ///< empty: one of `commands` is needed

    /// The flag of a field. It has to exist.
    Flag& flag(const std::string& field);
};

/// "--train-steps" for the field train_steps.
std::string flag_name(const FieldInfo& field);

Flag make_flag(const FieldInfo& field, std::string standard,
               std::function<void(const std::string&)> set);

/// A flag for each field, or for those of `only`. What is in `settings` by now are the defaults
/// that --help shows. Both have to live until the command has run.
template <class Settings>
void add_flags(Command& command, Settings& settings, const std::vector<Field<Settings>>& fields,
               const std::vector<std::string>& only = {}) {
    for (const Field<Settings>& field : fields) {
        if (only.empty() || std::find(only.begin(), only.end(), field.name) != only.end()) {
            const auto standard = [&]() -> std::string {
                try {
                    field.check(settings);
                    return field.get(settings);
                } catch (const Error&) {
                    return {};  // no value unless one is given
                }
            };
            command.flags.push_back(make_flag(
                field, standard(),
                [&settings, &field](const std::string& value) { field.set(settings, value); }));
        }
    }
}

/// The field is an argument TASK instead of a flag.
void make_argument(Command& command, const std::string& field, bool required = true);
/// 0 is what a field has where it is not given: no value that a user may give.
void refuse_zero(Flag& flag);
/// --threads with its old name --jobs, hidden; all cores by default.
void make_threads(Command& command, int& threads);

/// The number of cores of the machine.
int all_cores();

/// The command line as it was typed, for reports.
std::string& command_line();

}  // namespace hri::cli
