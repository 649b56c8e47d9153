// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <fmt/format.h>

namespace hri::cli {
namespace {

using Kind = FieldInfo::Kind;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 28;

std::string placeholder(const FieldInfo& field) {
    if (!field.placeholder.empty()) {
        return field.placeholder;
    }
    switch (field.kind) {
        case Kind::integer:
        case Kind::real:
            return "N";
        case Kind::choice:
            return "NAME";
        case Kind::list:
            return "A,B";
        case Kind::boolean:
            return "true|false";
        case Kind::text:
            break;
    }
    return "TEXT";
}

/// The sentence with what the field says of its values.
std::string sentence(const Flag& flag, bool with_strategies) {
    std::string text = flag.field.help;
    if (!flag.field.choices.empty()) {
        text += fmt::format(" One of {}.", fmt::join(flag.field.choices, ", "));
    }
    if (with_strategies && !flag.field.strategies.empty()) {
        text += fmt::format(" Used by {}.", flag.field.strategies);
    }
    if (!flag.standard.empty() && !flag.is_switch()) {
        text += fmt::format(" [{}]", flag.standard);
    }
    return text;
}

/// Words in lines that begin at the column, the first behind `left`.
std::string two_columns(const std::string& left, const std::string& right) {
    std::string text;
    std::string line = "  " + left;
    if (line.size() + 2 > kColumn) {
        text += line + "\n";
        line.clear();
    }
    line.resize(kColumn, ' ');
    bool first = true;
    for (std::size_t begin = 0; begin < right.size();) {
        const std::size_t end = std::min(right.find(' ', begin), right.size());
        const std::string word = right.substr(begin, end - begin);
        if (!first && line.size() + 1 + word.size() > kWidth) {
            text += line + "\n";
            line = std::string(kColumn, ' ');
            first = true;
        }
        line += (first ? "" : " ") + word;
        first = false;
        begin = end + 1;
    }
    return text + line + "\n";
}

bool has_strategy(const Command& command) {
    return std::any_of(command.flags.begin(), command.flags.end(),
                       [](const Flag& flag) { return flag.field.name == "strategy"; });
}

/// Examples and other lines, as they stand.
std::string indented(const std::string& lines) {
    std::string text;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        text += "  " + lines.substr(begin, end - begin) + "\n";
        begin = end + 1;
    }
    return text;
}

std::string flags_text(const Command& command, bool all) {
    std::string text;
    std::string group;
    for (const Flag& flag : command.flags) {
        if (!all && !flag.field.common && !flag.is_argument()) {
            continue;
        }
        if (all && flag.field.group != group) {
            group = flag.field.group;
            text += fmt::format("\n{}:\n", group);
        }
        text += two_columns(usage(flag), sentence(flag, has_strategy(command)));
    }
    return text;
}

std::string escaped(const std::string& cell) {
    std::string text;
    for (const char c : cell) {
        text += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return text;
}

}  // namespace

std::string usage(const Flag& flag) {
    if (flag.is_argument()) {
        return flag.field.placeholder;
    }
    return fmt::format("{}{}{}", fmt::join(flag.names, ", "), flag.is_switch() ? "" : " ",
                       flag.is_switch() ? "" : placeholder(flag.field));
}

std::string help_text(const Command& command, const std::string& full_name, bool all) {
    std::string first = full_name;
    bool some_hidden = false;
    for (const Flag& flag : command.flags) {
        if (flag.is_argument()) {
            first += flag.required ? " " + flag.field.placeholder
                                   : fmt::format(" [{}]", flag.field.placeholder);
        }
        some_hidden = some_hidden || (!flag.field.common && !flag.is_argument());
    }
    if (!command.commands.empty()) {
        first += command.run ? " [COMMAND]" : " COMMAND";
    }
    std::string text = fmt::format("{} [FLAGS]\n{}\n", first, command.help);
    for (const Command& below : command.commands) {
        if (&below == &command.commands.front()) {
            text += "\nCommands:\n";
        }
        if (!below.help.empty()) {
            text += two_columns(below.name, below.help);
        }
    }
    const std::string flags = flags_text(command, all);
    text += flags.empty() || flags.starts_with('\n') ? flags : "\n" + flags;
    if (some_hidden && !all) {
        text += fmt::format("\n`{} --help-all` lists all flags.\n", full_name);
    }
    if (!command.details.empty()) {
        text += "\n" + command.details + "\n";
    }
    if (!command.examples.empty()) {
        text += "\nExamples:\n" + indented(command.examples);
    }
    return text;
}

std::string help_markdown(const Command& command, const std::string& full_name) {
    std::string text;
    if (!command.help.empty() && !command.flags.empty()) {
        text += fmt::format("## `{}`\n\n{}\n\n| flag | default | meaning |\n| --- | --- | --- |\n",
                            full_name, command.help);
        for (const Flag& flag : command.flags) {
            Flag without = flag;
            without.standard.clear();
            text += fmt::format(
                "| `{}` | {} | {} |\n", escaped(usage(flag)),
                flag.standard.empty() || flag.is_switch() ? "" : "`" + escaped(flag.standard) + "`",
                escaped(sentence(without, has_strategy(command))));
        }
        text += "\n";
    }
    for (const Command& below : command.commands) {
        text += help_markdown(below, full_name + " " + below.name);
    }
    return text;
}

}  // namespace hri::cli
