// SPDX-License-Identifier: Apache-2.0

#include "rl/blocksworld.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using Goal = rl::Blocksworld::Goal;
using testing::ElementsAre;

/// move(X,Y) in a world of `blocks` blocks; 'F' is the floor.
int move(char x, char y, int blocks) {
    const auto number = [](char c) { return c == 'F' ? 0 : c - 'a' + 1; };
    return number(x) * (blocks + 1) + number(y);
}

TEST(Blocksworld, TellsAStateByItsFacts) {
    const rl::Blocksworld world(Goal::on, rl::Blocksworld::parse("[b a][c]"));
    const Instance& facts = world.facts();
    EXPECT_THAT(facts.names, ElementsAre("floor", "a", "b", "c"));
    EXPECT_THAT(facts.facts[0], ElementsAre(Fact{1}, Fact{3})) << "top";
    EXPECT_THAT(facts.facts[1], ElementsAre(Fact{0})) << "floor";
    EXPECT_THAT(facts.facts[2], ElementsAre(Fact{1, 2}, Fact{2, 0}, Fact{3, 0})) << "on";
    EXPECT_THAT(facts.facts[3], ElementsAre(Fact{1, 2})) << "goal_on";
}

TEST(Blocksworld, OffersAllOrderedPairsInRowMajorOrder) {
    const rl::Blocksworld world(Goal::stack, rl::Blocksworld::singles(2));
    EXPECT_THAT(world.actions(), ElementsAre(1, 2, 3, 5, 6, 7)) << "n = 3, without 0, 4 and 8";
}

TEST(Blocksworld, UnstackGivesItsRewardOneStepAfterTheLastMove) {
    rl::Blocksworld world(Goal::unstack, rl::Blocksworld::tower(3));
    StepResult step = world.step(move('c', 'F', 3));
    EXPECT_EQ(world.text(), "[a b][c]");
    EXPECT_DOUBLE_EQ(step.reward, -0.02);
    step = world.step(move('b', 'F', 3));
    EXPECT_EQ(world.text(), "[a][c][b]");
    EXPECT_DOUBLE_EQ(step.reward, -0.02) << "of the state before the move";
    EXPECT_FALSE(step.done);
    step = world.step(move('a', 'b', 3));
    EXPECT_DOUBLE_EQ(step.reward, 1.0);
    EXPECT_TRUE(step.done && step.solved);
}

TEST(Blocksworld, StackPutsBlocksOnTops) {
    rl::Blocksworld world(Goal::stack, rl::Blocksworld::parse("[b a][c][d]"));
    world.step(move('c', 'a', 4));
    EXPECT_EQ(world.text(), "[b a c][d]");
    world.step(move('d', 'c', 4));
    EXPECT_EQ(world.text(), "[b a c d]");
    EXPECT_TRUE(world.step(move('F', 'a', 4)).solved);
}

TEST(Blocksworld, OnIsReachedByAOnBOnly) {
    EXPECT_TRUE(rl::Blocksworld(Goal::on, rl::Blocksworld::parse("[c b a]")).goal_reached());
    EXPECT_FALSE(rl::Blocksworld(Goal::on, rl::Blocksworld::parse("[a b c]")).goal_reached());
    EXPECT_FALSE(rl::Blocksworld(Goal::on, rl::Blocksworld::parse("[b c a]")).goal_reached());
}

TEST(Blocksworld, AnImpossibleMoveChangesNothingAndTakesAStep) {
    for (const auto& [x, y] : std::vector<std::pair<char, char>>{
             {'a', 'F'}, {'a', 'c'}, {'c', 'a'}, {'b', 'a'}, {'F', 'b'}, {'c', 'F'}}) {
        rl::Blocksworld world(Goal::unstack, rl::Blocksworld::parse("[a b][c]"));
        const StepResult step = world.step(move(x, y, 3));
        EXPECT_EQ(world.text(), "[a b][c]") << x << y;
        EXPECT_DOUBLE_EQ(step.reward, -0.02);
    }
}

TEST(Blocksworld, EndsAfter50StepsWithoutRewardAndWithAnEmptyState) {
    rl::Blocksworld world(Goal::unstack, rl::Blocksworld::tower(4));
    double sum = 0;
    for (int i = 1; i < 50; ++i) {
        const StepResult step = world.step(move('F', 'a', 4));
        ASSERT_FALSE(step.done) << i;
        sum += step.reward;
    }
    const StepResult last = world.step(move('d', 'F', 4));
    EXPECT_TRUE(last.done);
    EXPECT_FALSE(last.solved);
    EXPECT_DOUBLE_EQ(last.reward, 0);
    EXPECT_NEAR(sum, -0.98, 1e-12);
    EXPECT_EQ(world.text(), "[]");
    EXPECT_TRUE(world.facts().facts[2].empty());
}

TEST(Blocksworld, TimeIsUpEvenWhereTheGoalWasReachedInTheLastMove) {
    rl::Blocksworld world(Goal::unstack, rl::Blocksworld::tower(2));
    for (int i = 1; i < 49; ++i) {
        world.step(move('F', 'a', 2));
    }
    world.step(move('b', 'F', 2));
    EXPECT_TRUE(world.goal_reached());
    EXPECT_FALSE(world.step(move('F', 'a', 2)).solved);
}

TEST(Blocksworld, TestStartsTakeTheMovesOfTheFactsPage) {
    const std::vector<std::pair<std::string, std::vector<int>>> expected = {
        {"unstack", {3, 2, 4, 5, 6}}, {"stack", {3, 2, 4, 5, 6}}, {"on", {4, 4, 5, 6, 7}}};
    const std::vector<Goal> goals = {Goal::unstack, Goal::stack, Goal::on};
    for (std::size_t t = 0; t < goals.size(); ++t) {
        const RlTask& task = find_rl_task(expected[t].first);
        double mean = 0;
        for (std::size_t i = 0; i < task.tests.size(); ++i) {
            const auto moves = rl::fewest_moves(goals[t], rl::Blocksworld::parse(task.tests[i]));
            ASSERT_TRUE(moves);
            EXPECT_EQ(*moves, expected[t].second[i]) << task.name << " " << task.tests[i];
            mean += (1 - 0.02 * *moves) / 5;
        }
        EXPECT_NEAR(mean, task.paper_reward, 1e-12) << task.name;
    }
}

TEST(Blocksworld, RandomStartsHoldEveryBlockOnce) {
    Random random(7);
    for (int i = 0; i < 20; ++i) {
        const rl::Stacks stacks = rl::random_stacks(9, random);
        const rl::Stacks read = rl::Blocksworld::parse(rl::Blocksworld::to_text(stacks));
        EXPECT_EQ(read, stacks);
    }
}

TEST(Blocksworld, RefusesStatesThatAreNone) {
    for (const std::string text : {"", "a b", "[a b", "[a][a]", "[b]", "[a ?]", "[]", "[a]]"}) {
        EXPECT_THROW(rl::Blocksworld::parse(text), Error) << text;
    }
    EXPECT_THROW(make_environment(find_rl_task("stack"), "random", 1000), Error);
    EXPECT_THROW(find_rl_task("stak"), Error);
}

}  // namespace
}  // namespace hri
