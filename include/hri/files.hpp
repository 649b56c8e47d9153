// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text files, read and written whole.

#include <filesystem>
#include <string>
#include <string_view>

namespace hri {

/// Writes a text file whole or not at all (temporary name in the same folder, then rename; what is
/// not a plain file, such as a pipe, is written directly). Throws Error.
void write_file(const std::filesystem::path& path, std::string_view content);
/// Reads a text file whole. Throws Error.
std::string read_file(const std::filesystem::path& path);

}  // namespace hri
