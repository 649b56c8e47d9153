// SPDX-License-Identifier: Apache-2.0
#pragma once

// Expressions of SQL that stand for constants, and how they compare.

#include "export/sql_inputs.hpp"

#include <optional>
#include <string>

namespace hri::exporting {

/// An expression, and what it holds.
struct SqlValue {
    std::string sql;
    SqlSort sort;
    bool is_text = false;  ///< whatever the sort: recursions hold texts
};

/// CAST(... AS TEXT)
std::string as_text(const std::string& sql);

/// The constant's whole name, with its prefix.
std::string whole_name(const SqlValue& value);

class SqlValues {
  public:
    SqlValues(bool mapped, bool postgresql) : mapped_(mapped), postgresql_(postgresql) {}

    std::string number(const SqlValue& value) const;
    std::string equal(const SqlValue& left, const SqlValue& right) const;
    std::string equal(const SqlValue& value, const std::string& constant) const;
    /// A constant where a value of that sort is wanted; nothing where none can be it.
    std::optional<SqlValue> constant(const std::string& name, const SqlSort& wanted) const;

  private:
    bool mapped_;
    bool postgresql_;
};

}  // namespace hri::exporting
