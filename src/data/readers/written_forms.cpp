// SPDX-License-Identifier: Apache-2.0
#include "data/readers/written_forms.hpp"

#include "data/readers/cell_values.hpp"
#include "data/readers/database.hpp"
#include "data/readers/delimited.hpp"
#include "data/readers/written_dates.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace hri::data {
namespace {

using Values = std::unordered_set<std::string>;

constexpr auto kMissing = std::to_array<std::string_view>(
    {"na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "?", "missing", "unknown"});

constexpr auto kCurrencies = std::to_array<std::string_view>(
    {"$",   "€",   "£",   "¥",   "₹",   "usd", "eur", "gbp", "chf", "jpy", "cad",
     "aud", "sek", "nok", "dkk", "pln", "czk", "inr", "cny", "us$", "kr",  "zł"});

constexpr auto kUnits = std::to_array<std::string_view>(
    {"%",  "‰", "kg", "mg",  "lb", "km", "cm", "mm", "ml", "min", "ms",  "°c",
     "°f", "°", "kw", "kwh", "hz", "kb", "mb", "gb", "tb", "bpm", "mmhg"});

/// One letter may end a name, such as 3a, unless a blank stands before it.
constexpr auto kLetters = std::to_array<std::string_view>({"g", "m", "l", "h", "s", "v", "a", "w"});

struct Truth {
    std::string_view yes;
    std::string_view no;
};

constexpr auto kTruths = std::to_array<Truth>({{"ja", "nein"},
                                               {"ja", "nee"},
                                               {"oui", "non"},
                                               {"si", "no"},
                                               {"sí", "no"},
                                               {"sì", "no"},
                                               {"sim", "não"},
                                               {"tak", "nie"},
                                               {"да", "нет"},
                                               {"on", "off"}});

constexpr auto kBlanks = std::to_array<std::string_view>({" ", "\u00a0", "\u202f"});

bool is_missing(const std::string& cell) {
    return std::find(kMissing.begin(), kMissing.end(), lower_case(cell)) != kMissing.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

std::string trimmed(std::string text) {
    for (const std::string_view blank : kBlanks) {
        while (text.starts_with(blank)) {
            text.erase(0, blank.size());
        }
        while (text.ends_with(blank)) {
            text.resize(text.size() - blank.size());
        }
    }
    return text;
}

/// A number with what stands around it.
struct Amount {
    std::string before;
    std::string after;
    std::string digits;  // with separators
};

std::optional<Amount> amount_of(const std::string& cell) {
    const auto first = std::find_if(cell.begin(), cell.end(), is_digit);
    if (first == cell.end()) {
        return std::nullopt;
    }
    const auto last = std::find_if(cell.rbegin(), cell.rend(), is_digit).base();
    Amount amount{std::string(cell.begin(), first), std::string(last, cell.end()),
                  std::string(first, last)};
    const std::size_t minus = amount.before.find('-');
    if (minus != std::string::npos) {
        amount.before.erase(minus, 1);
        amount.digits.insert(0, 1, '-');
    }
    const bool is_apart = !amount.after.empty() && amount.after != trimmed(amount.after);
    amount.before = trimmed(amount.before);
    amount.after = trimmed(amount.after);
    const auto is_one_of = [](const auto& units, const std::string& text) {
        return std::find(units.begin(), units.end(), lower_case(text)) != units.end();
    };
    const bool begins = amount.before.empty() || is_one_of(kCurrencies, amount.before);
    const bool ends = amount.after.empty() || is_one_of(kCurrencies, amount.after) ||
                      is_one_of(kUnits, amount.after) ||
                      (is_apart && is_one_of(kLetters, amount.after));
    return begins && ends ? std::optional(amount) : std::nullopt;
}

/// 1,234.5 with that decimal mark; between groups of three digits stands one of the others.
std::optional<double> number_with(char decimal, const std::string& digits) {
    std::string grouping(1, decimal == '.' ? ',' : '.');
    for (const std::string_view blank : kBlanks) {
        if (digits.find(blank) != std::string::npos) {
            grouping = blank;
        }
    }
    grouping = digits.find('\'') != std::string::npos ? "'" : grouping;
    const std::size_t point = std::min(digits.find(decimal), digits.size());
    std::string whole = digits.substr(0, point);
    if (whole.find(grouping) != std::string::npos) {
        std::size_t at = whole[0] == '-' ? 1 : 0;
        std::size_t end = whole.find(grouping);
        if (end - at > 3 || end == at || whole[at] == '0') {
            return std::nullopt;
        }
        while (end < whole.size()) {
            at = end + grouping.size();
            end = std::min(whole.find(grouping, at), whole.size());
            if (end - at != 3) {
                return std::nullopt;
            }
        }
        replace_all(whole, grouping, "");
    }
    constexpr std::size_t kExactDigits = 15;                       // beyond, two numbers may be one
    const bool is_name = (whole.size() > 1 && whole[0] == '0') ||  // 007
                         whole.size() > kExactDigits + (whole.starts_with('-') ? 1 : 0);
    const std::string plain =
        whole + (point < digits.size() ? "." + digits.substr(point + 1) : std::string());
    return is_name || plain.find_first_not_of("-.0123456789") != std::string::npos
               ? std::nullopt
               : number_in(plain);
}

std::string sql_text(std::string_view text) {
    std::string quoted(text);
    replace_all(quoted, "'", "''");
    return "'" + quoted + "'";
}

std::string without(const std::string& expression, std::string_view what) {
    return fmt::format("REPLACE({}, {}, '')", expression, sql_text(what));
}

/// Looks at cells one after the other and gives up at the first that does not suit.
class Forms {
  public:
    Forms(const Values& cells, std::string name, bool is_postgresql)
        : name_(std::move(name)),
          column_("CAST(" + sql_identifier(name_) + " AS TEXT)"),
          is_postgresql_(is_postgresql) {
        for (const std::string& cell : cells) {
            (is_missing(cell) ? missing_ : cells_).push_back(&cell);
        }
    }

    std::optional<WrittenForm> find(ColumnType type) {
        if (cells_.empty()) {
            return std::nullopt;
        }
        if (type == ColumnType::date) {
            return days();
        }
        for (const auto& form : {&Forms::plain, &Forms::truths, &Forms::days, &Forms::amounts}) {
            if (auto found = (this->*form)()) {
                return found;
            }
        }
        return std::nullopt;
    }

  private:
    template <class Test>
    bool all(const Test& test) const {
        return std::all_of(cells_.begin(), cells_.end(),
                           [&](const std::string* cell) { return test(*cell); });
    }

    /// The cells that say that they are missing count as empty.
    std::string filled(const std::string& expression) const {
        if (missing_.empty()) {
            return expression;
        }
        std::string words;
        for (const std::string* word : missing_) {
            words += (words.empty() ? "" : ", ") + sql_text(*word);
        }
        return fmt::format("CASE WHEN {} IN ({}) THEN NULL ELSE {} END", column_, words,
                           expression);
    }

    template <class Measure>
    WrittenForm made(ColumnType type, const std::string& expression, const Measure& measure) const {
        WrittenForm form{type, "", filled(expression), "", "", !missing_.empty(), {}};
        double least = 0;
        double greatest = 0;
        for (const std::string* cell : cells_) {
            const double value = measure(*cell);
            if (form.least.empty() || value < least) {
                least = value;
                form.least = *cell;
            }
            if (form.greatest.empty() || value > greatest) {
                greatest = value;
                form.greatest = *cell;
            }
        }
        if (!missing_.empty()) {
            std::vector<std::string> words;
            for (const std::string* word : missing_) {
                words.push_back(*word);
            }
            std::sort(words.begin(), words.end());
            form.remarks.push_back(
                fmt::format("column {}: {} counts as empty", name_, fmt::join(words, ", ")));
        }
        return form;
    }

    /// Plain but for the words that say that a value is missing.
    std::optional<WrittenForm> plain() const {
        if (missing_.empty()) {
            return std::nullopt;
        }
        const std::string same = sql_identifier(name_);
        if (all([](const std::string& cell) { return truth_in(cell).has_value(); })) {
            return made(ColumnType::boolean, same, [](const std::string&) { return 0.0; });
        }
        if (all([](const std::string& cell) { return number_with('.', cell).has_value(); }) &&
            all([](const std::string& cell) { return number_in(cell).has_value(); })) {
            return made(ColumnType::number, same,
                        [](const std::string& cell) { return *number_in(cell); });
        }
        if (all([](const std::string& cell) { return seconds_in(cell).has_value(); })) {
            return made(ColumnType::time, same,
                        [](const std::string& cell) { return *seconds_in(cell); });
        }
        return std::nullopt;
    }

    std::optional<WrittenForm> truths() const {
        for (const Truth& words : kTruths) {
            if (cells_.size() == 2 && all([&](const std::string& cell) {
                    return lower_case(cell) == words.yes || lower_case(cell) == words.no;
                })) {
                std::string yes;
                for (const std::string* cell : cells_) {
                    yes = lower_case(*cell) == words.yes ? *cell : yes;
                }
                const std::string truth = fmt::format(
                    "CASE WHEN {0} = {1} THEN 1 WHEN {0} <> '' THEN 0 END", column_, sql_text(yes));
                return made(ColumnType::boolean, truth, [](const std::string&) { return 0.0; });
            }
        }
        return std::nullopt;
    }

    std::optional<WrittenForm> days() const {
        if (all([](const std::string& cell) { return days_in(cell) && cell[4] == '-'; })) {
            return missing_.empty() ? std::nullopt : std::optional(of_days(sql_identifier(name_)));
        }
        if (all([](const std::string& cell) { return days_in(cell) && cell[4] == '/'; })) {
            return of_days("REPLACE(" + column_ + ", '/', '-')");
        }
        const std::optional<DateForm> form = date_form(cells_);
        if (!form) {
            return std::nullopt;  // no dates, or 3/4/2024 alone, which remark_on_words tells
        }
        WrittenForm found =
            made(ColumnType::date, iso_date(column_, *form, is_postgresql_),
                 [&](const std::string& cell) { return static_cast<double>(day_of(cell, *form)); });
        if (form->short_year) {
            found.remarks.push_back(
                fmt::format("column {}: years of two digits are those from 1970 to 2069", name_));
        }
        return found;
    }

    WrittenForm of_days(const std::string& expression) const {
        return made(ColumnType::date, expression,
                    [](const std::string& cell) { return static_cast<double>(*days_in(cell)); });
    }

    /// Numbers with a unit that is the same everywhere, or with marks between thousands.
    std::optional<WrittenForm> amounts() const {
        const std::optional<Amount> first = amount_of(*cells_.front());
        if (!first || (!first->before.empty() && !first->after.empty())) {
            return std::nullopt;
        }
        const auto valid = [&](char decimal) {
            return all([&](const std::string& cell) {
                const std::optional<Amount> amount = amount_of(cell);
                return amount && amount->before == first->before && amount->after == first->after &&
                       number_with(decimal, amount->digits);
            });
        };
        const bool point = valid('.');
        if (!point && !valid(',')) {
            return std::nullopt;
        }
        const char decimal = point ? '.' : ',';
        const auto any = [&](std::string_view text) {
            return std::any_of(cells_.begin(), cells_.end(), [&](const std::string* cell) {
                return cell->find(text) != std::string::npos;
            });
        };
        std::string expression = column_;
        for (const std::string& unit : {first->before, first->after}) {
            expression = unit.empty() ? expression : without(expression, unit);
        }
        for (const std::string_view mark : {std::string_view(point ? "," : "."), kBlanks[0],
                                            kBlanks[1], kBlanks[2], std::string_view("'")}) {
            expression = any(mark) ? without(expression, mark) : expression;
        }
        if (!point) {
            expression = "REPLACE(" + expression + ", ',', '.')";
        }
        WrittenForm form =
            made(ColumnType::number, "CAST(NULLIF(" + expression + ", '') AS NUMERIC)",
                 [&](const std::string& cell) {
                     return *number_with(decimal, amount_of(cell)->digits);
                 });
        form.unit = first->before + first->after;
        if (point && any(",") && valid(',')) {
            form.remarks.push_back(fmt::format(
                "column {}: commas are taken for marks between thousands ({} is a number above "
                "999)",
                name_, form.greatest));
        }
        return form;
    }

    std::string name_;
    std::string column_;  // its text, in SQL
    bool is_postgresql_;
    std::vector<const std::string*> cells_;
    std::vector<const std::string*> missing_;
};

}  // namespace

std::optional<WrittenForm> written_form(const Values& cells, const std::string& name,
                                        ColumnType type, bool is_postgresql) {
    return Forms(cells, name, is_postgresql).find(type);
}

std::string remark_on_words(const Values& cells, const std::string& name) {
    constexpr std::size_t kEnough = 10;
    std::size_t measured = 0;
    std::size_t dates = 0;
    std::string other;
    for (const std::string& cell : cells) {
        const bool is_one = number_in(cell) || days_in(cell) || seconds_in(cell);
        measured += is_one ? 1U : 0U;
        const auto is_mark = [](char c) { return c == '/' || c == '-'; };
        const bool is_short = cell.size() >= 6 && cell.find('-') == std::string::npos;
        const bool is_date = (is_short || cell.size() >= 8) && cell.size() <= 10 &&
                             std::count_if(cell.begin(), cell.end(), is_mark) == 2 &&
                             cell.find_first_not_of("0123456789/-") == std::string::npos;
        dates += is_date ? 1U : 0U;
        other = is_one ? other : cell;
    }
    if (dates == cells.size() && dates > 0 && measured < dates) {
        return fmt::format(
            "column {} is taken for words: of {} nobody can tell whether the day or the month "
            "comes first (write 2024-02-29, or compute the date in a mapping)",
            name, other);
    }
    if (cells.size() >= kEnough && measured < cells.size() && 10 * measured >= 9 * cells.size()) {
        return fmt::format(
            "column {} is taken for words: most of its values are numbers or dates, "
            "but not '{}'",
            name, other.substr(0, 40));
    }
    return "";
}

}  // namespace hri::data
