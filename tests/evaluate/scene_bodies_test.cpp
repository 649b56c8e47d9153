// SPDX-License-Identifier: Apache-2.0

// Listed bodies against what their rules mean to the evaluator.

#include "evaluate/scene_bodies.hpp"

#include "hri/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

using evaluation::BodyKind;
using evaluation::SceneBodies;
using testing::UnorderedElementsAre;

std::string text_of(const SceneBodies& bodies, SceneBody body) {
    Program program;
    program.target = program.vocabulary.intern({"t", 1});
    program.rules.push_back(bodies.rule(program, body));
    return to_text(program);
}

std::vector<std::string> texts(const SceneBodies& bodies, const std::vector<SceneBody>& some) {
    std::vector<std::string> all;
    for (const SceneBody body : some)
        all.push_back(text_of(bodies, body));
    return all;
}

/// A cup on a desk, near it too; the desk in a room.
SceneSet cup() {
    return make_scenes({{"cup", 1}, {"desk", 1}, {"room", 1}, {"on", 2}, {"near", 2}, {"in", 2}},
                       {{"0", 3, {{0, 0}, {1, 1}, {2, 2}}, {{3, 0, 1}, {4, 0, 1}, {5, 1, 2}}}});
}

TEST(SceneBodies, AreThoseOfAnObjectsNeighbourhood) {
    const SceneSet scenes = cup();
    const SceneBodies bodies(scenes.predicates(), SceneBodyShapes::all);
    const auto around = bodies.around(scenes[0], kHideOwnLabel);
    EXPECT_THAT(
        texts(bodies, around[0]),
        UnorderedElementsAre(
            "t(X) <- on(X,Y)\n", "t(X) <- on(X,Y) & desk(Y)\n", "t(X) <- near(X,Y)\n",
            "t(X) <- near(X,Y) & desk(Y)\n", "t(X) <- on(X,Y) & near(X,Z)\n",
            "t(X) <- on(X,Y) & near(X,Z) & desk(Z)\n", "t(X) <- on(X,Y) & desk(Y) & near(X,Z)\n",
            "t(X) <- on(X,Y) & desk(Y) & near(X,Z) & desk(Z)\n", "t(X) <- on(X,Y) & near(X,Y)\n",
            "t(X) <- on(X,Y) & desk(Y) & near(X,Y)\n", "t(X) <- on(X,Y) & in(Y,Z) & room(Z)\n",
            "t(X) <- on(X,Y) & desk(Y) & in(Y,Z) & room(Z)\n",
            "t(X) <- near(X,Y) & in(Y,Z) & room(Z)\n",
            "t(X) <- near(X,Y) & desk(Y) & in(Y,Z) & room(Z)\n",
            "t(X) <- on(X,Y) & on(Z,Y) & cup(Z)\n",
            "t(X) <- on(X,Y) & desk(Y) & on(Z,Y) & cup(Z)\n",
            "t(X) <- on(X,Y) & near(Z,Y) & cup(Z)\n",
            "t(X) <- on(X,Y) & desk(Y) & near(Z,Y) & cup(Z)\n",
            "t(X) <- near(X,Y) & on(Z,Y) & cup(Z)\n",
            "t(X) <- near(X,Y) & desk(Y) & on(Z,Y) & cup(Z)\n",
            "t(X) <- near(X,Y) & near(Z,Y) & cup(Z)\n",
            "t(X) <- near(X,Y) & desk(Y) & near(Z,Y) & cup(Z)\n"));
}

TEST(SceneBodies, SayNothingOfAHiddenName) {
    const SceneSet scenes = cup();
    const SceneBodies bodies(scenes.predicates(), SceneBodyShapes::neighbours);
    EXPECT_THAT(texts(bodies, bodies.around(scenes[0], 1)[0]),
                UnorderedElementsAre("t(X) <- on(X,Y)\n", "t(X) <- near(X,Y)\n"));
}

