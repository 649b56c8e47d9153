// SPDX-License-Identifier: Apache-2.0
// CSV and TSV files.

#include "fuzz/parts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto files = hri::fuzz::parts(data, size, {"p.csv", "q.tsv"});
        hri::fuzz::check_read({}, [&](const hri::ReadOptions& options) {
            return hri::data::read_tables(files, "t", options);
        });
    } catch (const hri::Error&) {
    }
    return 0;
}
