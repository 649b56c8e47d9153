// SPDX-License-Identifier: Apache-2.0
#include "soft/looks_like_model.hpp"

#include <algorithm>

namespace hri::soft {

bool looks_like_model(const std::filesystem::path& path, const std::string& content) {
    if (path.extension() == ".safetensors") {
        return true;
    }
    return content.size() > 8 && content[8] == '{' &&
           std::any_of(content.begin(), content.begin() + 8, [](char c) { return c == '\0'; });
}

}  // namespace hri::soft
