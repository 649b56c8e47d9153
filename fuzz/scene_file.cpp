// SPDX-License-Identifier: Apache-2.0
// The compact file of scenes, its checksum put right: whatever is not refused can be read.

#include "data/scenes/contents.hpp"

#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (size >= sizeof(hri::scenes::Header)) {
        const std::uint64_t sum = hri::scenes::checksum(bytes);
        std::memcpy(bytes.data() + offsetof(hri::scenes::Header, checksum), &sum, sizeof sum);
    }
    try {
        const hri::SceneSet scenes = hri::scenes::decode(std::move(bytes), "s.scenes");
        for (std::size_t i = 0; i < scenes.size() && i < 100; ++i) {
            for (const std::uint32_t target : scenes.targets()) {
                (void)hri::scene_instance(scenes, i, target);
            }
        }
        for (std::uint32_t p = 0; p < scenes.unary(); ++p) {
            (void)scenes.with_name(p);
        }
    } catch (const hri::Error&) {
    }
    return 0;
}
