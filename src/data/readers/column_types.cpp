// SPDX-License-Identifier: Apache-2.0
#include "data/readers/column_types.hpp"

#include "data/readers/cell_values.hpp"
#include "data/readers/delimited.hpp"
#include "data/readers/written_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_set>

namespace hri {

std::string_view to_string(ColumnType type) {
    constexpr std::array<std::string_view, 9> kNames = {
        "key", "foreign key", "number", "date", "time", "boolean", "category", "text", "bytes"};
    return kNames.at(static_cast<std::size_t>(type));
}

}  // namespace hri

namespace hri::data {
namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kMaxCategories = 50;

/// Properties that all cells of a column share.
struct Scan {
    std::unordered_set<std::string> values;
    std::int64_t rows = 0;
    std::int64_t empty = 0;
    bool numbers = true;
    bool integers = true;
    bool some_integer = false;
    bool dates = true;
    bool times = true;
    bool truths = true;
    double least = 0;
    double greatest = 0;
    std::string least_text;
    std::string greatest_text;
    std::vector<std::string> first;

    void add(const std::optional<std::string>& cell) {
        ++rows;
        if (!cell || cell->empty()) {
            ++empty;
            return;
        }
        if (!values.insert(*cell).second) {
            return;
        }
        if (first.size() < kExamples) {
            first.push_back(*cell);
        }
        const std::optional<double> number = number_in(*cell);
        const bool integer = number &&
                             cell->find_first_not_of("-0123456789") == std::string::npos &&
                             (cell->size() == 1 || (*cell)[0] != '0');  // 007 is a name
        constexpr double kExact = 9'007'199'254'740'992;  // beyond, two of them are one number
        const bool is_name = integer && std::abs(*number) > kExact;
        numbers = numbers && !is_name;
        integers = integers && integer;
        some_integer = some_integer || integer;
        numbers = numbers && number &&
                  (integer || cell->size() == 1 || (*cell)[0] != '0' || (*cell)[1] == '.' ||
                   (*cell)[1] == 'e');
        dates = dates && days_in(*cell);
        times = times && (seconds_in(*cell) || days_in(*cell));
        truths = truths && truth_in(*cell);
        const std::optional<double> measured = numbers ? number
                                               : times ? measured_time(*cell)
                                                       : std::nullopt;
        if (measured && (least_text.empty() || *measured < least)) {
            least = *measured;
            least_text = *cell;
        }
        if (measured && (greatest_text.empty() || *measured > greatest)) {
            greatest = *measured;
            greatest_text = *cell;
        }
    }

    static std::optional<double> measured_time(const std::string& cell) {
        if (const std::optional<std::int64_t> days = days_in(cell)) {
            return 86'400.0 * static_cast<double>(*days);
        }
        return seconds_in(cell);
    }

    bool unique() const { return empty == 0 && static_cast<std::int64_t>(values.size()) == rows; }
};

ColumnType type_by_cells(const ColumnSchema& column, const Scan& scan) {
    if (column.is_bytes) {
        return ColumnType::bytes;
    }
    if (scan.values.empty()) {
        return ColumnType::category;
    }
    if (scan.truths) {
        return ColumnType::boolean;
    }
    if (scan.numbers) {
        return ColumnType::number;
    }
    if (scan.dates) {
        return ColumnType::date;
    }
    if (scan.times) {
        return ColumnType::time;
    }
    const auto filled = static_cast<std::size_t>(scan.rows - scan.empty);
    return scan.values.size() <= kMaxCategories || 2 * scan.values.size() <= filled
               ? ColumnType::category
               : ColumnType::text;
}

std::string singular(std::string word) {
    if (word.ends_with("ies")) {
        return word.substr(0, word.size() - 3) + "y";
    }
    if (word.ends_with("ses") || word.ends_with("xes") || word.ends_with("ches")) {
        return word.substr(0, word.size() - 2);
    }
    if (word.ends_with('s') && !word.ends_with("ss")) {
        word.pop_back();
    }
    return word;
}

/// "customer" of customer_id, CustomerID, customer_key and customer.
std::string stem_of(const std::string& column) {
    std::string word = lower_case(column);
    for (const char* ending : {"_id", "_key", "_no", "_nr", "_code", "id"}) {
        const std::string_view end = ending;
        if (word.size() > end.size() && word.ends_with(end)) {
            word.resize(word.size() - end.size());
            break;
        }
    }
    return word;
}

bool names_table(const std::string& column, const std::string& table) {
    const std::string word = lower_case(table);
    const std::string stem = stem_of(column);
    return stem == word || stem == singular(word) ||
           (stem.size() > word.size() && stem.ends_with("_" + singular(word)));  // billing_customer
}

bool sounds_like_key(const std::string& column, const std::string& table) {
    const std::string word = lower_case(column);
    return word == "id" || word == "key" || word == "name" || word == "nr" || word == "no" ||
           (stem_of(column) != word && names_table(column, table));
}

/// from and to, source and target, a and b.
bool is_of_a_pair(const std::string& column) {
    constexpr auto kWords = std::to_array<std::string_view>(
        {"a",      "b",     "x",    "y",      "from",    "to",    "source",
         "target", "src",   "dst",  "parent", "child",   "first", "second",
         "left",   "right", "head", "tail",   "subject", "object"});
    return std::find(kWords.begin(), kWords.end(), lower_case(column)) != kWords.end();
}

class Typing {
  public:
    explicit Typing(TableSource& database) : database_(database) {
        for (const TableSchema& schema : database.tables()) {
            TypedTable& table = tables_.emplace_back();
            table.name = schema.name;
            table.has_row_numbers = schema.has_row_numbers;
            table.declares_keys = database.declares_keys();
            table.references = schema.references;
            for (const ColumnSchema& column : schema.columns) {
                table.places.emplace(column.name, table.columns.size());
                table.columns.emplace_back().schema = column;
            }
            scan(table);
        }
    }

