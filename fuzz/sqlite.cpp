// SPDX-License-Identifier: Apache-2.0
// SQLite files, read by the mapping that is proposed for them: the first relation is the target.

#include "fuzz/parts.hpp"

#include <filesystem>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("hri_fuzz_" + std::to_string(getpid()) + ".db");
    try {
        hri::write_file(file, std::string(reinterpret_cast<const char*>(data), size));
        hri::fuzz::check_read({.format = "sqlite"}, [&](const hri::ReadOptions& options) {
            return hri::read_problem(file.string(), options);
        });
    } catch (const hri::Error&) {
    }
    std::filesystem::remove(file);
    return 0;
}
