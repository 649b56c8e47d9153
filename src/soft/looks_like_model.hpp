// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace hri::soft {

/// Whether a file is a model rather than a program or JSON: safetensors begin with eight bytes of
/// length and a JSON object, and no program does.
bool looks_like_model(const std::filesystem::path& path, const std::string& content);

}  // namespace hri::soft
