// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers, tables and files as every command writes them.

#include "hri/data.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hri::cli {

/// Throws Error where a file of that name could not be written; an empty name is fine. To be called
/// before the work whose result goes there.
void check_writable(const std::string& path);
/// Writes the file unless the name is empty.
void write_output(const std::string& path, const std::string& content);

/// 12,345
std::string grouped(std::int64_t number);
/// "1 run", "2 runs"
std::string counted(std::int64_t number, const std::string& noun);
/// 0.41 s, 12.3 s, 4 min 5 s
std::string duration(double seconds);
/// "10 unseen instances of 11 constants"
std::string describe(const Source& source, int count, const std::string& adjective);

/// Rows of cells, the first one the header; the first columns to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t to_the_left = 1);

}  // namespace hri::cli
