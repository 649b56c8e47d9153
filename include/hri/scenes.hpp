// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scene graphs: images as small worlds of objects with names and relations, many targets over them.
//
//   SceneSet scenes = read_scenes({"train_sceneGraphs.json"}, read_scene_lists("gqa-lists"));
//   write_scenes("gqa.scenes", scenes);
//   SceneSet mapped = open_scenes("gqa.scenes");
//   Instance instance = scene_instance(mapped, 0, mapped.targets().front());

#include "hri/data.hpp"
#include "hri/symbolic.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// name(object), as ids of a SceneSet's predicates and of the scene's objects.
struct SceneName {
    std::uint32_t predicate;
    std::uint32_t object;
    auto operator<=>(const SceneName&) const = default;
};

/// relation(subject, object).
struct SceneRelation {
    std::uint32_t predicate;
    std::uint32_t subject;
    std::uint32_t object;
    auto operator<=>(const SceneRelation&) const = default;
};

/// One image: a view into the set that holds it. Names and relations are sorted without duplicates.
struct Scene {
    std::string_view image;
    int objects = 0;
    std::span<const SceneName> names;
    std::span<const SceneRelation> relations;
};

/// Where scenes come from.
struct SceneOrigin {
    std::string source;        ///< files or generator, for people
    bool synthetic = false;    ///< generated; to be said wherever results are shown
    double noise = 0;          ///< synthetic: the share of planted labels that are wrong
    std::string planted = {};  ///< synthetic: the rules, as parse_program reads them
    bool operator==(const SceneOrigin&) const = default;
};

/// Images over one list of predicates (unary first, then binary), in memory or mapped from a file.
/// Cheap to move, not to copy.
class SceneSet {
  public:
    SceneSet();
    SceneSet(SceneSet&&) noexcept;
    SceneSet& operator=(SceneSet&&) noexcept;
    SceneSet(const SceneSet&) = delete;
    SceneSet& operator=(const SceneSet&) = delete;
    ~SceneSet();

    const std::vector<PredicateSymbol>& predicates() const;
    std::size_t size() const;
    Scene operator[](std::size_t i) const;
    /// Images with at least one object of that unary name, ascending.
    std::span<const std::uint32_t> with_name(std::uint32_t predicate) const;

    /// Number of unary predicates: ids below it are names, the others relations.
    std::uint32_t unary() const;
    /// The unary predicates to be learned, the most frequent first.
    std::span<const std::uint32_t> targets() const;
    const SceneOrigin& origin() const;
    /// The compact file's bytes.
    std::span<const char> bytes() const;

    struct Contents;
    explicit SceneSet(std::unique_ptr<const Contents> contents);

  private:
    std::unique_ptr<const Contents> contents_;
};

/// Owned copies, for tests and generators.
struct SceneData {
    std::string image;
    int objects = 0;
    std::vector<SceneName> names;
    std::vector<SceneRelation> relations;
};

/// The targets are all unary predicates. Throws Error where ids are out of range.
SceneSet make_scenes(std::vector<PredicateSymbol> predicates, const std::vector<SceneData>& scenes);
SceneSet make_scenes(std::vector<PredicateSymbol> predicates, const std::vector<SceneData>& scenes,
                     std::vector<std::uint32_t> targets, SceneOrigin origin);

/// The file that `hri scenes build` writes, mapped into memory. All of it is checked; a file that
/// is damaged, cut off or of another version is refused with an Error.
SceneSet open_scenes(const std::filesystem::path& path);
void write_scenes(const std::filesystem::path& path, const SceneSet& scenes);

/// The instance of one image for one target: facts of all predicates but the target, labels of
/// every object (1: has that name). facts[p] belongs to predicates()[p]; the target's are empty.
Instance scene_instance(const SceneSet& scenes, std::size_t i, std::uint32_t target);

/// The unary predicate of that name. Throws Error.
std::uint32_t scene_target(const SceneSet& scenes, const std::string& name);

}  // namespace hri
