// SPDX-License-Identifier: Apache-2.0
#pragma once

// A knowledge graph as small worlds around its entities, for the soft model: many relations are
// trained together, with shared embeddings.
//
//   GraphScenes worlds = graph_scenes(data, graph, {.max_objects = 15});
//   MultitaskResult result = learn_targets(worlds.scenes, multitask_options());
//   ranking.extra = graph_soft_scores(data, graph, result.learned);      // for rank()

#include "hri/fields.hpp"
#include "hri/graph.hpp"
#include "hri/multitask.hpp"
#include "hri/ranking.hpp"
#include "hri/scenes.hpp"

#include <cstdint>
#include <vector>

namespace hri {

struct GraphSceneSettings {
    int max_objects = 15;                     ///< of one world; its centre is none of them
    std::size_t max_scenes = 20'000;          ///< spread over the entities
    std::vector<std::uint32_t> centres = {};  ///< instead: the worlds of these
    std::uint64_t seed = 0;
};

template <>
const std::vector<Field<GraphSceneSettings>>& fields_of<GraphSceneSettings>();

/// The world of an entity c: its neighbours, and some of theirs. An object x is called r where the
/// graph has r(c,x), and `r inverse` where it has r(x,c); relations hold between the objects.
struct GraphScenes {
    SceneSet scenes;
    std::vector<std::uint32_t> centres;                ///< by scene
    std::vector<std::vector<std::uint32_t>> entities;  ///< by scene and object
};

/// Name i of the scenes stands for the step i of the graph.
GraphScenes graph_scenes(const GraphData& data, const Graph& graph,
                         const GraphSceneSettings& settings = {});

/// Scores of the soft model for the entities in the world of a query's source, for the steps that
/// it was trained for. `data`, `graph` and `learned` have to outlive it.
ExtraScores graph_soft_scores(const GraphData& data, const Graph& graph, const Multitask& learned,
                              int max_objects = 40);

}  // namespace hri
