// SPDX-License-Identifier: Apache-2.0
#pragma once

// One image of GQA's, Visual Genome's or CLEVR's JSON.

#include "data/scenes/json_stream.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hri::scenes {

enum class Format { gqa, visual_genome, clevr };

/// As the file has it, before anything is merged or left out.
struct RawScene {
    struct Relation {
        std::string name;
        std::size_t subject = 0;
        std::size_t object = 0;
    };

    std::string image;
    std::vector<std::vector<std::string>> objects;  // their names
    std::vector<Relation> relations;
    int unknown = 0;  // relations of objects that are not there, which are left out
};

class SceneReader {
  public:
    SceneReader(Format format, std::string file);
    ~SceneReader();
    SceneReader(const SceneReader&) = delete;
    SceneReader& operator=(const SceneReader&) = delete;

    /// False where the element is no scene but tells about the file. Throws Error.
    bool read(const JsonPiece& piece, RawScene& scene);

  private:
    struct Parser;  // keeps third-party headers out of this one
    std::unique_ptr<Parser> parser_;
};

}  // namespace hri::scenes
