// SPDX-License-Identifier: Apache-2.0
// Triples: training, test and validation.

#include "fuzz/parts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto files = hri::fuzz::parts(data, size, {"train.txt", "test.txt", "valid.txt"});
        hri::fuzz::check_read({.closed_world = true}, [&](const hri::ReadOptions& options) {
            return hri::data::read_triples({{files[0]}, {files[1]}, {files[2]}, "t"}, options);
        });
    } catch (const hri::Error&) {
    }
    return 0;
}
