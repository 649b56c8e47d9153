// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tables of a database, read only.

#include "data/readers/task_files.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hri::data {

struct ColumnSchema {
    std::string name;
    bool is_key = false;     ///< part of the primary key
    bool is_number = false;  ///< an integer by its declared type
    bool is_bytes = false;   ///< no text by its declared type
    std::string references;  ///< the table that a foreign key points to
    std::string references_column;
};

struct TableSchema {
    std::string name;
    std::vector<ColumnSchema> columns;
};

using Cells = std::vector<std::optional<std::string>>;  ///< nothing: NULL

class Database {
  public:
    virtual ~Database() = default;
    /// In the order of their names.
    virtual std::vector<TableSchema> tables() = 0;
    virtual void rows(const std::string& table, const std::vector<std::string>& columns,
                      const std::function<void(const Cells&)>& use) = 0;
};

/// Throws Error where it cannot be opened.
std::unique_ptr<Database> open_sqlite(const std::filesystem::path& path);
std::unique_ptr<Database> open_postgresql(const std::string& connection);

/// Which columns make which relation.
struct RelationMapping {
    std::string name;
    std::string table;
    std::vector<std::string> columns;   ///< none: true where the table has a row
    std::vector<std::string> prefixes;  ///< before each column's cells: person: 3 becomes person:3
    std::string value;                  ///< a column of valuations, or empty
    std::string label;                  ///< a column of labels: rows are examples, or empty
    Place place;
};

struct Mapping {
    std::string target;
    std::vector<RelationMapping> relations;
    std::vector<std::string> remarks;
};

/// Foreign keys and other columns as binary relations from the row's key; tables with a key, and of
/// one column, as unary ones; tables of two columns as binary ones.
Mapping propose_mapping(const std::vector<TableSchema>& tables);
std::string to_toml(const Mapping& mapping);
/// Throws Error with line and column.
Mapping parse_mapping(const TextFile& file);

/// Without a mapping, the proposed one. `from`: where errors say that they are.
Problem read_database(Database& database, const std::string& name, const std::string& from,
                      const std::optional<TextFile>& mapping, const ReadOptions& options);

}  // namespace hri::data
