// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tables of a database or of CSV files, read only, and the relations that a mapping makes of them.

#include "hri/tables.hpp"

#include "data/readers/task_files.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hri::data {

struct ColumnSchema {
    std::string name;
    bool is_key = false;          ///< part of the primary key
    bool is_number = false;       ///< an integer by its declared type
    bool is_bytes = false;        ///< no text by its declared type
    std::string references = {};  ///< the table that a foreign key points to
    std::string references_column = {};
};

/// Several columns that together name a row of another table.
struct CompositeReference {
    std::string table;
    std::vector<std::string> columns;
    std::vector<std::string> keys;  ///< of the other table, in the same order; empty: its key
};

struct TableSchema {
    std::string name;
    std::vector<ColumnSchema> columns;
    bool has_row_numbers = false;  ///< a column `rowid` that is not listed
    std::vector<CompositeReference> references = {};
};

/// A declared foreign key, of one column or of several.
void add_reference(TableSchema& table, CompositeReference key);

using Cells = std::vector<std::optional<std::string>>;  ///< nothing: NULL
using UseRow = std::function<void(const Cells&)>;

class TableSource {
  public:
    virtual ~TableSource() = default;
    /// In the order of their names.
    virtual std::vector<TableSchema> tables() = 0;
    virtual void rows(const std::string& table, const std::vector<std::string>& columns,
                      const UseRow& use) = 0;
    /// The rows of one SELECT. Throws Error where that is wrong.
    virtual void query(const std::string& select, const UseRow& use) = 0;

    virtual bool is_postgresql() const { return false; }

    /// CSV files declare nothing: their first column is the key, and two are a relation.
    virtual bool declares_keys() const { return true; }

    /// Where a cell stands, of files; rows count from 0, and kWholeRow is the row's beginning.
    virtual Place place(const std::string&, std::size_t /*row*/, const std::string& /*column*/) {
        return {};
    }
};

/// Throws Error where it cannot be opened.
std::unique_ptr<TableSource> open_sqlite(const std::filesystem::path& path);
std::unique_ptr<TableSource> open_postgresql(const std::string& connection);
/// Separator: one character, or empty where each file tells its own. Throws Error with the place.
std::unique_ptr<TableSource> open_csv(std::vector<TextFile> files, const std::string& separator);

/// "name" with quotes inside doubled.
std::string sql_identifier(const std::string& name);

/// The mapping from columns to a relation.
struct RelationMapping {
    std::string name;
    std::string table;
    std::vector<std::string> columns;   ///< or names in `computed`; none: true where there is a row
    std::vector<std::string> types;     ///< of columns; empty: as their cells look
    std::vector<std::string> prefixes;  ///< before each column's cells: person: 3 becomes person:3
    std::string value;                  ///< a column of valuations, or empty
    std::string label;                  ///< a column of labels: rows are examples, or empty
    std::string boolean;  ///< a column that says whether the row holds; as a target, its label
    std::string unless;   ///< a column that says whether the row does not hold
    std::string where;    ///< a condition in SQL, or empty
    std::map<std::string, std::string> computed;  ///< columns as expressions in SQL
    std::string aggregate;  ///< count, sum, min, max, mean or latest of the last column, or empty
    std::string by;         ///< latest: the column that tells which is
    std::string of;         ///< count: the table all of whose keys are counted for, or empty
    std::string of_key;     ///< its key
    Place place;
};

struct Mapping {
    std::string target;
    std::vector<RelationMapping> relations;
    std::vector<std::string> remarks;
};

/// The SELECT that gives a relation's rows: its columns, then `extra` ones of the table.
std::string select_of(const RelationMapping& relation, const std::vector<std::string>& extra = {});
/// Whether that is more than the columns of one table.
bool needs_select(const RelationMapping& relation);

std::string to_toml(const Mapping& mapping);
/// Throws Error with line and column.
Mapping parse_mapping(const TextFile& file);

/// Without a mapping, the proposed one. `from`: where errors say that they are.
Problem read_database(TableSource& database, const std::string& name, const std::string& from,
                      const std::optional<TextFile>& mapping, const ReadOptions& options,
                      const TableOptions& tables = {});

/// The same reading, for people.
TableSummary summarise(TableSource& database, const std::optional<TextFile>& mapping,
                       const TableOptions& tables);

}  // namespace hri::data