    std::vector<TypedTable> typed() {
        for (TypedTable& table : tables_) {
            declared_keys_.push_back(
                std::count_if(table.columns.begin(), table.columns.end(),
                              [](const TypedColumn& c) { return c.schema.is_key; }));
        }
        each([this](TypedTable& table, std::size_t i) { find_key(table, i); });
        for (const TypedTable& table : tables_) {
            const TypedColumn* key = table.key();
            keys_.push_back(key == nullptr ? kNone
                                           : static_cast<std::size_t>(key - &table.columns[0]));
        }
        each([this](TypedTable& table, std::size_t i) { find_reference(table, i); });
        each([](TypedTable& table, std::size_t i) {
            const ColumnType type = table.columns[i].type;
            if (type == ColumnType::key || type == ColumnType::foreign_key) {
                keep_words(table.columns[i]);
            }
        });
        find_domains();
        each([this](TypedTable& table, std::size_t i) { summarise(table, i); });
        return std::move(tables_);
    }

  private:
    template <class Use>
    void each(const Use& use) {
        for (std::size_t t = 0; t < tables_.size(); ++t) {
            at_ = t;
            for (std::size_t i = 0; i < tables_[t].columns.size(); ++i) {
                use(tables_[t], i);
            }
        }
    }

    void scan(TypedTable& table) {
        std::vector<Scan>& scans = scans_.emplace_back(table.columns.size());
        std::vector<std::string> names;
        std::vector<std::size_t> read;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (!table.columns[i].schema.is_bytes) {
                names.push_back(table.columns[i].schema.name);
                read.push_back(i);
            }
        }
        database_.rows(table.name, names, [&](const Cells& cells) {
            for (std::size_t i = 0; i < read.size(); ++i) {
                scans[read[i]].add(cells[i]);
            }
        });
        find_valuations(table, scans);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            TypedColumn& column = table.columns[i];
            column.type = type_by_cells(column.schema, scans[i]);
            column.integers =
                column.schema.is_number || (scans[i].integers && !scans[i].values.empty());
            column.some_integer = column.integers || scans[i].some_integer;
            take_written_form(column, scans[i]);
        }
    }

    /// Beside three columns and more, `value` may be a column as others are.
    static void find_valuations(TypedTable& table, const std::vector<Scan>& scans) {
        const auto value = table.places.find("value");
        if (value == table.places.end() || table.declares_keys || table.arguments(3).size() < 3) {
            return;
        }
        const Scan& scan = scans[value->second];
        table.has_valuations =
            scan.numbers && (scan.values.empty() || (scan.least > 0 && scan.greatest <= 1));
    }

    /// Recognises cells such as $1,250.00, 4/30/2024 or NA among numbers.
    void take_written_form(TypedColumn& column, Scan& scan) {
        const bool is_word = column.type == ColumnType::category || column.type == ColumnType::text;
        if (!is_word && column.type != ColumnType::date) {
            return;
        }
        if (auto form = written_form(scan.values, column.schema.name, column.type,
                                     database_.is_postgresql())) {
            column.type = form->type;
            column.unit = form->unit;
            column.expression = form->expression;
            column.remarks = form->remarks;
            column.has_missing = form->has_missing;
            scan.least_text = form->least;
            scan.greatest_text = form->greatest;
        } else if (is_word) {
            column.remarks.push_back(remark_on_words(scan.values, column.schema.name));
        }
    }

    /// Keys stay as they are written.
    static void keep_words(TypedColumn& column) {
        column.expression.clear();
        column.remarks.clear();
    }

    const Scan& scan_of(std::size_t column) const { return scans_[at_][column]; }

    void find_key(TypedTable& table, std::size_t i) {
        TypedColumn& column = table.columns[i];
        const std::ptrdiff_t declared = declared_keys_[at_];
        if (declared > 0) {
            if (declared == 1 && column.schema.is_key) {
                column.type = ColumnType::key;
            }
            return;
        }
        const std::vector<const TypedColumn*> arguments = table.arguments(3);
        // two columns are a relation, unless the second says whether something holds of the first
        const bool says_whether =
            arguments.size() == 2 && arguments[1]->type == ColumnType::boolean &&
            (!arguments[1]->integers || sounds_like_key(arguments[0]->schema.name, table.name));
        const bool is_relation = arguments.size() < 2 || (arguments.size() == 2 && !says_whether);
        const Scan& cells = scan_of(i);
        if (arguments.empty() || arguments[0] != &column || is_relation || !cells.unique() ||
            cells.rows == 0) {
            return;
        }
        const bool is_name = !cells.numbers && !cells.times;
        if (is_name || sounds_like_key(column.schema.name, table.name) ||
            (cells.integers && !table.declares_keys)) {
            column.type = ColumnType::key;
        }
    }

    /// Whether all cells are keys of that table, which has a key.
    bool all_in(const Scan& cells, std::size_t other) const {
        const Scan& keys = scans_[other][keys_[other]];
        return std::all_of(cells.values.begin(), cells.values.end(),
                           [&](const std::string& v) { return keys.values.count(v) != 0; });
    }

    void find_reference(TypedTable& table, std::size_t i) {
        TypedColumn& column = table.columns[i];
        const Scan& cells = scan_of(i);
        if (column.type == ColumnType::bytes) {
            return;
        }
        if (!column.schema.references.empty()) {
            column.references = column.schema.references;
        } else if (column.type != ColumnType::key && !cells.values.empty()) {
            column.references = reference_by_cells(table, column, cells);
        }
        if (!column.references.empty() && column.type != ColumnType::key) {
            column.type = ColumnType::foreign_key;
        }
    }

    /// Finds the referenced table by name and cells. Words need their cells in exactly one table.
    std::string reference_by_cells(const TypedTable& table, const TypedColumn& column,
                                   const Scan& cells) const {
        std::vector<std::size_t> having;
        for (std::size_t t = 0; t < tables_.size(); ++t) {
            if (keys_[t] != kNone && all_in(cells, t)) {
                if (names_table(column.schema.name, tables_[t].name)) {
                    return tables_[t].name;
                }
                having.push_back(t);
            }
        }
        const bool is_word = column.type == ColumnType::category || column.type == ColumnType::text;
        const bool is_pair =
            column.integers && table.arguments(3).size() <= 2 && is_of_a_pair(column.schema.name);
        const bool enough = cells.values.size() > 1;
        return having.size() == 1 && enough && (is_word || is_pair) ? tables_[having[0]].name : "";
    }

    /// The table that names the rows of `table`: another one where its key refers to that.
    std::string named_by(const std::string& table) const {
        std::string name = table;
        for (std::size_t steps = 0; steps < tables_.size(); ++steps) {
            const auto found = std::find_if(tables_.begin(), tables_.end(),
                                            [&](const TypedTable& t) { return t.name == name; });
            const TypedColumn* key = found == tables_.end() ? nullptr : found->key();
            if (key == nullptr || key->references.empty()) {
                break;
            }
            name = key->references;
        }
        return name;
    }

    /// Keys and what refers to them share constants, and so do columns with a common word.
    void find_domains() {
        std::map<std::string, std::string> first_with;  // a word: the first column that has it
        each([&](TypedTable& table, std::size_t i) {
            TypedColumn& column = table.columns[i];
            switch (column.type) {
                case ColumnType::key:
                    column.domain =
                        column.references.empty() ? table.name : named_by(column.references);
                    return;
                case ColumnType::foreign_key:
                    column.domain = named_by(column.references);
                    return;
                case ColumnType::number:
                case ColumnType::date:
                case ColumnType::time:
                    column.domain = to_string(column.type);
                    return;
                default:
                    break;
            }
            column.domain = column.schema.name;
            for (const std::string& word : scan_of(i).values) {
                const auto [known, is_new] = first_with.try_emplace(word, column.domain);
                if (!is_new && known->second < column.domain) {
                    column.domain = known->second;
                }
            }
        });
        std::map<std::string, int> columns_of;
        std::map<std::pair<std::string, std::string>, int> keys_of;  // by table and domain
        each([&](TypedTable& table, std::size_t i) {
            const TypedColumn& column = table.columns[i];
            ++columns_of[column.domain];
            keys_of[{table.name, column.domain}] += column.type == ColumnType::key ? 1 : 0;
        });
        each([&](TypedTable& table, std::size_t i) {
            TypedColumn& column = table.columns[i];
            // A table may be called like its column of classes.
            const int own_keys =
                column.type == ColumnType::key ? 0 : keys_of.at({table.name, column.domain});
            column.shares_domain = columns_of.at(column.domain) - own_keys > 1;
        });
    }

    void summarise(const TypedTable& table, std::size_t i) {
        TypedColumn& column = tables_[at_].columns[i];
        const Scan& cells = scan_of(i);
        const bool ordered = column.type == ColumnType::number || column.type == ColumnType::date ||
                             column.type == ColumnType::time;
        column.summary = {table.name,
                          column.schema.name,
                          column.type,
                          column.references,
                          cells.rows,
                          cells.empty,
                          static_cast<std::int64_t>(cells.values.size()),
                          {},
                          {},
                          column.unit};
        column.summary.examples =
            ordered && !cells.least_text.empty()
                ? std::vector<std::string>{cells.least_text, cells.greatest_text}
                : cells.first;
    }

    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    TableSource& database_;
    std::vector<TypedTable> tables_;
    std::vector<std::vector<Scan>> scans_;       // [table][column]
    std::vector<std::ptrdiff_t> declared_keys_;  // [table]: their number
    std::vector<std::size_t> keys_;              // [table]: the column that is its key, or kNone
    std::size_t at_ = 0;
};

}  // namespace

