// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include "output.hpp"

namespace hri::cli {

void write_json(const std::string& path, const Json& json) {
    write_output(path, learning::dumped(json));
}

}  // namespace hri::cli
