// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hri::base {

/// The text that gzip compressed; other bytes as they are. Throws Error, with the file's name,
/// where they are damaged or give more than 4 GiB.
std::string gunzipped(std::string bytes, const std::string& file);

}  // namespace hri::base
