// SPDX-License-Identifier: Apache-2.0

// Mappings from tables and columns to relations: as TOML, and back.

#include "base/toml.hpp"
#include "base/toml_nesting.hpp"
#include "data/raw_dataset.hpp"
#include "data/readers/column_types.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace hri::data {
namespace {

/// The keys that hold one text each.
const std::map<std::string_view, std::string RelationMapping::*>& text_keys() {
    static const std::map<std::string_view, std::string RelationMapping::*> keys = {
        {"name", &RelationMapping::name},       {"table", &RelationMapping::table},
        {"value", &RelationMapping::value},     {"label", &RelationMapping::label},
        {"boolean", &RelationMapping::boolean}, {"unless", &RelationMapping::unless},
        {"where", &RelationMapping::where},     {"aggregate", &RelationMapping::aggregate},
        {"by", &RelationMapping::by},           {"of", &RelationMapping::of},
        {"of_key", &RelationMapping::of_key}};
    return keys;
}

/// The keys that hold a list of texts each.
const std::map<std::string_view, std::vector<std::string> RelationMapping::*>& list_keys() {
    static const std::map<std::string_view, std::vector<std::string> RelationMapping::*> keys = {
        {"columns", &RelationMapping::columns},
        {"types", &RelationMapping::types},
        {"prefixes", &RelationMapping::prefixes}};
    return keys;
}

constexpr const char* kKeys =
    "expected one of name, table, columns, types, prefixes, value, label, boolean, unless, "
    "where, computed, aggregate, by, of, of_key";

std::string toml_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (code < 0x20 || code == 0x7F) {
            result += fmt::format("\\u{:04x}", code);
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string toml_list(const std::vector<std::string>& texts) {
    std::string result = "[";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        result += (i == 0 ? "" : ", ") + toml_string(texts[i]);
    }
    return result + "]";
}

class MappingParser {
  public:
    explicit MappingParser(const TextFile& file) : file_(file) {}

    Mapping parse() const {
        Mapping mapping;
        const toml::table root = parsed();
        for (const auto& [key, node] : root) {
            if (key.str() == "target") {
                mapping.target = text(node);
            } else if (key.str() == "relation" && node.is_array_of_tables()) {
                for (const toml::node& relation : *node.as_array()) {
                    mapping.relations.push_back(parse_relation(*relation.as_table()));
                }
            } else if (key.str() == "relation") {
                throw Error("expected [[relation]]", place(node.source().begin));
            } else {
                throw Error("there is no key '" + std::string(key.str()) + "'",
                            place(key.source().begin), "expected target or [[relation]]");
            }
        }
        if (mapping.relations.empty()) {
            throw Error("expected a [[relation]], found none", {file_.path, 1, 1},
                        "{proposed_mapping()} gives a mapping to begin with");
        }
        return mapping;
    }

  private:
    toml::table parsed() const {
        base::check_toml_nesting(file_.text, file_.path);
        try {
            return toml::parse(std::string_view(file_.text), std::string_view(file_.path));
        } catch (const toml::parse_error& error) {
            throw Error(std::string(error.description()), place(error.source().begin));
        }
    }

    RelationMapping parse_relation(const toml::table& table) const {
        RelationMapping relation;
        relation.place = place(table.source().begin);
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            const auto one = text_keys().find(name);
            const auto list = list_keys().find(name);
            if (one != text_keys().end()) {
                relation.*one->second = text(node);
            } else if (list != list_keys().end()) {
                relation.*list->second = texts(node);
            } else if (name == "computed") {
                relation.computed = expressions(node);
            } else {
                throw Error("there is no key '" + std::string(name) + "'",
                            place(key.source().begin), kKeys);
            }
        }
        if (relation.name.empty() || relation.table.empty()) {
            throw Error("expected a name and a table", relation.place,
                        "write name = \"parent\" and table = \"person\"");
        }
        check_name(relation.name, relation.place);
        if (!relation.prefixes.empty() && relation.prefixes.size() != relation.columns.size()) {
            throw Error("expected as many prefixes as columns", relation.place);
        }
        if (!relation.types.empty() && relation.types.size() != relation.columns.size()) {
            throw Error("expected as many types as columns", relation.place);
        }
        for (const std::string& type : relation.types) {
            column_type(type, relation.place);
        }
        check_aggregate(relation);
        return relation;
    }

