// SPDX-License-Identifier: Apache-2.0
#include "data/readers/written_dates.hpp"

#include "data/readers/cell_values.hpp"
#include "data/readers/delimited.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace hri::data {
namespace {

constexpr auto kMonths =
    std::to_array<std::string_view>({"january", "february", "march", "april", "may", "june", "july",
                                     "august", "september", "october", "november", "december"});
constexpr std::string_view kShortMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
constexpr int kFirstShortYear = 70;

/// The parts of a cell, the month as a number.
struct Parts {
    char between = '.';
    std::array<int, 3> numbers{};
    int named_at = -1;  // the part that is a name
    bool short_year = false;
};

/// 1 to 12 of april, apr and sept; 0: no month.
int month_named(const std::string& text) {
    const std::string word = lower_case(text);
    if (word.size() < 3) {
        return 0;
    }
    for (std::size_t m = 0; m < kMonths.size(); ++m) {
        const bool usual = word.size() == 3 || word.size() == kMonths.at(m).size() ||
                           (word == "sept" && kMonths.at(m) == "september");
        if (usual && kMonths.at(m).starts_with(word)) {
            return static_cast<int>(m) + 1;
        }
    }
    return 0;
}

/// Up to four digits; -1: something else.
int number_of(const std::string& text) {
    const bool is_number = !text.empty() && text.size() <= 4 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::stoi(text) : -1;
}

std::optional<Parts> parts_of(const std::string& cell) {
    Parts parts;
    const std::size_t first = cell.find_first_of("./- ");
    if (first == std::string::npos) {
        return std::nullopt;
    }
    parts.between = cell[first];
    const std::size_t second = cell.find(parts.between, first + 1);
    if (second == std::string::npos) {
        return std::nullopt;
    }
    std::array<std::string, 3> texts = {
        cell.substr(0, first), cell.substr(first + 1, second - first - 1), cell.substr(second + 1)};
    for (std::size_t i = 0; i < 2; ++i) {
        std::string& text = texts.at(i);
        if (parts.between == ' ' && !text.empty() && (text.back() == ',' || text.back() == '.')) {
            text.pop_back();  // February 29, 2024
        }
        parts.numbers.at(i) = number_of(text);
        if (const int month = month_named(text); month > 0 && parts.named_at < 0) {
            parts.named_at = static_cast<int>(i);
            parts.numbers.at(i) = month;
        } else if (parts.numbers.at(i) < 0 || text.size() > 2) {
            return std::nullopt;
        }
    }
    parts.numbers[2] = number_of(texts[2]);
    parts.short_year = texts[2].size() == 2;
    if (parts.numbers[2] < 0 || (!parts.short_year && texts[2].size() != 4)) {
        return std::nullopt;
    }
    if (parts.short_year) {
        parts.numbers[2] += parts.numbers[2] < kFirstShortYear ? 2000 : 1900;
    }
    // 1.2.10 may be a version, and 24-12-31 may begin with its year
    const bool may_be_other =
        parts.short_year &&
        (parts.between == '-' || (parts.between == '.' && texts[0].size() + texts[1].size() < 4));
    const bool blanks = parts.between == ' ';
    return parts.named_at < 0 && (blanks || may_be_other) ? std::nullopt : std::optional(parts);
}

std::optional<std::int64_t> day_in(const std::string& cell, const DateForm& form) {
    const std::optional<Parts> parts = parts_of(cell);
    if (!parts || parts->between != form.between || parts->short_year != form.short_year ||
        (parts->named_at >= 0) != form.named ||
        (form.named && (parts->named_at == 0) != form.month_first)) {
        return std::nullopt;
    }
    const std::size_t month = form.month_first ? 0 : 1;
    return days_in(fmt::format("{:04}-{:02}-{:02}", parts->numbers[2], parts->numbers.at(month),
                               parts->numbers.at(1 - month)));
}

}  // namespace

std::optional<DateForm> date_form(const std::vector<const std::string*>& cells) {
    const std::optional<Parts> first = cells.empty() ? std::nullopt : parts_of(*cells.front());
    if (!first) {
        return std::nullopt;
    }
    DateForm form{first->between, false, first->named_at >= 0, first->short_year};
    const auto fits = [&](bool month_first) {
        form.month_first = month_first;
        return std::all_of(cells.begin(), cells.end(), [&](const std::string* cell) {
            return day_in(*cell, form).has_value();
        });
    };
    const bool day = fits(false);
    const bool month = (form.named || form.between != '.') && fits(true);
    if (day == month) {
        return std::nullopt;
    }
    form.month_first = month;
    return form;
}

std::int64_t day_of(const std::string& cell, const DateForm& form) {
    return day_in(cell, form).value_or(0);
}

std::string iso_date(const std::string& column, const DateForm& form, bool is_postgresql) {
    const std::string find = is_postgresql ? "STRPOS" : "INSTR";
    const std::string rest =
        fmt::format("SUBSTR({0}, {1}({0}, '{2}') + 1)", column, find, form.between);
    // the number with which a text begins, where other things may follow
    const auto number = [&](const std::string& text) {
        return is_postgresql ? fmt::format("CAST(SUBSTRING({} FROM '^[0-9]+') AS INTEGER)", text)
                             : fmt::format("CAST({} AS INTEGER)", text);
    };
    const std::string& month_text = form.month_first ? column : rest;
    const std::string day = number(form.month_first ? rest : column);
    const std::string month = form.named
                                  ? fmt::format("(({}('{}', LOWER(SUBSTR({}, 1, 3))) + 2) / 3)",
                                                find, kShortMonths, month_text)
                                  : number(month_text);
    const auto last = [&](int digits) {
        return is_postgresql ? fmt::format("RIGHT({}, {})", column, digits)
                             : fmt::format("SUBSTR({}, -{})", column, digits);
    };
    const std::string year =
        form.short_year ? fmt::format("CASE WHEN {0} < '{1}' THEN '20' ELSE '19' END || {0}",
                                      last(2), kFirstShortYear)
                        : last(4);
    const auto two = [&](const std::string& value) {
        return is_postgresql ? fmt::format("LPAD(CAST({} AS TEXT), 2, '0')", value)
                             : fmt::format("PRINTF('%02d', {})", value);
    };
    return fmt::format("CASE WHEN {} <> '' THEN ({}) || '-' || {} || '-' || {} END", column, year,
                       two(month), two(day));
}

}  // namespace hri::data
