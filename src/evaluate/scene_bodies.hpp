// SPDX-License-Identifier: Apache-2.0
#pragma once

// The clause bodies that hold of the objects of an image, listed from its facts.
//
//   neighbour        on(X,Y)                 on(X,Y), table(Y)
//   two_neighbours   on(X,Y), table(Y), near(X,Z)
//   same_neighbour   on(X,Y), near(X,Y)      on(X,Y), near(X,Y), table(Y)
//   two_hops         on(X,Y), near(Y,Z), lamp(Z)       with a name of Y or without
//
// Variables may stand for one and the same object, as in Prolog.

#include "hri/logic.hpp"
#include "hri/scene_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

enum class BodyKind : std::uint32_t { neighbour, two_neighbours, same_neighbour, two_hops };

class SceneBodies {
  public:
    /// Throws Error where there are too many predicates.
    SceneBodies(const std::vector<PredicateSymbol>& predicates, SceneBodyShapes shapes);

    /// [object]: the bodies that hold of it where no object's name `hidden` is known, ascending.
    std::vector<std::vector<SceneBody>> around(const Scene& scene, std::uint32_t hidden) const;

    /// One relation with its direction, and the name of the neighbour. Ascending by relation.
    struct Step {
        std::uint32_t relation = 0;
        bool outwards = false;
        std::uint32_t name = kNoName;
    };

    static constexpr std::uint32_t kNoName = UINT32_MAX;

    struct Parts {
        BodyKind kind = BodyKind::neighbour;
        Step first;
        Step second;  ///< none of a neighbour
    };

    Parts parts(SceneBody body) const;
    /// head(X) <- body over the vocabulary of the program.
    Rule rule(Program& program, SceneBody body) const;

  private:
    using Packed = std::uint64_t;  // a step

    /// A step from one object to another.
    struct Edge {
        Packed side = 0;
        std::uint32_t to = 0;
        auto operator<=>(const Edge&) const = default;
    };

    Packed side_of(std::uint32_t relation, bool outwards) const;
    Step unpacked(Packed step) const;

    std::vector<PredicateSymbol> predicates_;
    bool pairs_ = false;
    bool two_hops_ = false;
    std::uint32_t unary_ = 0;
};

/// An object that has a name, and the bodies that hold of it while no object of its image is known
/// by that name.
struct NamedObject {
    std::uint32_t image = 0;
    std::uint32_t object = 0;
    std::size_t target = 0;  ///< the name's place among the targets; their number where it is none
    std::vector<SceneBody> bodies;
};

/// In the order of the images, then of names.
std::vector<NamedObject> named_objects(const SceneSet& scenes,
                                       std::span<const std::uint32_t> images,
                                       std::span<const std::uint32_t> targets,
                                       const SceneBodies& bodies);

/// Calls visit(bodies of objects, places of targets) for what SceneScores are asked: all targets
/// where one name is hidden, or each with its own name hidden.
template <class Visit>
void each_view(const SceneBodies& bodies, const Scene& scene,
               std::span<const std::uint32_t> targets, std::uint32_t hidden, Visit visit) {
    std::vector<std::size_t> others;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        const bool is_here =
            std::any_of(scene.names.begin(), scene.names.end(),
                        [&](const SceneLabel& name) { return name.predicate == targets[t]; });
        if (hidden == kHideOwnLabel && is_here)
            visit(bodies.around(scene, targets[t]), std::vector<std::size_t>{t});
        else
            others.push_back(t);
    }
    if (!others.empty())
        visit(bodies.around(scene, hidden), others);
}

}  // namespace hri::evaluation
