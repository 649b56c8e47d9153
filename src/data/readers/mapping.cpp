// SPDX-License-Identifier: Apache-2.0

// Which tables and columns make which relations: proposed, as TOML, and back.

#include "base/toml.hpp"
#include "base/toml_nesting.hpp"
#include "data/raw_dataset.hpp"
#include "data/readers/database.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace hri::data {
namespace {

constexpr std::array<std::string_view, 6> kKeys = {"name",     "table", "columns",
                                                   "prefixes", "value", "label"};

const ColumnSchema* only_key(const TableSchema& table) {
    const ColumnSchema* key = nullptr;
    for (const ColumnSchema& column : table.columns) {
        if (column.is_key) {
            if (key != nullptr) {
                return nullptr;
            }
            key = &column;
        }
    }
    return key;
}

class Proposal {
  public:
    explicit Proposal(const std::vector<TableSchema>& tables) : tables_(tables) {
        for (TableSchema& table : tables_) {
            std::erase_if(table.columns, [&](const ColumnSchema& column) {
                if (column.is_bytes) {
                    mapping_.remarks.push_back("column " + column.name + " of table " + table.name +
                                               " holds bytes and is left out");
                }
                return column.is_bytes;
            });
            names_.emplace(table.name, 1);
            for (const ColumnSchema& column : table.columns) {
                ++names_[column.name];
            }
        }
    }

    Mapping made() {
        for (const TableSchema& table : tables_) {
            const ColumnSchema* key = only_key(table);
            if (table.columns.empty()) {
                continue;
            }
            if (table.columns.size() == 1) {
                add(table.name, table, {&table.columns[0]});
            } else if (key != nullptr) {
                add(table.name, table, {key});
                for (const ColumnSchema& column : table.columns) {
                    if (&column != key) {
                        add(names_[column.name] > 1 ? table.name + "_" + column.name : column.name,
                            table, {key, &column});
                    }
                }
            } else if (table.columns.size() == 2) {
                add(table.name, table, {&table.columns[0], &table.columns[1]});
            } else {
                mapping_.remarks.push_back(
                    "table " + table.name +
                    " has no key of one column and is left out: a mapping may name its columns, "
                    "more than two where facts are reified");
            }
        }
        return std::move(mapping_);
    }

  private:
    void add(const std::string& name, const TableSchema& table,
             const std::vector<const ColumnSchema*>& columns) {
        RelationMapping relation;
        relation.name = name;
        relation.table = table.name;
        for (const ColumnSchema* column : columns) {
            relation.columns.push_back(column->name);
            relation.prefixes.push_back(prefix(table, *column));
        }
        if (std::all_of(relation.prefixes.begin(), relation.prefixes.end(),
                        [](const std::string& prefix) { return prefix.empty(); })) {
            relation.prefixes.clear();
        }
        mapping_.relations.push_back(std::move(relation));
    }

    /// Numbers that are keys get their table's name, so that person 1 is not city 1.
    std::string prefix(const TableSchema& table, const ColumnSchema& column) const {
        if (!column.references.empty()) {
            for (const TableSchema& other : tables_) {
                const ColumnSchema* key = only_key(other);
                if (other.name == column.references && key != nullptr && key != &column) {
                    return key->is_number ? other.name + ":" : "";
                }
            }
        }
        return &column == only_key(table) && column.is_number ? table.name + ":" : "";
    }

    std::vector<TableSchema> tables_;  // without columns of bytes
    std::map<std::string, int> names_;
    Mapping mapping_;
};

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
            if (std::find(kKeys.begin(), kKeys.end(), name) == kKeys.end()) {
                throw Error("there is no key '" + std::string(name) + "'",
                            place(key.source().begin),
                            fmt::format("expected one of {}", fmt::join(kKeys, ", ")));
            }
            if (name == "columns") {
                relation.columns = texts(node);
            } else if (name == "prefixes") {
                relation.prefixes = texts(node);
            } else {
                (name == "name"    ? relation.name
                 : name == "table" ? relation.table
                 : name == "value" ? relation.value
                                   : relation.label) = text(node);
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
        return relation;
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

Mapping propose_mapping(const std::vector<TableSchema>& tables) { return Proposal(tables).made(); }

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
        if (!relation.prefixes.empty()) {
            text += "prefixes = " + toml_list(relation.prefixes) + "\n";
        }
        if (!relation.value.empty()) {
            text += "value = " + toml_string(relation.value) + "\n";
        }
        if (!relation.label.empty()) {
            text += "label = " + toml_string(relation.label) + "\n";
        }
    }
    return text;
}

Mapping parse_mapping(const TextFile& file) { return MappingParser(file).parse(); }

}  // namespace hri::data
