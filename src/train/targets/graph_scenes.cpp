// SPDX-License-Identifier: Apache-2.0
#include "hri/graph_scenes.hpp"

#include "hri/random.hpp"

#include <algorithm>

namespace hri {
namespace {

/// The objects of the world around an entity: at most two thirds are its own neighbours.
std::vector<std::uint32_t> objects_around(const Graph& graph, std::uint32_t centre, int max_objects,
                                          Random& random) {
    const auto limit = static_cast<std::size_t>(max_objects);
    std::vector<std::uint32_t> near;
    for (const Edge& edge : graph.edges(centre)) {  // by target
        if (edge.target != centre && (near.empty() || near.back() != edge.target)) {
            near.push_back(edge.target);
        }
    }
    random.shuffle(near);
    std::vector<std::uint32_t> far;
    for (const std::uint32_t entity : near) {
        const std::span<const Edge> edges = graph.edges(entity);
        for (std::size_t i = 0; i < std::min(edges.size(), limit); ++i) {
            far.push_back(edges[i * edges.size() / std::min(edges.size(), limit)].target);
        }
        if (far.size() > 20 * limit) {
            break;
        }
    }
    random.shuffle(far);
    std::vector<std::uint32_t> objects(
        near.begin(),
        near.begin() + static_cast<std::ptrdiff_t>(std::min(near.size(), 1 + 2 * limit / 3)));
    const auto add = [&](const std::vector<std::uint32_t>& more) {
        for (const std::uint32_t entity : more) {
            if (objects.size() >= limit) {
                return;
            }
            if (entity != centre &&
                std::find(objects.begin(), objects.end(), entity) == objects.end()) {
                objects.push_back(entity);
            }
        }
    };
    add(far);
    add(near);
    std::sort(objects.begin(), objects.end());
    return objects;
}

SceneData scene_around(const GraphData& data, const Graph& graph, std::uint32_t centre,
                       const std::vector<std::uint32_t>& objects) {
    SceneData scene;
    scene.image = data.entities[centre];
    scene.objects = static_cast<int>(objects.size());
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
        for (const Edge& edge : graph.edges_between(centre, objects[i])) {
            scene.names.push_back({edge.step, i});
        }
        for (std::uint32_t j = 0; j < objects.size(); ++j) {
            for (const Edge& edge : graph.edges_between(objects[i], objects[j])) {
                if (!is_backward(edge.step)) {
                    scene.relations.push_back({graph.steps() + relation_of(edge.step), i, j});
                }
            }
        }
    }
    return scene;
}

}  // namespace

GraphScenes graph_scenes(const GraphData& data, const Graph& graph,
                         const GraphSceneSettings& settings) {
    GraphScenes worlds;
    worlds.centres = settings.centres;
    if (worlds.centres.empty()) {
        for (std::uint32_t entity = 0; entity < graph.entities(); ++entity) {
            if (!graph.edges(entity).empty()) {
                worlds.centres.push_back(entity);
            }
        }
        const std::size_t all = worlds.centres.size();
        const std::size_t kept = std::min(all, settings.max_scenes);
        for (std::size_t i = 0; i < kept; ++i) {
            worlds.centres[i] = worlds.centres[i * all / kept];
        }
        worlds.centres.resize(kept);
    }
    std::vector<PredicateSymbol> predicates;
    for (StepCode step = 0; step < graph.steps(); ++step) {
        const std::string& name = data.relations[relation_of(step)];
        predicates.push_back({is_backward(step) ? name + " inverse" : name, 1});
    }
    for (std::uint32_t r = 0; r < graph.relations(); ++r) {
        predicates.push_back({data.relations[r], 2});
    }
    std::vector<SceneData> scenes;
    for (const std::uint32_t centre : worlds.centres) {
        Random random(settings.seed, centre);
        worlds.entities.push_back(objects_around(graph, centre, settings.max_objects, random));
        scenes.push_back(scene_around(data, graph, centre, worlds.entities.back()));
    }
    worlds.scenes = make_scenes(std::move(predicates), scenes);
    return worlds;
}

}  // namespace hri