TEST(SceneBodies, AreOfTheShapesThatAreAskedFor) {
    const SceneSet scenes = cup();
    const auto kinds = [&](SceneBodyShapes shapes) {
        const SceneBodies bodies(scenes.predicates(), shapes);
        std::set<BodyKind> found;
        const auto around = bodies.around(scenes[0], kHideOwnLabel);
        for (const SceneBody body : around[0])
            found.insert(bodies.parts(body).kind);
        return found;
    };
    EXPECT_THAT(kinds(SceneBodyShapes::neighbours), UnorderedElementsAre(BodyKind::neighbour));
    EXPECT_THAT(kinds(SceneBodyShapes::pairs),
                UnorderedElementsAre(BodyKind::neighbour, BodyKind::two_neighbours,
                                     BodyKind::same_neighbour));
    EXPECT_THAT(kinds(SceneBodyShapes::two_hops),
                UnorderedElementsAre(BodyKind::neighbour, BodyKind::two_hops));
}

/// A random image of a few objects with several names, relations both ways and to themselves.
SceneData random_image(Random& random, int number) {
    SceneData image{std::to_string(number), 2 + random.below(4), {}, {}};
    std::set<SceneLabel> names;
    std::set<SceneRelation> relations;
    const auto object = [&] { return static_cast<std::uint32_t>(random.below(image.objects)); };
    for (int i = 0; i < 5; ++i)
        names.insert({static_cast<std::uint32_t>(random.below(3)), object()});
    for (int i = 0; i < 6; ++i)
        relations.insert({3 + static_cast<std::uint32_t>(random.below(2)), object(), object()});
    image.names.assign(names.begin(), names.end());
    image.relations.assign(relations.begin(), relations.end());
    return image;
}

TEST(SceneBodies, HoldWhereTheirRulesHold) {
    Random random(5);
    std::vector<SceneData> images;
    for (int i = 0; i < 12; ++i)
        images.push_back(random_image(random, i));
    const SceneSet scenes = make_scenes({{"a", 1}, {"b", 1}, {"c", 1}, {"r", 2}, {"s", 2}}, images);
    const SceneBodies bodies(scenes.predicates(), SceneBodyShapes::all);
    std::set<SceneBody> known;
    for (std::size_t i = 0; i < scenes.size(); ++i)
        for (const auto& of_object : bodies.around(scenes[i], 2))
            known.insert(of_object.begin(), of_object.end());
    ASSERT_GT(known.size(), 100U);
    for (const SceneBody body : known) {
        Program program;
        program.target = program.vocabulary.intern({"c", 1});
        program.rules.push_back(bodies.rule(program, body));
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            const Truth truth = evaluate(program, scene_instance(scenes, i, 2));
            const auto around = bodies.around(scenes[i], 2);
            for (std::size_t x = 0; x < around.size(); ++x)
                EXPECT_EQ(std::binary_search(around[x].begin(), around[x].end(), body),
                          truth[x] != 0)
                    << to_text(program) << "image " << i << ", object " << x;
        }
    }
}

TEST(SceneBodies, OfNamedObjectsHideTheirOwnName) {
    const SceneSet scenes = cup();
    const SceneBodies bodies(scenes.predicates(), SceneBodyShapes::two_hops);
    const std::vector<std::uint32_t> images = {0};
    const std::vector<std::uint32_t> targets = {2, 0};  // room, cup
    const auto objects = evaluation::named_objects(scenes, images, targets, bodies);
    ASSERT_EQ(objects.size(), 3U);
    EXPECT_EQ(objects[0].target, 1U);
    EXPECT_EQ(objects[0].object, 0U);
    EXPECT_EQ(objects[0].bodies, bodies.around(scenes[0], 0)[0]);
    EXPECT_EQ(objects[1].target, 2U);  // a desk is none of them
    EXPECT_EQ(objects[1].bodies, bodies.around(scenes[0], 1)[1]);
    EXPECT_EQ(objects[2].target, 0U);
    EXPECT_EQ(objects[2].bodies, bodies.around(scenes[0], 2)[2]);
}

}  // namespace
}  // namespace hri
