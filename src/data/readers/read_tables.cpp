// SPDX-License-Identifier: Apache-2.0

// CSV and TSV files with a header.
//
// One or two columns are a unary or binary relation of the file's name. Three and more are a table
// of things: the first column is their key, every other one a binary relation between key and cell
// that carries the column's name, or a unary one where all cells are true or false. A column
// `value` is a valuation; a column `label` makes the file's own relation the target.

#include "data/raw_dataset.hpp"
#include "data/readers/delimited.hpp"
#include "data/readers/task_files.hpp"

#include <algorithm>
#include <set>

namespace hri::data {
namespace {

enum class Truth3 { no, yes, neither };

Truth3 truth_of(const std::string& cell) {
    const std::string word = lower_case(cell);
    if (word == "true" || word == "yes") {
        return Truth3::yes;
    }
    return word == "false" || word == "no" ? Truth3::no : Truth3::neither;
}

class TableReader {
  public:
    TableReader(const TextFile& file, RawDataset& into)
        : file_(file), into_(into), name_(name_of(file.path)) {}

    void read() {
        const bool tabs = file_.path.ends_with(".tsv");
        Delimited rows(file_, {tabs ? '\t' : ',', true});
        if (!rows.next()) {
            throw Error("expected a header, found nothing", {file_.path, 1, 1},
                        "the first line names the columns");
        }
        check_name(name_, {file_.path, 1, 1});
        read_header(rows);
        gather(rows);
        if (columns_.size() <= 2) {
            add_relation();
        } else {
            add_things();
        }
        add_labels();
    }

  private:
    struct Row {
        std::vector<std::int32_t> cells;  // of columns_; -1: empty
        std::vector<Truth3> truths;
        float value = 1;
        std::string label;
        Place place;
        Place label_place;
    };

    void read_header(const Delimited& rows) {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < rows.cells().size(); ++i) {
            const std::string& column = rows.cells()[i];
            if (column.empty()) {
                throw Error("expected a column's name, found nothing", rows.place(i),
                            "the first line names the columns");
            }
            if (!seen.insert(column).second) {
                throw Error("a second column '" + column.substr(0, 40) + "'", rows.place(i));
            }
            check_name(column, rows.place(i));
            if (column == "value") {
                value_ = i;
            } else if (column == "label") {
                label_ = i;
            } else {
                columns_.push_back(i);
                names_.push_back(column);
            }
        }
        width_ = rows.cells().size();
        check_separator(rows);
        if (columns_.empty()) {
            throw Error("expected a column beside value and label", rows.place(0));
        }
        header_ = rows.place(0);
    }

    /// One column whose name holds what separates columns elsewhere.
    void check_separator(const Delimited& rows) const {
        const std::string& only = rows.cells()[0];
        if (width_ == 1 && only.find_first_of(",;\t") != std::string::npos) {
            const bool tabs = file_.path.ends_with(".tsv");
            throw Error("expected columns separated by " + std::string(tabs ? "tabs" : "commas") +
                            ", found '" + only.substr(0, 40) + "'",
                        rows.place(0),
                        tabs ? "a file with commas ends in .csv"
                             : "a file with tabs ends in .tsv; semicolons are not known");
        }
    }

    void gather(Delimited& rows) {
        while (rows.next()) {
            const std::vector<std::string>& cells = rows.cells();
            if (cells.size() != width_) {
                throw Error("expected " + std::to_string(width_) + " cells, found " +
                                std::to_string(cells.size()),
                            rows.place(std::min(cells.size(), width_)), "the header says how many");
            }
            Row row;
            row.place = rows.place(0);
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                const std::string& cell = cells[columns_[i]];
                const bool may_be_empty = columns_.size() > 2 && i > 0;
                if (cell.empty() && !may_be_empty) {
                    throw Error("expected a constant, found an empty cell",
                                rows.place(columns_[i]));
                }
                row.truths.push_back(truth_of(cell));
                row.cells.push_back(cell.empty() ? -1 : into_.constants.intern(cell));
            }
            if (value_ != SIZE_MAX && !cells[value_].empty()) {
                row.value = valuation(cells[value_], rows.place(value_));
            }
            if (label_ != SIZE_MAX) {
                row.label = cells[label_];
                row.label_place = rows.place(label_);
            }
            rows_.push_back(std::move(row));
        }
    }

    void add_relation() {
        if (label_ != SIZE_MAX) {
            return;  // examples only
        }
        const int table = into_.table({name_, static_cast<int>(columns_.size())}, header_);
        into_.tables[static_cast<std::size_t>(table)].given = true;
        for (const Row& row : rows_) {
            into_.add_fact(table, row.cells, row.value);
        }
    }

    void add_things() {
        for (std::size_t i = 1; i < columns_.size(); ++i) {
            const bool flags = std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
                return row.cells[i] < 0 || row.truths[i] != Truth3::neither;
            });
            const int table = into_.table({names_[i], flags ? 1 : 2}, header_);
            into_.tables[static_cast<std::size_t>(table)].given = true;
            for (const Row& row : rows_) {
                if (row.cells[i] < 0 || (flags && row.truths[i] == Truth3::no)) {
                    continue;
                }
                into_.add_fact(
                    table,
                    flags ? std::vector{row.cells[0]} : std::vector{row.cells[0], row.cells[i]},
                    row.value);
            }
        }
    }

    void add_labels() {
        if (label_ == SIZE_MAX) {
            return;
        }
        const int arity = columns_.size() == 2 ? 2 : 1;
        for (const Row& row : rows_) {
            if (!row.label.empty()) {
                into_.add_example(into_.table({name_, arity}, header_), row.place,
                                  {row.cells.begin(), row.cells.begin() + arity},
                                  label_of(row.label, row.label_place));
            }
        }
    }

    const TextFile& file_;
    RawDataset& into_;
    std::string name_;
    std::size_t width_ = 0;
    std::size_t value_ = SIZE_MAX;
    std::size_t label_ = SIZE_MAX;
    std::vector<std::size_t> columns_;  // the others
    std::vector<std::string> names_;
    Place header_;
    std::vector<Row> rows_;
};

}  // namespace

Problem read_tables(const std::vector<TextFile>& files, const std::string& name,
                    const ReadOptions& options) {
    RawDataset into;
    into.name = name;
    into.facts_are_examples = true;
    into.no_examples = {files.empty() ? name : files.front().path, 1, 1};
    into.hint_no_target = "a column `label` marks examples, or {target} names a relation";
    for (const TextFile& file : files) {
        TableReader(file, into).read();
    }
    return build_problem(std::move(into), options);
}

}  // namespace hri::data
