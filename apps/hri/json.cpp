// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include "output.hpp"

namespace hri::cli {

void write_json(const std::string& path, const Json& json) {
    Json headed = {{"format", "hri 1"}};
    if (json.is_object()) {
        headed.update(json);
        write_output(path, learning::dumped(headed));
    } else {
        write_output(path, learning::dumped(json));
    }
}

}  // namespace hri::cli
