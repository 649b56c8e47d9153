// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers, tables and files as every command writes them.

#include "hri/data.hpp"
#include "hri/evaluate.hpp"

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hri::cli {

struct OutputFlags {
    bool force = false;  ///< outputs replace files that hri did not write
};

OutputFlags& output_flags();

/// Claims an output (see base/output_files.hpp); an empty name is fine. To be called before the
/// work whose result goes there.
void check_writable(const std::string& path);
/// The same for a folder, which is made, and those of its files that will be written.
void check_folder(const std::string& folder, const std::vector<std::string>& files);
/// Writes the file unless the name is empty.
void write_output(const std::string& path, const std::string& content);

/// Writes of which each is tried though another failed.
class Attempts {
  public:
    void attempt(const std::function<void()>& write);
    /// Throws the first Error that there was.
    void finish() const;

  private:
    std::optional<Error> first_;
};

/// 12,345
std::string grouped(std::int64_t number);
/// "1 run", "2 runs"
std::string counted(std::int64_t number, const std::string& noun);
/// "87.50 %", or "-" where nothing is called true
std::string precision_text(const Score& score);
/// 0.41 s, 12.3 s, 4 min 5 s
std::string duration(double seconds);
/// "10 unseen instances of 11 constants"
std::string describe(const Source& source, int count, const std::string& adjective);

/// Rows of cells, the first one the header; the first columns to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t to_the_left = 1);

}  // namespace hri::cli
