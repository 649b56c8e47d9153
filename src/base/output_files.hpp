// SPDX-License-Identifier: Apache-2.0
#pragma once

// Outputs of a run, claimed before the work begins.
//
//   claim_output("program.pl", force);   // throws where it cannot or should not be written
//   ... minutes of work ...
//   write_file("program.pl", text);
//
// A claim holds until the process ends. It keeps a lock (.NAME.lock beside the file), so that two
// runs do not write the same output.

#include <filesystem>
#include <string>
#include <string_view>

namespace hri::base {

/// Whether hri wrote this: by its first bytes. Empty files count, since nothing is lost.
bool is_ours(std::string_view content);

/// Throws Error where the file exists and hri did not write it.
void require_ours(const std::filesystem::path& path);

/// Throws Error where the file cannot be written, where another run or another output of this run
/// has claimed it, and, unless `force`, where it exists and is not ours. Removes temporary files
/// of runs that were killed.
void claim_output(const std::filesystem::path& path, bool force);

/// The same for a folder that outputs go to; it need not exist. Locks it.
void claim_folder(const std::filesystem::path& folder);

enum class Language { prolog, datalog, sql, dot, latex, svg, text };

/// One line of comment with its line break: "% text\n". What would end the comment, and characters
/// that are not printed, are written as escapes.
std::string comment(Language language, std::string_view text);

/// "% written by hri 0.2.0\n"
std::string head_of_file(Language language);

}  // namespace hri::base
