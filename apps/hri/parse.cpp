// SPDX-License-Identifier: Apache-2.0
#include "parse.hpp"

#include "hri/device.hpp"

#include "base/secrets.hpp"
#include "help.hpp"

#include <fmt/format.h>
#include <map>

namespace hri::cli {
namespace {

std::string shell_quoted(const std::string& argument) {
    const bool plain =
        !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   std::string_view("-_./=:,+").find(c) != std::string_view::npos;
        });
    return plain ? argument : "'" + argument + "'";
}

/// A command with those above it.
struct Chosen {
    Command* command;
    std::string full_name;  ///< "hri reproduce ilp"

    std::string see_help() const { return fmt::format("see {} --help", full_name); }
};

bool is_flag(const std::string& argument) {
    return argument.size() > 1 && argument[0] == '-' &&
           std::isdigit(static_cast<unsigned char>(argument[1])) == 0;
}

Command* find_command(Command& above, const std::string& name) {
    for (Command& below : above.commands) {
        if (below.name == name) {
            return &below;
        }
    }
    return nullptr;
}

Error no_command(const Chosen& above, const std::string& name) {
    std::vector<std::string> names;
    for (const Command& below : above.command->commands) {
        if (!below.help.empty()) {
            names.push_back(below.name);
        }
    }
    const std::string of = above.full_name == "hri" ? "" : " of " + above.full_name;
    return Error(fmt::format("there is no command '{}'{}, expected one of {}", name, of,
                             fmt::join(names, ", ")),
                 {}, fmt::format("did you mean {}?", nearest(name, names)));
}

/// Takes the names of commands from the front of the arguments.
Chosen choose(Command& program, std::vector<std::string>& arguments) {
    Chosen chosen{&program, program.name};
    while (!arguments.empty() && !chosen.command->commands.empty() && !is_flag(arguments[0])) {
        Command* below = find_command(*chosen.command, arguments[0]);
        if (below == nullptr) {
            throw no_command(chosen, arguments[0]);
        }
        chosen = {below, chosen.full_name + " " + below->name};
        arguments.erase(arguments.begin());
    }
    return chosen;
}

Flag* find_flag(Command& command, const std::string& name) {
    for (Flag& flag : command.flags) {
        for (const std::vector<std::string>* names : {&flag.names, &flag.hidden_names}) {
            if (std::find(names->begin(), names->end(), name) != names->end()) {
                return &flag;
            }
        }
    }
    return nullptr;
}

Error unexpected(const Chosen& chosen, const std::string& argument) {
    if (!is_flag(argument)) {
        return Error(fmt::format("did not expect '{}'", argument), {}, chosen.see_help());
    }
    std::vector<std::string> names = {"--help", "--help-all"};
    for (const Flag& flag : chosen.command->flags) {
        names.insert(names.end(), flag.names.begin(), flag.names.end());
    }
    return Error(fmt::format("did not expect '{}'", argument), {},
                 fmt::format("did you mean {}?", nearest(argument, names)));
}

/// The values of each flag, in the order of the command line.
using Values = std::map<const Flag*, std::vector<std::string>>;

class ArgumentReader {
  public:
    ArgumentReader(const Chosen& chosen, const std::vector<std::string>& arguments)
        : chosen_(chosen), arguments_(arguments) {}

    Values read() {
        bool flags_ended = false;
        for (; next_ < arguments_.size(); ++next_) {
            if (arguments_[next_] == "--" && !flags_ended) {
                flags_ended = true;
            } else if (is_flag(arguments_[next_]) && !flags_ended) {
                read_flag();
            } else {
                argument_for(arguments_[next_]).push_back(arguments_[next_]);
            }
        }
        for (const Flag& flag : chosen_.command->flags) {
            if (flag.required && values_[&flag].empty()) {
                throw Error(fmt::format("expected {}: {}", usage(flag), flag.field.help), {},
                            chosen_.see_help());
            }
        }
        return std::move(values_);
    }

  private:
    void read_flag() {
        const std::string& argument = arguments_[next_];
        const std::size_t equals = std::min(argument.find('='), argument.size());
        std::string name = argument.substr(0, equals);
        std::replace(name.begin(), name.end(), '_', '-');
        const Flag* flag = find_flag(*chosen_.command, name);
        if (flag == nullptr) {
            throw unexpected(chosen_, name);
        }
        const bool has_value = equals < argument.size();
        if (flag->is_switch()) {
            values_[flag].push_back(has_value               ? argument.substr(equals + 1)
                                    : flag->field.turns_off ? "false"
                                                            : "true");
        } else if (has_value) {
            values_[flag].push_back(argument.substr(equals + 1));
        } else if (next_ + 1 < arguments_.size() &&
                   (!is_flag(arguments_[next_ + 1]) ||
                    find_flag(*chosen_.command, arguments_[next_ + 1]) == nullptr)) {
            values_[flag].push_back(arguments_[++next_]);
        } else {
            throw Error(fmt::format("{}: expected a value, found none", name), {},
                        fmt::format("write {}", usage(*flag)));
        }
    }

    std::vector<std::string>& argument_for(const std::string& value) {
        for (const Flag& flag : chosen_.command->flags) {
            if (flag.is_argument() && (flag.repeats || values_[&flag].empty())) {
                return values_[&flag];
            }
        }
        throw unexpected(chosen_, value);
    }

