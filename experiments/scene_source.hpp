// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenes for the tables about many targets: a user's, or synthetic ones.

#include "hri/scenes.hpp"

#include "command.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace hri::cli {

struct SceneSource {
    std::string data;  ///< a compact file, scene graphs in JSON, or a folder of such; empty: none
    std::string lists;
    std::string sample;
    std::string planted_file;
    SceneOptions reading = {};  ///< of JSON: what no list says
    GenerateOptions synthetic = {.images = 5000};

    void add_to(Command& command);

    bool is_synthetic() const { return data.empty(); }

    /// How JSON becomes facts. Throws Error.
    SceneOptions options() const;
    /// The same for another file: lists that are not beside it may be beside the data.
    SceneOptions options_beside(const std::filesystem::path& file) const;
    /// Reads or generates them. Throws Error.
    SceneSet open(std::uint64_t seed) const;
};

}  // namespace hri::cli
