// SPDX-License-Identifier: Apache-2.0

// The proposed mapping from tables and columns to relations, where the user gives none.

#include "data/readers/column_types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::data {
namespace {

class Proposal {
  public:
    Proposal(const std::vector<TypedTable>& tables, const TableOptions& options)
        : tables_(tables), options_(options) {
        for (const TypedTable& table : tables_) {
            names_[table.name] += names_rows(table) ? 1 : 0;
            for (const TypedColumn& column : table.columns) {
                if (column.type == ColumnType::bytes) {
                    mapping_.remarks.push_back("column " + column.schema.name + " of table " +
                                               table.name + " holds bytes and is left out");
                } else if (!is_relation(table)) {
                    ++names_[column.schema.name];
                }
                for (const std::string& remark : column.remarks) {
                    if (!remark.empty()) {
                        mapping_.remarks.push_back(table.name + ": " + remark);
                    }
                }
            }
        }
        find_prefixes();
    }

    Mapping made() {
        for (const TypedTable& table : tables_) {
            const std::vector<const TypedColumn*> columns = table.arguments();
            if (columns.empty()) {
                continue;
            }
            if (is_relation(table)) {
                add(table.name, table, columns);
                continue;
            }
            if (const TypedColumn* key = table.key()) {
                add_things(table, {key->schema.name, prefix(*key), {}}, table.declares_keys);
            } else {
                add_rows(table);
            }
        }
        return std::move(mapping_);
    }

  private:
    /// The key that stands for a row.
    struct RowName {
        std::string column;
        std::string prefix;
        std::string computed;  // an expression, or empty
    };

    /// Whether a relation carries the table's name. Of CSV files with things, columns alone make
    /// relations, and one of them may be called as the file.
    static bool names_rows(const TypedTable& table) {
        return table.declares_keys || is_relation(table) || table.key() == nullptr ||
               (table.is_special("label") && table.find("label") != nullptr);
    }

    /// Each row is a fact.
    static bool is_relation(const TypedTable& table) {
        return table.arguments(3).size() <= 2 && table.key() == nullptr;
    }

    /// Keys among which are whole numbers get their table's name before them, so that customer 1 is
    /// not product 1 or the number 1. They get none where nothing else is a number.
    void find_prefixes() {
        std::set<std::string> numbered;  // domains
        for (const TypedTable& table : tables_) {
            for (const TypedColumn& column : table.columns) {
                if (column.type == ColumnType::bytes || table.is_special(column.schema.name) ||
                    column.type == ColumnType::boolean) {
                    continue;
                }
                const bool is_time =
                    column.type == ColumnType::date || column.type == ColumnType::time;
                if (column.some_integer || column.type == ColumnType::number || is_time) {
                    numbered.insert(column.domain);
                }
                if (column.type == ColumnType::key && column.some_integer) {
                    prefixes_[column.domain] = column.domain + ":";
                }
            }
        }
        if (numbered.size() < 2) {
            prefixes_.clear();
        }
    }

    std::string prefix(const TypedColumn& column) const {
        const bool names_row =
            column.type == ColumnType::key || column.type == ColumnType::foreign_key;
        const auto found = prefixes_.find(column.domain);
        return names_row && found != prefixes_.end() ? found->second : "";
    }

    RelationMapping& add(const std::string& name, const TypedTable& table,
                         const std::vector<const TypedColumn*>& columns) {
        RelationMapping relation;
        relation.name = name;
        relation.table = table.name;
        for (const TypedColumn* column : columns) {
            relation.columns.push_back(column->schema.name);
            relation.prefixes.push_back(prefix(*column));
        }
        return finish(std::move(relation), table);
    }

