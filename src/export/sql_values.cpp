// SPDX-License-Identifier: Apache-2.0
#include "export/sql_values.hpp"

#include "data/readers/cell_values.hpp"

namespace hri::exporting {

std::string as_text(const std::string& sql) { return "CAST(" + sql + " AS TEXT)"; }

std::string whole_name(const SqlValue& value) {
    return value.sort.mixed || value.sort.prefix.empty()
               ? as_text(value.sql)
               : sql_text(value.sort.prefix) + " || " + as_text(value.sql);
}

std::string SqlValues::number(const SqlValue& value) const {
    const bool is_number = value.sort.number && !value.is_text;
    return is_number ? value.sql
                     : "CAST(" + value.sql + (postgresql_ ? " AS NUMERIC)" : " AS REAL)");
}

std::string SqlValues::equal(const SqlValue& left, const SqlValue& right) const {
    if (!mapped_) {
        return left.sql + " = " + right.sql;
    }
    if (left.sort.mixed || right.sort.mixed) {
        return whole_name(left) + " = " + whole_name(right);
    }
    if (left.sort.prefix != right.sort.prefix) {
        return "1 = 0";
    }
    if (left.sort.number && right.sort.number) {
        return number(left) + " = " + number(right);
    }
    // SQLite then uses the indices of the tables
    const bool plain =
        !postgresql_ && !left.is_text && !right.is_text && left.sort.number == right.sort.number;
    return plain ? left.sql + " = " + right.sql : as_text(left.sql) + " = " + as_text(right.sql);
}

std::string SqlValues::equal(const SqlValue& value, const std::string& constant) const {
    const std::optional<SqlValue> other = this->constant(constant, value.sort);
    return other ? equal(value, *other) : "1 = 0";
}

std::optional<SqlValue> SqlValues::constant(const std::string& name, const SqlSort& wanted) const {
    if (!mapped_ || wanted.mixed) {
        return SqlValue{as_text(sql_text(name)), wanted, true};
    }
    if (wanted.number) {
        const std::optional<double> value = data::number_in(name);
        return value ? std::optional(SqlValue{data::number_name(*value), wanted, false})
                     : std::nullopt;
    }
    if (!name.starts_with(wanted.prefix)) {
        return std::nullopt;
    }
    return SqlValue{as_text(sql_text(name.substr(wanted.prefix.size()))), wanted, true};
}

}  // namespace hri::exporting
