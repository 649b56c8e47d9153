// SPDX-License-Identifier: Apache-2.0

// Scores of the soft model for the entities around a query's source.

#include "hri/graph_scenes.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace hri {
namespace {

class GraphSoftScores {
  public:
    GraphSoftScores(const GraphData& data, const Graph& graph, const Multitask& learned,
                    int max_objects)
        : data_(data), graph_(graph), learned_(learned), max_objects_(max_objects) {
        if (learned.predicates.size() != std::size_t{graph.steps()} + graph.relations()) {
            throw Error("the soft model was trained on a graph with other relations");
        }
        for (std::size_t t = 0; t < learned.targets.size(); ++t) {
            place_[learned.targets[t].target] = t;
        }
    }

    std::vector<EntityScore> scores(StepCode step, std::uint32_t source) {
        const auto place = place_.find(step);
        if (place == place_.end()) {
            return {};
        }
        const std::lock_guard lock(mutex_);
        auto [known, is_new] = worlds_.try_emplace(source);
        World& world = known->second;
        if (is_new) {
            GraphScenes around =
                graph_scenes(data_, graph_, {.max_objects = max_objects_, .centres = {source}});
            world.entities = std::move(around.entities[0]);
            world.scores.resize(world.entities.size() * learned_.targets.size());
            if (!world.entities.empty()) {
                soft_scores(around.scenes, learned_)(0, kHideOwnLabel, world.scores);
            }
        }
        std::vector<EntityScore> found;
        for (std::size_t i = 0; i < world.entities.size(); ++i) {
            found.push_back(
                {world.entities[i], world.scores[place->second * world.entities.size() + i]});
        }
        return found;
    }

  private:
    struct World {
        std::vector<std::uint32_t> entities;
        std::vector<float> scores;  // (targets, entities)
    };

    const GraphData& data_;
    const Graph& graph_;
    const Multitask& learned_;
    int max_objects_;
    std::unordered_map<std::uint32_t, std::size_t> place_;  // of a step among the targets
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, World> worlds_;  // by source
};

}  // namespace

ExtraScores graph_soft_scores(const GraphData& data, const Graph& graph, const Multitask& learned,
                              int max_objects) {
    const auto scores = std::make_shared<GraphSoftScores>(data, graph, learned, max_objects);
    return [scores](StepCode step, std::uint32_t source) { return scores->scores(step, source); };
}

}  // namespace hri
