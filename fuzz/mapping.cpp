// SPDX-License-Identifier: Apache-2.0
// Mappings of databases: whatever is read prints, reads again and prints the same.

#include "data/readers/database.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const std::string printed =
            hri::data::to_toml(hri::data::parse_mapping({"map.toml", text}));
        if (hri::data::to_toml(hri::data::parse_mapping({"again.toml", printed})) != printed)
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
