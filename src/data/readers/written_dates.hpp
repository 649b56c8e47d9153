// SPDX-License-Identifier: Apache-2.0
#pragma once

// Days that are not written as 2024-02-29: 29.2.2024, 2/29/2024, 29-Feb-24, February 29, 2024.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hri::data {

/// How all days of a column are written.
struct DateForm {
    char between = '.';        ///< what stands between the parts
    bool month_first = false;  ///< else the day; the year comes last
    bool named = false;        ///< the month by its English name
    bool short_year = false;   ///< two digits: 1970 to 2069
};

/// The form that all cells have, or nothing where there is none, or where nobody can tell whether
/// the day or the month comes first.
std::optional<DateForm> date_form(const std::vector<const std::string*>& cells);

/// Days since 1970-01-01 of a cell of that form.
std::int64_t day_of(const std::string& cell, const DateForm& form);

/// The day as 2024-02-29, in SQL; empty cells give NULL. `column` is a text.
std::string iso_date(const std::string& column, const DateForm& form, bool is_postgresql);

}  // namespace hri::data
