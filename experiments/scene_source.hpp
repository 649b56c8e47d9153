// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenes for the tables about many targets: a user's, or synthetic ones.

#include "hri/scenes.hpp"

#include "command.hpp"

#include <cstdint>
#include <string>

namespace hri::cli {

struct SceneSource {
    std::string data;  ///< a compact file, scene graphs in JSON, or a folder of such; empty: none
    std::string lists;
    std::string sample;
    std::string planted_file;
    GenerateOptions synthetic = {.images = 5000};

    void add_to(Command& command);

    bool is_synthetic() const { return data.empty(); }

    /// Reads or generates them. Throws Error.
    SceneSet open(std::uint64_t seed) const;
};

}  // namespace hri::cli
