// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sources of the inputs of SQL views: tables with the columns a and b, or the user's own
// tables by a mapping.

#include "hri/export.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hri::exporting {

/// The type of an argument: keys of one table stand without the prefix that makes them constants.
struct SqlSort {
    bool known = false;
    bool mixed = false;  ///< texts of constants, prefixes included
    bool number = false;
    std::string prefix = {};
    bool operator==(const SqlSort&) const = default;

    /// The type that two arguments share.
    SqlSort joined(const SqlSort& other) const;
};

struct SqlInput {
    std::string query;  ///< a SELECT of the columns a and b, or holds; empty: a table of that name
    std::vector<SqlSort> sorts;
};

class SqlInputs {
  public:
    SqlInputs(const SqlOptions& options, SqlDialect dialect);

    bool mapped() const { return mapped_; }

    /// The tables that a mapping names.
    const std::vector<std::string>& tables() const { return tables_; }

    /// Throws Error where the mapping lacks it.
    const SqlInput& of(const PredicateSymbol& symbol) const;

    /// All constants of all relations.
    SqlInput constants() const;

  private:
    std::map<PredicateSymbol, SqlInput> inputs_;
    std::vector<std::string> tables_;
    bool mapped_ = false;
};

/// [predicate][argument]: inputs' sorts as they are, others' by the rules.
std::vector<std::vector<SqlSort>> sorts_of(const Program& program, const std::vector<bool>& derived,
                                           std::optional<Predicate> constants,
                                           const SqlInputs& inputs);

/// 'text' with quotes inside doubled. Throws Error for a zero byte.
std::string sql_text(const std::string& text);

}  // namespace hri::exporting
