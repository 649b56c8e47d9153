// SPDX-License-Identifier: Apache-2.0

// CSV and TSV files as the tables of a database. A mapping that computes or selects is answered by
// SQLite, in memory.

#include "data/raw_dataset.hpp"
#include "data/readers/cell_values.hpp"
#include "data/readers/database.hpp"
#include "data/readers/delimited.hpp"

#include <algorithm>
#include <array>
#include <sqlite3.h>
#include <unordered_map>

namespace hri::data {
namespace {

const std::string kRowColumn = "row";
constexpr std::string_view kSeparators = ",;\t|";

/// Counts separators outside quotes in the first lines; the one that stands as often
/// in all of them wins, else the one of the header.
char separator_of(const TextFile& file) {
    const bool tabs = file.path.ends_with(".tsv") || file.path.ends_with(".tsv.gz");
    std::array<std::vector<int>, kSeparators.size()> counts;
    std::array<int, kSeparators.size()> here{};
    bool quoted = false;
    std::size_t lines = 0;
    for (std::size_t i = 0; i <= file.text.size() && lines < 5; ++i) {
        const char c = i < file.text.size() ? file.text[i] : '\n';
        quoted = c == '"' ? !quoted : quoted;
        if (c == '\n' && !quoted) {
            for (std::size_t s = 0; s < counts.size(); ++s) {
                counts.at(s).push_back(here.at(s));
            }
            here = {};
            ++lines;
        } else if (!quoted && kSeparators.find(c) != std::string_view::npos) {
            ++here.at(kSeparators.find(c));
        }
    }
    std::size_t best = tabs ? 2 : 0;
    const auto rank = [&](std::size_t s) {
        const std::vector<int>& of = counts.at(s);
        // the last line may be empty
        const auto end = of.size() > 1 && of.back() == 0 ? of.end() - 1 : of.end();
        const bool same =
            std::all_of(of.begin(), end, [&](int count) { return count == of.front(); });
        return of.empty() || of.front() == 0 ? 0 : (same ? 1000 : 0) + of.front();
    };
    for (std::size_t s = 0; s < counts.size(); ++s) {
        if (rank(s) > 0 && (rank(best) == 0 || rank(s) > rank(best) + 999)) {
            best = s;
        }
    }
    return kSeparators[best];
}

bool is_number_with(const std::string& cell, std::string_view characters) {
    return !cell.empty() && cell.find_first_not_of(characters) == std::string::npos;
}

/// 1,5 as 1.5, where semicolons separate cells.
bool has_decimal_comma(const std::string& cell) {
    const std::size_t comma = cell.find(',');
    return comma != std::string::npos && comma > 0 && comma + 1 < cell.size() &&
           is_number_with(cell, "-0123456789,") && cell.find(',', comma + 1) == std::string::npos;
}

class CsvFile {
  public:
    CsvFile(TextFile text, const std::string& separator) : file_(std::move(text)) {
        form_ = {separator.empty() ? separator_of(file_) : separator[0], true};
        schema_.name = name_of(file_.path);
        schema_.has_row_numbers = true;
        check_name(schema_.name, {file_.path, 1, 1});
        Delimited rows(file_, form_);
        if (!rows.next()) {
            throw Error("expected a header, found nothing", {file_.path, 1, 1},
                        "the first line names the columns");
        }
        read_header(rows);
        const std::size_t width = schema_.columns.size();
        while (rows.next()) {
            if (rows.cells().size() != width) {
                throw Error("expected " + std::to_string(width) + " cells, found " +
                                std::to_string(rows.cells().size()),
                            rows.place(std::min(rows.cells().size(), width)),
                            "the header says how many");
            }
            check_filled(rows);
            lines_.push_back(rows.place(0).line);
            cells_.insert(cells_.end(), rows.cells().begin(), rows.cells().end());
        }
        for (std::size_t i = 0; i < width && form_.separator == ';'; ++i) {
            use_decimal_points(i);
        }
    }

    const TableSchema& schema() const { return schema_; }

    std::size_t rows() const { return lines_.size(); }

