// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images made up at random, in which some names follow from the rest by rules.

#include "hri/multitask.hpp"
#include "hri/random.hpp"
#include "hri/scenes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri::test {

/// target(X) <- relation(X,Y), name(Y), or relation(Y,X) where it is turned round; without a name,
/// any Y.
struct Planted {
    std::uint32_t target;
    std::uint32_t relation;
    int name;  ///< -1: any
    bool turned;
};

struct PlantedSet {
    SceneSet scenes;
    std::vector<Planted> rules;
    std::vector<std::uint32_t> targets;
};

/// `targets` rules over `names` more names and `relations` relations; every image has 4 to
/// `objects` objects. An object has at most one name by chance.
inline PlantedSet planted_set(int targets, int names, int relations, int images, int objects,
                              std::uint64_t seed) {
    Random random(seed);
    std::vector<PredicateSymbol> predicates;
    for (int i = 0; i < targets; ++i)
        predicates.push_back({"target" + std::to_string(i), 1});
    for (int i = 0; i < names; ++i)
        predicates.push_back({"name" + std::to_string(i), 1});
    for (int i = 0; i < relations; ++i)
        predicates.push_back({"relation" + std::to_string(i), 2});
    const auto id = [](int i) { return static_cast<std::uint32_t>(i); };
    PlantedSet set;
    for (int i = 0; i < targets; ++i) {
        set.rules.push_back({id(i), id(targets + names + i % relations), targets + i % names,
                             i / relations % 2 == 1});
        set.targets.push_back(id(i));
    }
    std::vector<SceneData> scenes;
    for (int i = 0; i < images; ++i) {
        SceneData scene{"image" + std::to_string(i), 4 + random.below(objects - 3), {}, {}};
        for (int x = 0; x < scene.objects; ++x)
            scene.names.push_back({id(targets + random.below(names)), id(x)});
        for (int k = 0; k < 2 * scene.objects; ++k) {
            const int x = random.below(scene.objects);
            const int y = random.below(scene.objects);
            if (x != y)
                scene.relations.push_back(
                    {id(targets + names + random.below(relations)), id(x), id(y)});
        }
        const std::vector<SceneLabel> by_chance = scene.names;
        for (const Planted& rule : set.rules)
            for (const SceneRelation& relation : scene.relations) {
                const std::uint32_t x = rule.turned ? relation.object : relation.subject;
                const std::uint32_t y = rule.turned ? relation.subject : relation.object;
                const bool named = rule.name < 0 ||
                                   by_chance[y].predicate == static_cast<std::uint32_t>(rule.name);
                if (relation.predicate == rule.relation && named)
                    scene.names.push_back({rule.target, x});
            }
        std::sort(scene.names.begin(), scene.names.end());
        scene.names.erase(std::unique(scene.names.begin(), scene.names.end()), scene.names.end());
        std::sort(scene.relations.begin(), scene.relations.end());
        scene.relations.erase(std::unique(scene.relations.begin(), scene.relations.end()),
                              scene.relations.end());
        scenes.push_back(std::move(scene));
    }
    set.scenes = make_scenes(predicates, scenes, set.targets,
                             {.source = "planted rules", .synthetic = true});
    return set;
}

/// The rule as parse_program() reads it.
inline std::string text_of(const Planted& rule, const SceneSet& scenes) {
    const auto name = [&](std::uint32_t p) { return scenes.predicates()[p].name; };
    return name(rule.target) + "(X) :- " + name(rule.relation) + (rule.turned ? "(Y,X)" : "(X,Y)") +
           (rule.name < 0 ? "" : ", " + name(static_cast<std::uint32_t>(rule.name)) + "(Y)") +
           ".\n";
}

inline PlantedSet small_set() { return planted_set(5, 6, 3, 60, 7, 1); }

inline void expect_equal(const Multitask& a, const Multitask& b) {
    EXPECT_EQ(a.background, b.background);
    ASSERT_EQ(a.targets.size(), b.targets.size());
    for (std::size_t t = 0; t < a.targets.size(); ++t) {
        EXPECT_EQ(a.targets[t].auxiliaries, b.targets[t].auxiliaries) << t;
        EXPECT_EQ(a.targets[t].slots, b.targets[t].slots) << t;
        EXPECT_EQ(a.targets[t].background, b.targets[t].background) << t;
        EXPECT_EQ(a.targets[t].loss, b.targets[t].loss) << t;
        EXPECT_EQ(a.targets[t].calibration, b.targets[t].calibration) << t;
    }
}

}  // namespace hri::test
