// SPDX-License-Identifier: Apache-2.0
// Task folders: bk.pl, exs.pl and bias.pl.

#include "fuzz/parts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto files = hri::fuzz::parts(data, size, {"bk.pl", "exs.pl", "bias.pl"});
        hri::fuzz::check_read({.reify = true}, [&](const hri::ReadOptions& options) {
            return hri::data::read_task({files[0], files[1], files[2], "t"}, options);
        });
    } catch (const hri::Error&) {
    }
    return 0;
}
