// SPDX-License-Identifier: Apache-2.0
// Aleph's files: background, positive and negative examples.

#include "fuzz/parts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto files = hri::fuzz::parts(data, size, {"t.b", "t.f", "t.n"});
        hri::fuzz::check_read({}, [&](const hri::ReadOptions& options) {
            return hri::data::read_aleph({files[0], files[1], files[2], "t"}, options);
        });
    } catch (const hri::Error&) {
    }
    return 0;
}
