// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hri::base {

/// Throws Error at the first place where TOML is nested more deeply than 64 levels: brackets, or
/// parts of a dotted key. The parser would follow each by a call of its own.
void check_toml_nesting(std::string_view text, const std::string& file);

}  // namespace hri::base