    const std::string& cell(std::size_t row, std::size_t column) const {
        return cells_[row * schema_.columns.size() + column];
    }

    /// SIZE_MAX for the number of the row.
    std::size_t find(const std::string& column) const {
        const auto found = columns_.find(column);
        return found == columns_.end() ? SIZE_MAX : found->second;
    }

    Place place(std::size_t row, const std::string& column) const {
        const std::size_t wanted = find(column);
        if (wanted == SIZE_MAX || row >= rows()) {
            return {file_.path, row < rows() ? lines_[row] : 1, 1};
        }
        Delimited again(file_, form_);
        again.next();
        for (std::size_t i = 0; i <= row; ++i) {
            again.next();
        }
        return again.place(wanted);
    }

  private:
    /// Unless points are marks between thousands there.
    void use_decimal_points(std::size_t column) {
        const std::size_t width = schema_.columns.size();
        bool has_points = false;
        for (std::size_t i = column; i < cells_.size(); i += width) {
            has_points = has_points || (cells_[i].find('.') != std::string::npos &&
                                        is_number_with(cells_[i], "-0123456789.,"));
        }
        for (std::size_t i = column; i < cells_.size() && !has_points; i += width) {
            if (has_decimal_comma(cells_[i])) {
                cells_[i][cells_[i].find(',')] = '.';
            }
        }
    }

    void read_header(const Delimited& rows) {
        std::size_t others = 0;
        for (std::size_t i = 0; i < rows.cells().size(); ++i) {
            // a table written with its row numbers has no name for these
            const std::string& column = i == 0 && rows.cells().size() > 1 && rows.cells()[0].empty()
                                            ? kRowColumn
                                            : rows.cells()[i];
            if (column.empty()) {
                throw Error("expected a column's name, found nothing", rows.place(i),
                            "the first line names the columns");
            }
            if (!columns_.emplace(column, i).second) {
                throw Error("a second column '" + column.substr(0, 40) + "'", rows.place(i));
            }
            check_name(column, rows.place(i));
            others += column == "value" || column == "label" ? 0U : 1U;
            schema_.columns.push_back({column});
        }
        if (others == 0) {
            throw Error("expected a column beside value and label", rows.place(0));
        }
        is_relation_ = others <= 2;
    }

    /// Refuses empty cells of a relation: each row of its columns is a fact.
    void check_filled(const Delimited& rows) const {
        for (std::size_t i = 0; is_relation_ && i < rows.cells().size(); ++i) {
            const std::string& column = schema_.columns[i].name;
            if (rows.cells()[i].empty() && column != "value" && column != "label") {
                throw Error("expected a constant, found an empty cell", rows.place(i));
            }
        }
    }

    TextFile file_;
    DelimitedForm form_;
    TableSchema schema_;
    std::unordered_map<std::string, std::size_t> columns_;  // their places, by name
    bool is_relation_ = false;
    std::vector<std::string> cells_;  // row after row
    std::vector<int> lines_;          // where rows begin
};

class CsvDatabase : public TableSource {
  public:
    explicit CsvDatabase(std::vector<CsvFile> files) : files_(std::move(files)) {}

    ~CsvDatabase() override { sqlite3_close(sqlite_); }

    CsvDatabase(const CsvDatabase&) = delete;
    CsvDatabase& operator=(const CsvDatabase&) = delete;

    std::vector<TableSchema> tables() override {
        std::vector<TableSchema> result;
        for (const CsvFile& file : files_) {
            result.push_back(file.schema());
        }
        return result;
    }

    void rows(const std::string& table, const std::vector<std::string>& columns,
              const UseRow& use) override {
        const CsvFile& file = *find(table);
        std::vector<std::size_t> wanted;
        for (const std::string& column : columns) {
            wanted.push_back(file.find(column));
        }
        Cells cells(columns.size());
        for (std::size_t row = 0; row < file.rows(); ++row) {
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                cells[i] =
                    wanted[i] == SIZE_MAX ? std::to_string(row + 1) : file.cell(row, wanted[i]);
            }
            use(cells);
        }
    }

