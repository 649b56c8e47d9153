// SPDX-License-Identifier: Apache-2.0
#include "evaluate/scene_bodies.hpp"

#include "hri/error.hpp"

#include "evaluate/neighbours.hpp"

#include <algorithm>

namespace hri::evaluation {

namespace {

constexpr unsigned kStepBits = 30;
constexpr std::size_t kMaxSteps = 64;  // of one object, that bodies of two relations begin with

SceneBody packed(BodyKind kind, std::uint64_t first, std::uint64_t second) {
    return {(static_cast<std::uint64_t>(kind) << (2 * kStepBits)) | (first << kStepBits) | second};
}

}  // namespace

SceneBodies::SceneBodies(const std::vector<PredicateSymbol>& predicates, SceneBodyShapes shapes)
    : predicates_(predicates),
      pairs_(shapes == SceneBodyShapes::pairs || shapes == SceneBodyShapes::all),
      two_hops_(shapes == SceneBodyShapes::two_hops || shapes == SceneBodyShapes::all) {
    unary_ = static_cast<std::uint32_t>(
        std::count_if(predicates.begin(), predicates.end(),
                      [](const PredicateSymbol& symbol) { return symbol.arity == 1; }));
    const std::uint64_t sides = 2 * (predicates.size() - unary_);
    if (sides * (unary_ + 1ULL) >= (1ULL << kStepBits))
        throw Error("there are too many names and relations for rules about neighbours", {},
                    "leave out rare ones");
}

SceneBodies::Packed SceneBodies::side_of(std::uint32_t relation, bool outwards) const {
    return (2 * Packed{relation - unary_} + (outwards ? 1 : 0)) * (unary_ + 1);
}

std::vector<std::vector<SceneBody>> SceneBodies::around(const Scene& scene,
                                                        std::uint32_t hidden) const {
    const auto objects = static_cast<std::size_t>(scene.objects);
    Names names = names_of(scene);
    for (std::vector<std::uint32_t>& of_object : names)
        std::erase(of_object, hidden);
    std::vector<std::vector<Edge>> edges(objects);  // [object], by relation
    for (const auto& [relation, subject, object] : scene.relations) {
        edges[subject].push_back({side_of(relation, true), object});
        edges[object].push_back({side_of(relation, false), subject});
    }
    // [object]: its steps without a name and with each name of the neighbour
    std::vector<std::vector<Edge>> steps(objects);
    for (std::size_t x = 0; x < objects; ++x) {
        std::sort(edges[x].begin(), edges[x].end());
        for (const Edge& edge : edges[x]) {
            steps[x].push_back(edge);
            for (const std::uint32_t name : names[edge.to])
                steps[x].push_back({edge.side + name + 1, edge.to});
        }
        std::sort(steps[x].begin(), steps[x].end());
    }
    std::vector<std::vector<SceneBody>> all(objects);
    for (std::size_t x = 0; x < objects; ++x) {
        std::vector<SceneBody>& bodies = all[x];
        for (const Edge& step : steps[x])
            bodies.push_back(packed(BodyKind::neighbour, step.side, 0));
        const std::size_t some = std::min(steps[x].size(), kMaxSteps);
        for (std::size_t i = 0; i < some; ++i) {
            const Edge& step = steps[x][i];
            for (std::size_t j = i + 1; pairs_ && j < some; ++j) {
                const Edge& other = steps[x][j];
                // implied by one of the two where both have one relation and only one a name
                const bool implied = step.side / (unary_ + 1) == other.side / (unary_ + 1) &&
                                     step.side % (unary_ + 1) == 0;
                if (step.side < other.side && !implied)
                    bodies.push_back(packed(BodyKind::two_neighbours, step.side, other.side));
            }
            for (const Edge& other : edges[x]) {
                const bool later =
                    other.side > step.side && other.side / (unary_ + 1) != step.side / (unary_ + 1);
                if (pairs_ && later && other.to == step.to)
                    bodies.push_back(packed(BodyKind::same_neighbour, step.side, other.side));
            }
            const std::vector<Edge>& onwards = steps[step.to];
            const std::size_t reached = std::min(onwards.size(), kMaxSteps);
            for (std::size_t j = 0; two_hops_ && j < reached; ++j)
                if (onwards[j].side % (unary_ + 1) != 0)
                    bodies.push_back(packed(BodyKind::two_hops, step.side, onwards[j].side));
        }
        std::sort(bodies.begin(), bodies.end());
        bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    }
    return all;
}

SceneBodies::Step SceneBodies::unpacked(Packed step) const {
    const auto side = static_cast<std::uint32_t>(step / (unary_ + 1));
    const auto name = static_cast<std::uint32_t>(step % (unary_ + 1));
    return {unary_ + side / 2, side % 2 == 1, name == 0 ? kNoName : name - 1};
}

SceneBodies::Parts SceneBodies::parts(SceneBody body) const {
    constexpr Packed kMask = (Packed{1} << kStepBits) - 1;
    return {static_cast<BodyKind>(body.code >> (2 * kStepBits)),
            unpacked((body.code >> kStepBits) & kMask), unpacked(body.code & kMask)};
}

Rule SceneBodies::rule(Program& program, SceneBody body) const {
    const Parts of = parts(body);
    Rule rule{{program.target, {Term::variable(0)}}, {}};
    const auto add = [&](const Step& step, int from, int to) {
        rule.body.push_back({program.vocabulary.intern(predicates_[step.relation]),
                             {Term::variable(step.outwards ? from : to),
                              Term::variable(step.outwards ? to : from)}});
        if (step.name != kNoName)
            rule.body.push_back(
                {program.vocabulary.intern(predicates_[step.name]), {Term::variable(to)}});
    };
    add(of.first, 0, 1);
    if (of.kind == BodyKind::two_neighbours)
        add(of.second, 0, 2);
    else if (of.kind == BodyKind::same_neighbour)
        add(of.second, 0, 1);
    else if (of.kind == BodyKind::two_hops)
        add(of.second, 1, 2);
    return rule;
}

std::vector<NamedObject> named_objects(const SceneSet& scenes,
                                       std::span<const std::uint32_t> images,
                                       std::span<const std::uint32_t> targets,
                                       const SceneBodies& bodies) {
    const std::vector<std::size_t> place = places_of(scenes, targets);
    std::vector<NamedObject> objects;
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        // names stand in ascending order: those of one target one after the other
        std::vector<std::vector<SceneBody>> around;
        std::uint32_t hidden = kHideOwnLabel;
        for (const auto& [name, object] : scene.names) {
            if (name != hidden)
                around = bodies.around(scene, name);
            hidden = name;
            objects.push_back({image, object, place[name], around[object]});
        }
    }
    return objects;
}

}  // namespace hri::evaluation
