// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/error.hpp"

#include <string>
#include <string_view>

namespace hri::data {

/// Throws Error where other than ASCII characters stand outside of texts and comments. TOML does
/// not allow them there, and toml++ 3 meets some of them with undefined behaviour.
void check_toml_text(std::string_view text, const std::string& file);

}  // namespace hri::data