    RelationMapping& finish(RelationMapping relation, const TypedTable& table) {
        std::vector<std::string> written = relation.columns;
        written.insert(written.end(), {relation.boolean, relation.unless});
        for (const std::string& name : written) {
            const TypedColumn* column = table.find(name);
            if (column != nullptr && !column->expression.empty()) {
                relation.computed.try_emplace(name, column->expression);
            }
        }
        for (const std::string& name : relation.columns) {
            const TypedColumn* column = table.find(name);
            std::string type(to_string(column == nullptr || (relation.computed.count(name) != 0 &&
                                                             column->expression.empty())
                                           ? ColumnType::key
                                       : column->type == ColumnType::boolean && column->integers
                                           ? ColumnType::number
                                       : column->type == ColumnType::boolean ? ColumnType::category
                                                                             : column->type));
            std::replace(type.begin(), type.end(), ' ', '_');
            relation.types.push_back(type);
        }
        if (std::all_of(relation.prefixes.begin(), relation.prefixes.end(),
                        [](const std::string& prefix) { return prefix.empty(); })) {
            relation.prefixes.clear();
        }
        for (const char* special : {"value", "label"}) {
            if (table.is_special(special) && table.find(special) != nullptr &&
                (relation.name == table.name || special == std::string("value"))) {
                (special == std::string("value") ? relation.value : relation.label) = special;
            }
        }
        mapping_.relations.push_back(std::move(relation));
        return mapping_.relations.back();
    }

    RelationMapping row_relation(const std::string& name, const TypedTable& table,
                                 const RowName& row) const {
        RelationMapping relation;
        relation.name = name;
        relation.table = table.name;
        relation.columns = {row.column};
        relation.prefixes = {row.prefix};
        if (!row.computed.empty()) {
            relation.computed[row.column] = row.computed;
        }
        return relation;
    }

    std::string name_of(const TypedTable& table, const TypedColumn& column) const {
        const auto found = names_.find(column.schema.name);
        return found->second > 1 ? table.name + "_" + column.schema.name : column.schema.name;
    }

    /// A relation for each column but the row's name, and one of all rows.
    void add_things(const TypedTable& table, const RowName& row, bool all_rows) {
        const bool labelled = table.is_special("label") && table.find("label") != nullptr;
        if (all_rows || labelled) {
            finish(row_relation(table.name, table, row), table);
        }
        for (const TypedColumn* column : table.arguments()) {
            if (column->schema.name == row.column) {
                continue;
            }
            RelationMapping relation = row_relation(name_of(table, *column), table, row);
            if (column->type == ColumnType::boolean) {
                relation.boolean = column->schema.name;
            } else {
                relation.columns.push_back(column->schema.name);
                relation.prefixes.push_back(prefix(*column));
            }
            finish(std::move(relation), table);
            if (column->type == ColumnType::boolean) {
                add_complement(table, row, *column);
            }
            add_missing(table, row, *column);
            if (options_.aggregates && column->type == ColumnType::foreign_key) {
                add_aggregates(table, *column);
            }
        }
        for (const CompositeReference& reference : table.references) {
            add_composite(table, row, reference);
        }
    }

    /// The texts of several columns as one, which names a row.
    static std::string joined(const std::vector<std::string>& columns) {
        std::string expression;
        for (const std::string& column : columns) {
            expression += (expression.empty() ? "" : " || ':' || ") + sql_identifier(column);
        }
        return expression;
    }

    /// The row of another table that several columns name together.
    void add_composite(const TypedTable& table, const RowName& row,
                       const CompositeReference& reference) {
        const auto other = std::find_if(tables_.begin(), tables_.end(), [&](const TypedTable& t) {
            return t.name == reference.table;
        });
        if (other == tables_.end() || other->key() != nullptr) {
            return;
        }
        std::vector<std::string> columns;  // in the order of the other table's key
        const std::vector<const TypedColumn*> keys = other->composite_key();
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const auto at =
                std::find(reference.keys.begin(), reference.keys.end(), keys[k]->schema.name);
            if (reference.keys.empty() && k < reference.columns.size()) {
                columns.push_back(reference.columns[k]);
            } else if (at != reference.keys.end()) {
                columns.push_back(
                    reference.columns[static_cast<std::size_t>(at - reference.keys.begin())]);
            }
        }
        if (columns.size() != keys.size() || columns.size() != reference.columns.size()) {
            return;  // it names another key of the table
        }
        RelationMapping relation = row_relation(table.name + "_" + other->name, table, row);
        const auto is_taken = [&](const RelationMapping& known) {
            return known.name == relation.name;
        };
        if (names_.count(relation.name) != 0 ||
            std::any_of(mapping_.relations.begin(), mapping_.relations.end(), is_taken)) {
            for (const std::string& column : columns) {
                relation.name += "_" + column;
            }
        }
        relation.columns.emplace_back("reference_key");
        relation.prefixes.push_back(other->name + ":");
        relation.computed["reference_key"] = joined(columns);
        finish(std::move(relation), table);
    }