const TypedColumn* TypedTable::key() const {
    const auto found = std::find_if(columns.begin(), columns.end(), [](const TypedColumn& column) {
        return column.type == ColumnType::key;
    });
    return found == columns.end() ? nullptr : &*found;
}

const TypedColumn* TypedTable::find(const std::string& column) const {
    const auto found = places.find(column);
    return found == places.end() ? nullptr : &columns[found->second];
}

std::vector<const TypedColumn*> TypedTable::composite_key() const {
    std::vector<const TypedColumn*> keys;
    for (const TypedColumn* column : arguments()) {
        if (column->schema.is_key) {
            keys.push_back(column);
        }
    }
    return keys;
}

bool TypedTable::is_special(const std::string& column) const {
    return !declares_keys && ((column == "value" && has_valuations) || column == "label");
}

std::vector<const TypedColumn*> TypedTable::arguments(std::size_t max) const {
    std::vector<const TypedColumn*> result;
    for (const TypedColumn& column : columns) {
        if (result.size() == max) {
            break;
        }
        if (!is_special(column.schema.name) && column.type != ColumnType::bytes) {
            result.push_back(&column);
        }
    }
    return result;
}

std::vector<TypedTable> typed_tables(TableSource& database) { return Typing(database).typed(); }

ColumnType column_type(const std::string& word, const Place& place) {
    std::string names;
    for (int i = 0; i < static_cast<int>(ColumnType::bytes); ++i) {
        const auto type = static_cast<ColumnType>(i);
        std::string name(to_string(type));
        std::replace(name.begin(), name.end(), ' ', '_');
        if (word == name) {
            return type;
        }
        names += (names.empty() ? "" : ", ") + name;
    }
    throw Error("there is no type '" + word.substr(0, 40) + "' of columns", place,
                "expected one of " + names);
}

}  // namespace hri::data
