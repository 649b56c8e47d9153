// SPDX-License-Identifier: Apache-2.0
#include "hypotheses/options_file.hpp"

#include "hri/data.hpp"

#include "base/toml.hpp"
#include "base/toml_nesting.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace hri::hypotheses {
namespace {

using Kind = FieldInfo::Kind;

/// Checks the type alone; a range is checked where the type fits.
std::string expected_of(const FieldInfo& field) {
    switch (field.kind) {
        case Kind::integer:
            return "an integer";
        case Kind::real:
            return "a number";
        default:
            return field.expected;
    }
}

Place place_of(const toml::source_position& at, const std::string& file) {
    return {file, static_cast<int>(at.line), static_cast<int>(at.column)};
}

/// The node as OptionField::set takes it, or nothing where its type does not fit the field.
std::optional<std::string> value_text(const toml::node& node, Kind kind) {
    if (kind == Kind::boolean && node.is_boolean()) {
        return node.as_boolean()->get() ? "true" : "false";
    }
    if ((kind == Kind::text || kind == Kind::choice) && node.is_string()) {
        return node.as_string()->get();
    }
    if ((kind == Kind::integer || kind == Kind::real) && node.is_integer()) {
        return fmt::format("{}", node.as_integer()->get());
    }
    if (kind == Kind::real && node.is_floating_point()) {
        return fmt::format("{}", node.as_floating_point()->get());
    }
    return std::nullopt;
}

void set_from_node(Options& options, std::string_view name, const toml::node& node,
                   const Place& key_place, const std::string& file) {
    const Field<Options>& field = find_field<Options>(name, key_place);
    const Place place = place_of(node.source().begin, file);
    const std::optional<std::string> text = value_text(node, field.kind);
    if (!text) {
        std::ostringstream type;
        type << node.type();
        throw Error(
            fmt::format("{}: expected {}, found a TOML {}", name, expected_of(field), type.str()),
            place);
    }
    try {
        field.set(options, *text);
    } catch (const Error& error) {
        throw Error(error.message(), place, error.hint());
    }
}

/// On one line: of a text of several, toml++ would lose the first line's end.
std::string in_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            result += fmt::format("\\u{:04X}", byte);
        } else {
            result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        }
    }
    return result + '"';
}

std::string toml_value(const OptionField& field, const Options& options) {
    std::string value = field.get(options);
    if (field.kind == Kind::text || field.kind == Kind::choice) {
        return in_quotes(value);
    }
    return value;
}

}  // namespace

Options parse_options(std::string_view toml, const std::string& file_name, Options base) {
    base::check_toml_nesting(toml, file_name);
    toml::table table;
    try {
        table = toml::parse(toml, file_name);
    } catch (const toml::parse_error& error) {
        // toml++ tells of the end as behind the line that ends there
        Place place = place_of(error.source().begin, file_name);
        std::size_t begin = 0;
        for (int line = 1; line < place.line && begin < toml.size(); ++line)
            begin = std::min(toml.find('\n', begin), toml.size() - 1) + 1;
        const std::size_t end = std::min(toml.find('\n', begin), toml.size());
        place.column = std::min(place.column, static_cast<int>(end - begin) + 1);
        throw Error(std::string(error.description()), place);
    }
    // in the order of the file, so that the first mistake is reported
    std::vector<std::pair<toml::key, const toml::node*>> entries;
    for (auto&& entry : table) {
        entries.emplace_back(entry.first, &entry.second);
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        const auto& left = a.first.source().begin;
        const auto& right = b.first.source().begin;
        return std::pair(left.line, left.column) < std::pair(right.line, right.column);
    });
    for (const auto& entry : entries) {
        set_from_node(base, entry.first.str(), *entry.second,
                      place_of(entry.first.source().begin, file_name), file_name);
    }
    return base;
}

Options read_options(const std::filesystem::path& path, Options base) {
    return parse_options(read_file(path), path.string(), std::move(base));
}

std::string options_to_toml(const Options& options) {
    std::string text;
    std::string group;
    for (const OptionField& field : fields_of<Options>()) {
        if (field.group != group) {
            text += fmt::format("{}# {}\n", text.empty() ? "" : "\n", field.group);
            group = field.group;
        }
        text += fmt::format("{} = {}\n", field.name, toml_value(field, options));
    }
    return text;
}

nlohmann::ordered_json options_to_json(const Options& options) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const OptionField& field : fields_of<Options>()) {
        const std::string value = field.get(options);
        if (field.kind == Kind::text || field.kind == Kind::choice) {
            json[field.name] = value;
        } else if (field.kind == Kind::real) {
            json[field.name] = nlohmann::ordered_json::parse(value).get<double>();
        } else {
            json[field.name] = nlohmann::ordered_json::parse(value);
        }
    }
    return json;
}

Options options_from_json(const nlohmann::ordered_json& json) {
    if (!json.is_object()) {
        throw Error("options: expected a JSON object");
    }
    Options options;
    for (const auto& entry : json.items()) {
        const Field<Options>& field = find_field<Options>(entry.key());
        const auto& value = entry.value();
        const bool quoted = field.kind == Kind::text || field.kind == Kind::choice;
        if (quoted != value.is_string() || value.is_structured() || value.is_null()) {
            throw Error(fmt::format("{}: expected {}", entry.key(), expected_of(field)));
        }
        field.set(options, quoted ? value.get<std::string>() : value.dump());
    }
    return options;
}

}  // namespace hri::hypotheses