    const Chosen& chosen_;
    const std::vector<std::string>& arguments_;
    std::size_t next_ = 0;
    Values values_;
};

/// "layers, auxiliaries: too many" with the names of the flags.
std::string in_flags(const std::string& message, const Command& command) {
    const std::size_t colon = message.find(": ");
    if (colon == std::string::npos) {
        return message;
    }
    std::string names;
    for (std::size_t begin = 0; begin < colon;) {
        const std::size_t end = std::min(message.find(", ", begin), colon);
        const std::string name = message.substr(begin, end - begin);
        const auto flag =
            std::find_if(command.flags.begin(), command.flags.end(),
                         [&](const Flag& f) { return f.field.name == name && !f.is_argument(); });
        if (flag == command.flags.end()) {
            return message;
        }
        names += (names.empty() ? "" : ", ") + flag->names.front();
        begin = end + 2;
    }
    return names + message.substr(colon);
}

/// The name of a function on the command line.
const std::map<std::string, std::string>& commands_of_functions() {
    static const std::map<std::string, std::string> names = {
        {"proposed_mapping()", "`hri inspect --propose-mapping`"},
        {"write_scenes()", "`hri scenes build`"},
        {"generate_scenes()", "`hri scenes generate`"},
        {"open_scenes()", "`hri scenes show`"},
        {"extract()", "`hri rules MODEL --to prolog`"}};
    return names;
}

/// The command that runs.
const Command*& running() {
    static const Command* command = nullptr;
    return command;
}

/// {split=always} as --split always
std::string flag_text(const std::string& name, const std::string& plain) {
    const bool is_word = plain.find_first_of(" <>;&|()'\"$`") == std::string::npos;
    const std::string value = is_word ? plain : shell_quoted(plain);
    const auto function = commands_of_functions().find(name);
    if (function != commands_of_functions().end()) {
        return function->second;
    }
    for (const Flag& known : running()->flags) {
        if (known.field.name == name && !known.is_argument()) {
            return known.is_switch() || value.empty() ? known.names.front()
                                                      : known.names.front() + " " + value;
        }
    }
    const std::string flag = flag_name({.name = name});
    return value.empty() || value == "true" ? flag : flag + " " + value;
}

void set_all(const Values& values) {
    for (const auto& [flag, given] : values) {
        if (flag->field.kind == FieldInfo::Kind::list && !flag->repeats && !given.empty()) {
            std::string all = given.front();
            for (std::size_t i = 1; i < given.size(); ++i) {
                all += "," + given[i];
            }
            flag->set(all);
        } else if (flag->repeats) {
            for (const std::string& value : given) {
                flag->set(value);
            }
        } else if (!given.empty()) {
            flag->set(given.back());
        }
    }
}

/// Tells of flags that the chosen strategy does not look at.
void tell_unused(const Values& values, const Command& command) {
    std::string strategy;
    for (const Flag& flag : command.flags) {
        const auto given = values.find(&flag);
        const bool is_given = given != values.end() && !given->second.empty();
        if (flag.field.name == "strategy") {
            strategy = is_given ? given->second.back() : flag.standard;
        } else if (flag.field.name == "model" && is_given && given->second.back() == "lri") {
            strategy = "gradient";
            break;
        }
    }
    for (const auto& [flag, given] : values) {
        const std::string& users = flag->field.strategies;
        if (!strategy.empty() && !given.empty() && !users.empty() &&
            users.find(strategy) == std::string::npos) {
            fmt::print(stderr, "hri: note: {} has no effect with --strategy {} (used by {})\n",
                       flag->names.front(), strategy, users);
        }
    }
}

bool has(const std::vector<std::string>& arguments, const std::string& wanted) {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    return std::find(arguments.begin(), end, wanted) != end;
}

}  // namespace

std::string with_flags(const std::string& hint) { return show_fields(hint, flag_text); }

int run_command_line(Command& program, std::vector<std::string> arguments) {
    command_line() = "hri";
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        command_line() += " " + shell_quoted(base::without_secrets(arguments[i]));
    }
    arguments.erase(arguments.begin());
    const bool asks_for_help = !arguments.empty() && arguments[0] == "help";
    if (asks_for_help) {
        arguments.erase(arguments.begin());
    }
    const Chosen chosen = choose(program, arguments);
    const bool all = has(arguments, "--help-all");
    if (asks_for_help || all || has(arguments, "--help") || has(arguments, "-h")) {
        fmt::print("{}", help_text(*chosen.command, chosen.full_name, all));
        return kYes;
    }
    if (chosen.command == &program && has(arguments, "--version")) {
        fmt::print("hri {} ({})\n", HRI_VERSION, fmt::join(back_ends(), ", "));
        return kYes;
    }
    if (!chosen.command->run && arguments.empty()) {
        std::vector<std::string> names;
        for (const Command& below : chosen.command->commands) {
            names.push_back(below.name);
        }
        throw Error(fmt::format("expected a command after '{}': one of {}", chosen.full_name,
                                fmt::join(names, ", ")),
                    {}, chosen.see_help());
    }
    running() = chosen.command;
    try {
        const Values values = ArgumentReader(chosen, arguments).read();
        set_all(values);
        tell_unused(values, *chosen.command);
        return chosen.command->run();
    } catch (const Error& error) {
        throw Error(in_flags(error.message(), *chosen.command), error.place(),
                    with_flags(error.hint()));
    }
}

}  // namespace hri::cli
