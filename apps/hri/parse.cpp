// SPDX-License-Identifier: Apache-2.0
#include "parse.hpp"

#include "hri/options.hpp"

#include "command.hpp"

#include <algorithm>
#include <fmt/format.h>

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

/// The command that was being parsed: the innermost subcommand.
const CLI::App* innermost(const CLI::App* app) {
    for (;;) {
        const std::vector<CLI::App*> chosen = app->get_subcommands();
        if (chosen.empty()) {
            return app;
        }
        app = chosen.front();
    }
}

/// "hri reproduce ilp"
std::string full_name(const CLI::App* app) {
    const CLI::App* parent = app->get_parent();
    return parent == nullptr ? app->get_name() : full_name(parent) + " " + app->get_name();
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

/// What the user may have meant by an argument that nothing takes.
std::string suggestion(const CLI::App& command, const std::string& argument) {
    std::vector<std::string> names;
    if (argument.starts_with('-')) {
        for (const CLI::Option* option : command.get_options()) {
            for (const std::string& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
    } else {
        names = command_names(command);
    }
    const std::string best = nearest(argument.substr(0, argument.find('=')), names);
    return best.empty() ? "" : fmt::format("did you mean {}?", best);
}

/// The first argument that nothing takes, of the command or one below it.
std::string unexpected(const CLI::App& app) {
    const std::vector<std::string> rest = app.remaining(true);
    return rest.empty() ? "" : rest.front();
}

}  // namespace

std::string& command_line() {
    static std::string text;
    return text;
}

std::optional<int> parse(CLI::App& app, std::vector<std::string> arguments) {
    command_line() = "hri";
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        command_line() += " " + shell_quoted(arguments[i]);
    }
    const std::vector<std::string> commands = command_names(app);
    if (arguments.size() > 1 && !arguments[1].starts_with('-') &&
        std::find(commands.begin(), commands.end(), arguments[1]) == commands.end()) {
        throw Error(fmt::format("there is no command '{}'", arguments[1]), {},
                    fmt::format("did you mean {}?", nearest(arguments[1], commands)));
    }
    for (std::string& argument : arguments) {
        if (argument.starts_with("--")) {
            const auto end = argument.begin() + static_cast<std::ptrdiff_t>(
                                                    std::min(argument.find('='), argument.size()));
            std::replace(argument.begin(), end, '_', '-');
        }
    }
    arguments.erase(arguments.begin());
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::Success& answer) {  // --help, --version
        return app.exit(answer);
    } catch (const CLI::ExtrasError&) {
        const std::string argument = unexpected(app);
        throw Error(fmt::format("did not expect '{}'", argument), {},
                    suggestion(*innermost(&app), argument));
    } catch (const CLI::ParseError& error) {
        std::string told = error.what();
        // of a range without an upper end CLI11 writes out all digits of the largest number
        if (const std::size_t range = told.find(" not in range 0.000000 to 179769313");
            range != std::string::npos) {
            told = told.substr(0, range) + " is too small";
        }
        throw Error(told, {}, fmt::format("see {} --help", full_name(innermost(&app))));
    }
    return std::nullopt;
}

}  // namespace hri::cli
