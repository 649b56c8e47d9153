// SPDX-License-Identifier: Apache-2.0

// CSV and TSV files with a header.
//
// One or two columns are a unary or binary relation of the file's name. Three and more are a table
// of things, which a mapping turns into relations as it does with the tables of a database. A
// column `value` is a valuation; a column `label` makes the file's own relation the target.

#include "data/readers/database.hpp"

namespace hri::data {

Problem read_tables(const std::vector<TextFile>& files, const std::string& name,
                    const ReadOptions& options) {
    const std::string from = files.empty() ? name : files.front().path;
    return read_database(*open_csv(files, ""), name, from, std::nullopt, options);
}

}  // namespace hri::data