    void query(const std::string& select, const UseRow& use) override {
        if (sqlite_ == nullptr) {
            load();
        }
        sqlite3_stmt* statement = prepared(select);
        Cells cells;
        int step = sqlite3_step(statement);
        for (; step == SQLITE_ROW; step = sqlite3_step(statement)) {
            cells.clear();
            for (int i = 0; i < sqlite3_column_count(statement); ++i) {
                const unsigned char* bytes = sqlite3_column_text(statement, i);
                cells.push_back(bytes == nullptr ? std::nullopt
                                                 : std::optional(std::string(
                                                       reinterpret_cast<const char*>(bytes))));
            }
            use(cells);
        }
        sqlite3_finalize(statement);
        if (step != SQLITE_DONE) {
            fail();
        }
    }

    bool declares_keys() const override { return false; }

    Place place(const std::string& table, std::size_t row, const std::string& column) override {
        return find(table)->place(row, column);
    }

  private:
    const CsvFile* find(const std::string& table) const {
        const auto found = std::find_if(files_.begin(), files_.end(), [&](const CsvFile& file) {
            return file.schema().name == table;
        });
        return &*found;  // a mapping's tables are checked before
    }

    [[noreturn]] void fail() const {
        throw Error(std::string("SQLite: ") + sqlite3_errmsg(sqlite_),
                    {files_.front().place(0, "").file});
    }

    sqlite3_stmt* prepared(const std::string& text) const {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(sqlite_, text.c_str(), -1, &statement, nullptr) != SQLITE_OK ||
            statement == nullptr) {
            fail();
        }
        return statement;
    }

    void run(const std::string& text) const {
        sqlite3_stmt* statement = prepared(text);
        const int step = sqlite3_step(statement);
        sqlite3_finalize(statement);
        if (step != SQLITE_DONE) {
            fail();
        }
    }

    /// Columns of numbers hold numbers, so that they compare as such.
    static bool holds_numbers(const CsvFile& file, std::size_t column) {
        for (std::size_t row = 0; row < file.rows(); ++row) {
            if (!file.cell(row, column).empty() && !number_in(file.cell(row, column))) {
                return false;
            }
        }
        return true;
    }

    void load() {
        if (sqlite3_open(":memory:", &sqlite_) != SQLITE_OK) {
            fail();
        }
        for (const CsvFile& file : files_) {
            std::string columns;
            std::string marks;
            const std::size_t width = file.schema().columns.size();
            for (std::size_t i = 0; i < width; ++i) {
                columns += (i == 0 ? "" : ", ") + sql_identifier(file.schema().columns[i].name) +
                           (holds_numbers(file, i) ? " NUMERIC" : " TEXT");
                marks += i == 0 ? "?" : ", ?";
            }
            run("CREATE TABLE " + sql_identifier(file.schema().name) + " (" + columns + ")");
            run("BEGIN");
            sqlite3_stmt* insert = prepared("INSERT INTO " + sql_identifier(file.schema().name) +
                                            " VALUES (" + marks + ")");
            for (std::size_t row = 0; row < file.rows(); ++row) {
                for (std::size_t i = 0; i < width; ++i) {
                    const std::string& cell = file.cell(row, i);
                    if (cell.empty()) {
                        sqlite3_bind_null(insert, static_cast<int>(i) + 1);
                    } else {
                        sqlite3_bind_text(insert, static_cast<int>(i) + 1, cell.data(),
                                          static_cast<int>(cell.size()), SQLITE_STATIC);
                    }
                }
                sqlite3_step(insert);
                sqlite3_reset(insert);
            }
            sqlite3_finalize(insert);
            run("COMMIT");
        }
    }

    std::vector<CsvFile> files_;
    sqlite3* sqlite_ = nullptr;
};

}  // namespace

std::unique_ptr<TableSource> open_csv(std::vector<TextFile> files, const std::string& separator) {
    std::vector<CsvFile> read;
    for (TextFile& file : files) {
        read.emplace_back(std::move(file), separator);
    }
    return std::make_unique<CsvDatabase>(std::move(read));
}

}  // namespace hri::data
