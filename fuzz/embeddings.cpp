// SPDX-License-Identifier: Apache-2.0
// Tables of embeddings: every name that was read is found, with a vector of the table's dimension.

#include "hri/priors.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("hri_fuzz_" + std::to_string(getpid()) + ".txt");
    try {
        hri::write_file(file, std::string(reinterpret_cast<const char*>(data), size));
        for (const hri::TableOrder order : {hri::TableOrder::listed, hri::TableOrder::sorted}) {
            const hri::EmbeddingTable table = hri::read_embedding_table(file, order);
            for (const auto& [name, row] : table.rows) {
                const auto found = table.find(name);
                if (!found || found->size() != static_cast<std::size_t>(table.dimension))
                    std::abort();
            }
        }
    } catch (const hri::Error&) {
    }
    std::filesystem::remove(file);
    return 0;
}
