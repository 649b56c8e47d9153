// SPDX-License-Identifier: Apache-2.0
#pragma once

// Columns whose cells write numbers, days or truth in another way than plainly: $1,250.00, 7 %,
// 4/30/2024, ja, NA. SQL makes plain cells of them, for the reader and for exported views alike.

#include "hri/tables.hpp"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace hri::data {

struct WrittenForm {
    ColumnType type = ColumnType::number;
    std::string unit;        ///< of numbers: %, $
    std::string expression;  ///< in SQL: the plain cell
    std::string least;       ///< of numbers and days, as it is written
    std::string greatest;
    bool has_missing = false;  ///< NA and the like among the cells
    std::vector<std::string> remarks;
};

/// The form of all these different cells, or nothing where they are plain or words. Name: of the
/// column, for the remarks. `type`: what they would be taken for.
std::optional<WrittenForm> written_form(const std::unordered_set<std::string>& cells,
                                        const std::string& name, ColumnType type,
                                        bool is_postgresql);

/// A warning about a column that stays one of words, or nothing.
std::string remark_on_words(const std::unordered_set<std::string>& cells, const std::string& name);

}  // namespace hri::data
