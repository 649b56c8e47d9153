// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tables: CSV and TSV files, and databases. What their columns are taken for, and how they are
// read.
//
//   Problem problem = read_problem("orders.csv", {.target = "late"}, {.separator = ";"});
//   for (const ColumnSummary& column : describe_tables("shop.sqlite").columns) ...

#include "hri/data.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

enum class ColumnType : std::uint8_t {
    key,          ///< names the row
    foreign_key,  ///< names a row of a table
    number,
    date,      ///< becomes days since 1970-01-01
    time,      ///< becomes seconds since 1970-01-01 00:00
    boolean,   ///< 0 or 1, yes or no, true or false
    category,  ///< a word that several rows share
    text,      ///< words that are different in most rows
    bytes      ///< is left out
};

/// "foreign key"
std::string_view to_string(ColumnType type);

/// One column, as it would be read.
struct ColumnSummary {
    std::string table;
    std::string name;
    ColumnType type = ColumnType::text;
    std::string references;  ///< the table whose rows a foreign key names
    std::int64_t rows = 0;
    std::int64_t empty = 0;              ///< rows without a value
    std::int64_t different = 0;          ///< values
    std::vector<std::string> examples;   ///< a few values; of numbers the least and the greatest
    std::vector<std::string> relations;  ///< that the column is an argument of, as name/arity
    std::string unit = {};               ///< of numbers: %, $
};

struct TableSummary {
    std::vector<ColumnSummary> columns;
    std::vector<std::string> prefixes;  ///< that keys get: "customers:"
    std::vector<std::string> remarks;   ///< what is left out, and why
};

/// Settings for reading tables, beside ReadOptions.
struct TableOptions {
    std::string separator = {};  ///< of CSV cells: one character, or "tab"; empty: recognised
    bool aggregates = false;     ///< the proposed mapping has counts, sums, ... per foreign key
    bool target_needed = true;   ///< false: the target may lack facts and examples
};

template <>
const std::vector<Field<TableOptions>>& fields_of<TableOptions>();

/// read_problem() of hri/data.hpp, for data that may be tables.
Problem read_problem(const std::string& source, const ReadOptions& options,
                     const TableOptions& tables);

/// The types of the columns of CSV files or of a database. Nothing for other formats.
TableSummary describe_tables(const std::string& source, const ReadOptions& options = {},
                             const TableOptions& tables = {});

/// The mapping that tables would be read by, as TOML.
std::string proposed_mapping(const std::string& source, const ReadOptions& options,
                             const TableOptions& tables);

}  // namespace hri
