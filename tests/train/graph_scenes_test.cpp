// SPDX-License-Identifier: Apache-2.0
#include "hri/graph_scenes.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

GraphData chain() {
    GraphData data;
    read_graph_text("a\tp\tb\nb\tq\tc\nd\tp\ta\nc\tp\td\n", "train.txt", false, data,
                    data.training);
    return data;
}

TEST(GraphScenes, ShowTheNeighboursOfAnEntityAndTheirs) {
    const GraphData data = chain();
    const Graph graph(data);
    const GraphScenes worlds = graph_scenes(data, graph);
    ASSERT_EQ(worlds.scenes.size(), 4);
    const auto a = static_cast<std::size_t>(
        std::find(worlds.centres.begin(), worlds.centres.end(), *data.entities.find("a")) -
        worlds.centres.begin());
    const Scene scene = worlds.scenes[a];
    const std::vector<std::uint32_t>& objects = worlds.entities[a];
    const auto object = [&](const char* name) {
        return static_cast<std::uint32_t>(
            std::find(objects.begin(), objects.end(), *data.entities.find(name)) - objects.begin());
    };
    ASSERT_EQ(scene.objects, 3);  // b and d, and c beside them
    const std::uint32_t p = *data.relations.find("p");
    const std::vector<SceneLabel> names = {{forward(p), object("b")}, {backward(p), object("d")}};
    EXPECT_TRUE(std::equal(scene.names.begin(), scene.names.end(), names.begin(), names.end()));
    EXPECT_EQ(scene.relations.size(), 2);  // q(b,c) and p(c,d); what touches a is none of them
    EXPECT_EQ(worlds.scenes.predicates()[backward(p)].name, "p inverse");
}

TEST(GraphScenes, StayAsSmallAsAsked) {
    const GraphData data = chain();
    const Graph graph(data);
    const GraphScenes worlds = graph_scenes(data, graph, {.max_objects = 1, .max_scenes = 2});
    EXPECT_EQ(worlds.scenes.size(), 2);
    for (std::size_t i = 0; i < worlds.scenes.size(); ++i) {
        EXPECT_EQ(worlds.scenes[i].objects, 1);
    }
}

}  // namespace
}  // namespace hri::test
