// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON files as commands write them.

#include "learn/report_json.hpp"

#include <string>

namespace hri::cli {

using Json = nlohmann::ordered_json;

/// Writes the file unless the name is empty. Its first key says that hri wrote it.
void write_json(const std::string& path, const Json& json);

}  // namespace hri::cli
