// SPDX-License-Identifier: Apache-2.0
// Scene graphs as JSON: what can be read goes through the compact form unchanged.

#include "data/scenes/contents.hpp"
#include "data/scenes/read_scenes.hpp"

#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        hri::SceneOptions options = hri::paper_merges();
        options.min_count = 1;
        options.isolated = size % 2 == 1;
        hri::scenes::Gatherer gatherer(options);
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        hri::scenes::read_scenes_from(in, "s.json", gatherer);
        const hri::SceneSet scenes = gatherer.finish("s.json");
        std::string bytes(scenes.bytes().data(), scenes.bytes().size());
        const hri::SceneSet again = hri::scenes::decode(std::move(bytes), "again");
        if (again.size() != scenes.size() || again.predicates() != scenes.predicates()) {
            std::abort();
        }
    } catch (const hri::Error&) {
    }
    return 0;
}
