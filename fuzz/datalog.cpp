// SPDX-License-Identifier: Apache-2.0
// Datalog's facts, one relation per file.

#include "fuzz/parts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto files = hri::fuzz::parts(data, size, {"p.facts", "q.facts", "t.pos", "t.neg"});
        hri::fuzz::check_read({.reify = true}, [&](const hri::ReadOptions& options) {
            return hri::data::read_datalog(files, "t", options);
        });
    } catch (const hri::Error&) {
    }
    return 0;
}
