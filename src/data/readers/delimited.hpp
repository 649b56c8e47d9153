// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lines of cells: CSV with quotes, or separated by tabs.
//
//   Delimited rows(file, {.separator = ',', .quotes = true});
//   while (rows.next()) ... rows.cells()[0] ... rows.place(0) ...

#include "hri/error.hpp"

#include "data/readers/task_files.hpp"

#include <string>
#include <vector>

namespace hri::data {

struct DelimitedForm {
    char separator = '\t';
    bool quotes = false;  ///< "a cell with ""quotes"", separators and line breaks"
};

class Delimited {
  public:
    /// Throws Error where the text is no UTF-8.
    Delimited(const TextFile& file, const DelimitedForm& form);

    /// The next row that is not empty; false at the end. Throws Error.
    bool next();

    const std::vector<std::string>& cells() const { return cells_; }

    /// Where a cell of the row begins; the place after the last cell for others.
    Place place(std::size_t cell) const;

  private:
    struct At {
        int line = 1;
        int column = 1;
    };

    void step();
    void read_row();
    void skip_blanks();
    std::string read_quoted();

    const TextFile& file_;
    DelimitedForm form_;
    std::size_t offset_ = 0;
    At at_;
    std::vector<std::string> cells_;
    std::vector<At> places_;
    At end_;
};

/// A to Z as a to z.
std::string lower_case(std::string text);

/// Positive or negative: pos or neg, 1 or 0, true or false, yes or no. Throws Error.
bool label_of(const std::string& cell, const Place& place);

/// A valuation above 0 and at most 1. Throws Error.
float valuation(const std::string& cell, const Place& place);

}  // namespace hri::data
