// SPDX-License-Identifier: Apache-2.0
#pragma once

// Features of an object's neighbours, for scorers that count.

#include "hri/scenes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Counts of targets by what a neighbour tells: its name, the relation and its direction.
class Neighbours {
  public:
    Neighbours(const SceneSet& scenes, std::span<const std::uint32_t> targets)
        : unary_(scenes.unary()),
          targets_(targets.size()),
          counts_(2 * (scenes.predicates().size() - unary_) * unary_ * targets.size(), 0) {}

    /// [target]
    std::span<std::uint32_t> counts(std::uint32_t relation, bool outwards, std::uint32_t name) {
        const std::size_t row = (2 * std::size_t{relation - unary_} + (outwards ? 1 : 0)) * unary_;
        return std::span(counts_).subspan((row + name) * targets_, targets_);
    }

  private:
    std::size_t unary_;
    std::size_t targets_;
    std::vector<std::uint32_t> counts_;
};

using Names = std::vector<std::vector<std::uint32_t>>;  // [object]

inline Names names_of(const Scene& scene) {
    Names names(static_cast<std::size_t>(scene.objects));
    for (const SceneLabel& name : scene.names) {
        names[name.object].push_back(name.predicate);
    }
    return names;
}

/// Calls back with (object, relation, outwards, neighbour's name) for every neighbour and name.
template <class Visit>
void each_neighbour(const Scene& scene, const Names& names, Visit visit) {
    for (const auto& [relation, subject, object] : scene.relations) {
        for (const std::uint32_t name : names[object]) {
            visit(subject, relation, true, name);
        }
        for (const std::uint32_t name : names[subject]) {
            visit(object, relation, false, name);
        }
    }
}

/// [predicate]: its place among the targets; their number where it is none.
inline std::vector<std::size_t> places_of(const SceneSet& scenes,
                                          std::span<const std::uint32_t> targets) {
    std::vector<std::size_t> place(scenes.predicates().size(), targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
        place[targets[t]] = t;
    }
    return place;
}

inline Neighbours counted(const SceneSet& scenes, std::span<const std::uint32_t> training,
                          std::span<const std::uint32_t> targets) {
    Neighbours neighbours(scenes, targets);
    const std::vector<std::size_t> place = places_of(scenes, targets);
    for (const std::uint32_t image : training) {
        const Scene scene = scenes[image];
        const Names names = names_of(scene);
        each_neighbour(
            scene, names,
            [&](std::uint32_t object, std::uint32_t relation, bool outwards, std::uint32_t name) {
                for (const std::uint32_t own : names[object]) {
                    if (place[own] < targets.size()) {
                        ++neighbours.counts(relation, outwards, name)[place[own]];
                    }
                }
            });
    }
    return neighbours;
}

}  // namespace hri::evaluation
