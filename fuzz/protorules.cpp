// SPDX-License-Identifier: Apache-2.0
// Proto-rules: whatever is read prints and reads again to the same rules.

#include "hri/protorules.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const hri::ProtoRules rules = hri::parse_protorules(text);
        std::string printed;
        for (const hri::ProtoRule& rule : rules)
            printed += hri::to_text(rule) + "\n";
        if (hri::parse_protorules(printed) != rules)
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
