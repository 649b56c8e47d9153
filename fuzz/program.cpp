// SPDX-License-Identifier: Apache-2.0
// Prolog programs: whatever is read prints, reads again and prints the same; simplifying never
// fails.

#include "hri/logic.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const hri::Program program = hri::parse_program(text);
        const std::string printed = hri::to_prolog(program);
        if (hri::to_prolog(hri::parse_program(printed)) != printed)
            std::abort();
        if (program.rules.size() <= 12)
            hri::to_text(hri::simplified(program));
    } catch (const hri::Error&) {
    }
    return 0;
}
