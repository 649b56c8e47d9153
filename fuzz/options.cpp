// SPDX-License-Identifier: Apache-2.0
// Configuration files: whatever is read prints and reads again to the same options.

#include "hypotheses/options_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const hri::Options options = hri::hypotheses::parse_options(text, "config.toml");
        if (!(hri::hypotheses::parse_options(hri::hypotheses::options_to_toml(options),
                                             "again.toml") == options))
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
