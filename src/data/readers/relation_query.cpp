// SPDX-License-Identifier: Apache-2.0

// The SELECT of a relation. SQLite and PostgreSQL read it alike.

#include "data/readers/database.hpp"

namespace hri::data {
namespace {

/// A column of the table, or the expression that a mapping gives under this name.
std::string expression(const RelationMapping& relation, const std::string& column) {
    const auto computed = relation.computed.find(column);
    return computed == relation.computed.end() ? sql_identifier(column)
                                               : "(" + computed->second + ")";
}

std::string function_of(const std::string& aggregate) {
    return aggregate == "sum"   ? "SUM"
           : aggregate == "min" ? "MIN"
           : aggregate == "max" ? "MAX"
                                : "AVG";
}

std::string from_where(const RelationMapping& relation) {
    return " FROM " + sql_identifier(relation.table) +
           (relation.where.empty() ? "" : " WHERE (" + relation.where + ")");
}

/// The number of rows of each key; 0 for keys of the other table without rows.
std::string select_count(const RelationMapping& relation) {
    const std::string key = expression(relation, relation.columns[0]);
    std::string counted = "SELECT " + key + " AS hri_key, COUNT(*) AS hri_count" +
                          from_where(relation) + " GROUP BY " + key;
    if (relation.of.empty()) {
        return counted;
    }
    const std::string of_key = "hri_of." + sql_identifier(relation.of_key);
    return "SELECT " + of_key + ", COALESCE(hri_counts.hri_count, 0) FROM " +
           sql_identifier(relation.of) + " AS hri_of LEFT JOIN (" + counted +
           ") AS hri_counts ON hri_counts.hri_key = " + of_key;
}

/// The last column in the row whose `by` is the greatest.
std::string select_latest(const RelationMapping& relation) {
    const std::string key = expression(relation, relation.columns[0]);
    const std::string by = expression(relation, relation.by);
    const std::string numbered =
        "SELECT " + key + " AS hri_key, " + expression(relation, relation.columns.back()) +
        " AS hri_value, ROW_NUMBER() OVER (PARTITION BY " + key + " ORDER BY " + by +
        " DESC) AS hri_number FROM " + sql_identifier(relation.table) + " WHERE " + by +
        " IS NOT NULL" + (relation.where.empty() ? "" : " AND (" + relation.where + ")");
    return "SELECT hri_key, hri_value FROM (" + numbered + ") AS hri_numbered WHERE hri_number = 1";
}

}  // namespace

void add_reference(TableSchema& table, CompositeReference key) {
    if (key.columns.size() > 1) {
        table.references.push_back(std::move(key));
        return;
    }
    for (ColumnSchema& column : table.columns) {
        if (column.name == key.columns.front()) {
            column.references = key.table;
            column.references_column = key.keys.empty() ? "" : key.keys.front();
        }
    }
}

std::string sql_identifier(const std::string& name) {
    std::string result = "\"";
    for (const char c : name) {
        result += c == '"' ? "\"\"" : std::string(1, c);
    }
    return result + "\"";
}

bool needs_select(const RelationMapping& relation) {
    return !relation.where.empty() || !relation.computed.empty() || !relation.aggregate.empty();
}

std::string select_of(const RelationMapping& relation, const std::vector<std::string>& extra) {
    if (relation.aggregate == "count") {
        return select_count(relation);
    }
    if (relation.aggregate == "latest") {
        return select_latest(relation);
    }
    std::string columns;
    const bool is_aggregate = !relation.aggregate.empty();
    for (std::size_t i = 0; i < relation.columns.size(); ++i) {
        const std::string column = expression(relation, relation.columns[i]);
        columns +=
            (i == 0 ? "" : ", ") + (is_aggregate && i + 1 == relation.columns.size()
                                        ? function_of(relation.aggregate) + "(" + column + ")"
                                        : column);
    }
    for (const std::string& column : extra) {
        columns += (columns.empty() ? "" : ", ") + expression(relation, column);
    }
    std::string select = "SELECT " + (columns.empty() ? "1" : columns) + from_where(relation);
    if (is_aggregate) {
        select += " GROUP BY ";
        for (std::size_t i = 0; i + 1 < relation.columns.size(); ++i) {
            select += (i == 0 ? "" : ", ") + expression(relation, relation.columns[i]);
        }
    }
    return select;
}

}  // namespace hri::data