    /// Where a boolean is false, so that rules need no negation to say so.
    void add_complement(const TypedTable& table, const RowName& row, const TypedColumn& column) {
        RelationMapping relation = row_relation("not_" + name_of(table, column), table, row);
        relation.unless = column.schema.name;
        if (names_.count(relation.name) == 0 && column.summary.different == 2) {
            finish(std::move(relation), table);
        }
    }

    /// Where a cell of a database is NULL, which may mean something: no_manager.
    void add_missing(const TypedTable& table, const RowName& row, const TypedColumn& column) {
        const ColumnSummary& summary = column.summary;
        RelationMapping relation = row_relation("no_" + name_of(table, column), table, row);
        const bool has_some = summary.empty > 0 || column.has_missing;
        if (!table.declares_keys || !has_some || summary.empty == summary.rows ||
            names_.count(relation.name) != 0) {
            return;
        }
        relation.unless = "is_filled";
        const std::string cell = column.expression.empty() ? sql_identifier(column.schema.name)
                                                           : "(" + column.expression + ")";
        relation.computed[relation.unless] = fmt::format(
            "CASE WHEN {0} IS NULL OR CAST({0} AS VARCHAR(1000)) = '' THEN 0 ELSE 1 END", cell);
        finish(std::move(relation), table);
    }

    /// Rows without a key of one column: named by a key of several, or by their number.
    void add_rows(const TypedTable& table) {
        const std::vector<const TypedColumn*> keys = table.composite_key();
        RowName row{"row_key", table.name + ":", ""};
        std::vector<std::string> key_columns;
        for (const TypedColumn* key : keys) {
            key_columns.push_back(key->schema.name);
        }
        row.computed = joined(key_columns);
        if (keys.empty() && !table.has_row_numbers) {
            mapping_.remarks.push_back("table " + table.name +
                                       " has no key and is left out: a mapping may name its "
                                       "columns");
            return;
        }
        if (keys.empty()) {
            row = {"rowid", table.name + ":", ""};
        }
        std::vector<const TypedColumn*> references;
        for (const TypedColumn* column : table.arguments()) {
            if (column->type == ColumnType::foreign_key) {
                references.push_back(column);
            }
        }
        if (references.size() == 2 && (keys.empty() || keys == references)) {
            add(table.name, table, references);  // what the table joins
        }
        if (table.arguments(3).size() > 2) {
            add_things(table, row, false);
        }
    }

    /// Numbers for each row that this foreign key names: how many rows, sums, ...
    void add_aggregates(const TypedTable& table, const TypedColumn& reference) {
        const auto other = std::find_if(
            tables_.begin(), tables_.end(),
            [&](const TypedTable& candidate) { return candidate.name == reference.references; });
        const TypedColumn* key = other == tables_.end() ? nullptr : other->key();
        const std::string stem = reference.references + "_" + table.name;
        RelationMapping count;
        count.name = stem + "_count";
        count.table = table.name;
        count.columns = {reference.schema.name};
        count.prefixes = {prefix(reference)};
        count.aggregate = "count";
        if (key != nullptr) {
            count.of = other->name;
            count.of_key = key->schema.name;
        }
        finish(std::move(count), table);
        for (const TypedColumn* column : table.arguments()) {
            const bool is_number = column->type == ColumnType::number;
            const bool is_time =
                column->type == ColumnType::date || column->type == ColumnType::time;
            for (const char* how : {"sum", "min", "max", "mean"}) {
                const bool wanted =
                    is_number ||
                    (is_time && (how == std::string("min") || how == std::string("max")));
                if (wanted) {
                    RelationMapping relation;
                    relation.name = stem + "_" + how + "_" + column->schema.name;
                    relation.table = table.name;
                    relation.columns = {reference.schema.name, column->schema.name};
                    relation.prefixes = {prefix(reference), ""};
                    relation.aggregate = how;
                    finish(std::move(relation), table);
                }
            }
        }
    }

    const std::vector<TypedTable>& tables_;
    const TableOptions& options_;
    std::map<std::string, int> names_;             // how often a name would be a relation's
    std::map<std::string, std::string> prefixes_;  // [domain]
    Mapping mapping_;
};

}  // namespace

Mapping propose_mapping(const std::vector<TypedTable>& tables, const TableOptions& options) {
    return Proposal(tables, options).made();
}

}  // namespace hri::data