    static void check_aggregate(const RelationMapping& relation) {
        constexpr auto kKnown =
            std::to_array<std::string_view>({"", "count", "sum", "min", "max", "mean", "latest"});
        const std::string& how = relation.aggregate;
        if (std::find(kKnown.begin(), kKnown.end(), how) == kKnown.end()) {
            throw Error("there is no aggregate '" + how.substr(0, 40) + "'", relation.place,
                        "expected count, sum, min, max, mean or latest");
        }
        if (how.empty()) {
            return;
        }
        const std::size_t wanted = how == "count" ? 1 : 2;
        if (relation.columns.size() != wanted) {
            throw Error(how == "count" ? "expected one column: the key that rows are counted for"
                                       : "expected two columns: a key, and what is aggregated",
                        relation.place, "write columns = [\"customer_id\", \"amount\"]");
        }
        if (how == "latest" && relation.by.empty()) {
            throw Error("latest: expected a column `by` whose largest value marks the latest row",
                        relation.place, "write by = \"order_date\"");
        }
        if (!relation.of.empty() && relation.of_key.empty()) {
            throw Error("expected the key of table " + relation.of, relation.place,
                        "write of_key = \"id\"");
        }
        if (!relation.boolean.empty() || !relation.unless.empty() || !relation.label.empty() ||
            !relation.value.empty()) {
            throw Error("an aggregate has no value, label, boolean or unless", relation.place);
        }
    }

    std::map<std::string, std::string> expressions(const toml::node& node) const {
        if (!node.is_table()) {
            throw Error("expected expressions by name", place(node.source().begin),
                        "write computed = { total = \"price * quantity\" }");
        }
        std::map<std::string, std::string> result;
        for (const auto& [key, value] : *node.as_table()) {
            result[std::string(key.str())] = text(value);
        }
        return result;
    }

    std::string text(const toml::node& node) const {
        if (!node.is_string()) {
            throw Error("expected a text in quotes", place(node.source().begin));
        }
        return node.as_string()->get();
    }

    std::vector<std::string> texts(const toml::node& node) const {
        if (!node.is_array()) {
            throw Error("expected a list of texts", place(node.source().begin),
                        "write [\"id\", \"father\"]");
        }
        std::vector<std::string> result;
        for (const toml::node& element : *node.as_array()) {
            result.push_back(text(element));
        }
        return result;
    }

    Place place(const toml::source_position& at) const {
        // the parser may point behind the end
        const int line = std::max(static_cast<int>(at.line), 1);
        std::size_t begin = 0;
        for (int i = 1; i < line && begin < file_.text.size(); ++i) {
            begin = std::min(file_.text.find('\n', begin), file_.text.size() - 1) + 1;
        }
        const std::size_t end = std::min(file_.text.find('\n', begin), file_.text.size());
        return {file_.path, line,
                std::clamp(static_cast<int>(at.column), 1, static_cast<int>(end - begin) + 1)};
    }

    const TextFile& file_;
};

}  // namespace

std::string to_toml(const Mapping& mapping) {
    std::string text = mapping.target.empty() ? "# target = \"the relation to learn\"\n"
                                              : "target = " + toml_string(mapping.target) + "\n";
    for (const std::string& remark : mapping.remarks) {
        text += "# " + toml_string(remark) + "\n";
    }
    for (const RelationMapping& relation : mapping.relations) {
        text += "\n[[relation]]\nname = " + toml_string(relation.name) +
                "\ntable = " + toml_string(relation.table) +
                "\ncolumns = " + toml_list(relation.columns) + "\n";
        for (const char* key : {"prefixes", "types"}) {
            const std::vector<std::string>& list = relation.*list_keys().at(key);
            text += list.empty() ? "" : std::string(key) + " = " + toml_list(list) + "\n";
        }
        for (const char* key :
             {"value", "label", "boolean", "unless", "where", "aggregate", "by", "of", "of_key"}) {
            const std::string& one = relation.*text_keys().at(key);
            text += one.empty() ? "" : std::string(key) + " = " + toml_string(one) + "\n";
        }
        if (!relation.computed.empty()) {
            std::string computed;
            for (const auto& [name, expression] : relation.computed) {
                computed += (computed.empty() ? "" : ", ") + toml_string(name) + " = " +
                            toml_string(expression);
            }
            text += "computed = { " + computed + " }\n";
        }
    }
    return text;
}

Mapping parse_mapping(const TextFile& file) { return MappingParser(file).parse(); }

}  // namespace hri::data
