// SPDX-License-Identifier: Apache-2.0
// Model files: damage gives an Error; whatever loads saves and loads again.

#include "hri/model.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const hri::Model model = hri::model_from_bytes(text, "model.safetensors");
        const std::string bytes = hri::model_to_bytes(model, "model.safetensors");
        if (hri::model_to_bytes(hri::model_from_bytes(bytes, "again"), "again") != bytes)
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
