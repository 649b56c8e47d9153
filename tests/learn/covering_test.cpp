// SPDX-License-Identifier: Apache-2.0
#include "learn/covering.hpp"

#include "hri/learn.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

/// Scenes of a few pieces, good where a large piece touches a blue one or a red piece is upright.
Problem scenes(int count) {
    Problem problem;
    problem.name = "scenes";
    problem.target = {"good", 1};
    problem.inputs = {{"piece", 2}, {"touches", 2}, {"large", 1},
                      {"blue", 1},  {"red", 1},     {"upright", 1}};
    Random random(5);
    for (int i = 0; i < count; ++i) {
        Instance scene;
        scene.reset(5, 6, 1, Label::unlabelled);  // the scene is 0
        bool good = false;
        for (int piece = 1; piece < 5; ++piece) {
            scene.facts[0].push_back({0, piece});
            for (std::size_t property = 2; property < 6; ++property)
                if (random.chance(0.4))
                    scene.facts[property].push_back({piece, 0});
        }
        const auto has = [&](std::size_t property, int piece) {
            return std::find(scene.facts[property].begin(), scene.facts[property].end(),
                             Fact{piece, 0}) != scene.facts[property].end();
        };
        for (int piece = 1; piece < 5; ++piece) {
            good = good || (has(4, piece) && has(5, piece));
            for (int other = 1; other < 5; ++other)
                if (piece != other && random.chance(0.3)) {
                    scene.facts[1].push_back({piece, other});
                    good = good || (has(2, piece) && has(3, other));
                }
        }
        scene.labels[0] = good ? Label::positive : Label::negative;
        problem.training.instances.push_back(std::move(scene));
    }
    return problem;
}

TEST(Covering, FindsTheRulesOfADisjunction) {
    const Problem problem = scenes(200);
    const Program program =
        learn_by_covering(problem.inputs, problem.target, problem.training.instances, {}, 0, {});
    EXPECT_EQ(program.rules.size(), 2U) << to_text(program);
    const Score score = score_program(program, problem.inputs, problem.training, 0, 0);
    EXPECT_EQ(score.false_positives + score.false_negatives, 0) << to_text(program);
}

TEST(Covering, HasNoRuleWhereNothingTellsExamplesApart) {
    Problem problem = scenes(20);
    for (std::size_t i = 0; i < problem.training.instances.size(); ++i) {
        problem.training.instances[i] = problem.training.instances[0];
        problem.training.instances[i].labels[0] = i % 2 == 0 ? Label::positive : Label::negative;
    }
    EXPECT_TRUE(
        learn_by_covering(problem.inputs, problem.target, problem.training.instances, {}, 0, {})
            .rules.empty());
}

TEST(Covering, LearnsBinaryTargets) {
    Problem problem;
    problem.target = {"grandparent", 2};
    problem.inputs = {{"parent", 2}};
    Instance family;
    family.reset(6, 1, 2, Label::negative);
    family.facts[0] = {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {4, 5}};
    for (const auto& [a, b] : {std::pair{0, 2}, {0, 3}, {1, 4}, {3, 5}})
        family.labels[static_cast<std::size_t>(a * 6 + b)] = Label::positive;
    problem.training.instances = {family};
    const Program program =
        learn_by_covering(problem.inputs, problem.target, problem.training.instances, {}, 0, {});
    EXPECT_EQ(size(program), 3) << to_text(program);
    const Score score = score_program(program, problem.inputs, problem.training, 0, 0);
    EXPECT_EQ(score.false_positives + score.false_negatives, 0) << to_text(program);
}

}  // namespace
}  // namespace hri
