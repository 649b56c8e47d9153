// SPDX-License-Identifier: Apache-2.0
#pragma once

// Types of columns: from declarations, names and cells.

#include "data/readers/database.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::data {

struct TypedColumn {
    ColumnSchema schema;
    ColumnType type = ColumnType::text;
    std::string references;  ///< of a foreign key: the table
    std::string domain;      ///< columns of one domain share constants
    bool shares_domain = false;
    bool integers = false;  ///< all cells are whole numbers
    bool some_integer = false;
    std::string expression = {};  ///< in SQL: the plain cell, of $1,250.00 or NA; or empty
    std::string unit = {};        ///< of numbers: %, $
    bool has_missing = false;     ///< cells that say so: NA
    std::vector<std::string> remarks = {};
    ColumnSummary summary = {};
};

struct TypedTable {
    std::string name;
    std::vector<TypedColumn> columns;
    bool has_row_numbers = false;
    bool declares_keys = true;
    bool has_valuations = true;  ///< a column `value` holds them, in CSV files
    std::unordered_map<std::string, std::size_t> places = {};  ///< of columns, by their names
    std::vector<CompositeReference> references = {};

    const TypedColumn* key() const;  ///< of one column, or null
    const TypedColumn* find(const std::string& column) const;
    /// Those of a key of several columns, or none.
    std::vector<const TypedColumn*> composite_key() const;
    /// Whether a CSV column of valuations or labels has this name.
    bool is_special(const std::string& column) const;
    /// Columns that are not special and hold no bytes; the first ones, where `max` are enough.
    std::vector<const TypedColumn*> arguments(std::size_t max = SIZE_MAX) const;
};

/// Reads every table once.
std::vector<TypedTable> typed_tables(TableSource& database);

/// Relations for all tables: foreign keys and other columns as binary relations from the row's key,
/// booleans as unary ones. Rows without a key of one column get a name of their own.
Mapping propose_mapping(const std::vector<TypedTable>& tables, const TableOptions& options);

/// The type of a word in a mapping. Throws Error.
ColumnType column_type(const std::string& word, const Place& place);

}  // namespace hri::data
