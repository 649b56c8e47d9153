// SPDX-License-Identifier: Apache-2.0
#pragma once

// One image of GQA's, Visual Genome's, CLEVR's or VRD's JSON.

#include "data/scenes/json_stream.hpp"

#include <compare>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hri::scenes {

enum class Format { gqa, visual_genome, clevr, vrd };

/// In pixels; y grows downwards.
struct Box {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    auto operator<=>(const Box&) const = default;
};

/// What VRD's annotations number.
struct NumberedNames {
    std::vector<std::string> objects;
    std::vector<std::string> predicates;
};

/// A JSON list of texts. Throws Error.
std::vector<std::string> read_name_list(const std::filesystem::path& path);

/// A scene as in the file, before anything is merged or left out.
struct RawScene {
    struct Relation {
        std::string name;
        std::size_t subject = 0;
        std::size_t object = 0;
    };

    std::string image;
    std::vector<std::vector<std::string>> objects;  // their names
    std::vector<std::optional<Box>> boxes;          // [object]
    std::vector<Relation> relations;
    int unknown = 0;  // relations of objects that are not there, which are left out
};

class SceneReader {
  public:
    SceneReader(Format format, std::string file, NumberedNames names = {});
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
