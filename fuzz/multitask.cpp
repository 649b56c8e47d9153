// SPDX-License-Identifier: Apache-2.0
// What `hri multitask` learned of many targets: what can be read is written and read again the
// same.

#include "hri/multitask.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("hri_fuzz_" + std::to_string(getpid()) + ".st");
    try {
        hri::write_file(file, std::string(reinterpret_cast<const char*>(data), size));
        const hri::Multitask learned = hri::load_multitask(file);
        hri::save_multitask(file, learned);
        const std::string written = hri::read_file(file);
        hri::save_multitask(file, hri::load_multitask(file));
        if (hri::read_file(file) != written)
            std::abort();
    } catch (const hri::Error&) {
    }
    std::filesystem::remove(file);
    return 0;
}
