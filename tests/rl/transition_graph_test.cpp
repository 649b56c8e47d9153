// SPDX-License-Identifier: Apache-2.0

#include "rl/transition_graph.hpp"

#include "rl/refine.hpp"
#include "rl/state_extensions.hpp"
#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

rl::TransitionGraph world_of(const std::string& task, const std::string& start = "train") {
    return rl::explore(*make_environment(find_rl_task(task), start));
}

/// A policy that asks for these moves of [a b]: row-major, floor = 0, a = 1, b = 2.
rl::PolicyValue moves_of_two_blocks(const std::vector<int>& moves) {
    const rl::TransitionGraph world = world_of("unstack", "[a b]");
    return rl::try_policy(world, [&](int state, int i) {
        return testing::Value(moves, testing::Contains(world.states[static_cast<std::size_t>(state)]
                                                           .actions[static_cast<std::size_t>(i)]));
    });
}

struct Expected {
    std::string task;
    int states;
    int goals;
};

TEST(TransitionGraph, HoldsTheStatesThatEpisodesReach) {
    // There are 1 + 12 + 12 + 24 + 24 ways to stack four blocks. An episode ends at the goal: with
    // a on b, nothing is put on a any more, which leaves 6 of the 13 goals of `on` out.
    for (const Expected& expected : std::vector<Expected>{
             {"unstack", 73, 1}, {"stack", 73, 24}, {"on", 67, 7}, {"boxes", 4, 1}}) {
        const rl::TransitionGraph world = world_of(expected.task);
        EXPECT_EQ(world.size(), expected.states) << expected.task;
        EXPECT_EQ(std::count(world.goal.begin(), world.goal.end(), true), expected.goals)
            << expected.task;
        EXPECT_EQ(world.fewest_moves, expected.task == "on" ? 4 : 3) << expected.task;
        EXPECT_NEAR(world.best, 1 - 0.02 * world.fewest_moves, 1e-12) << expected.task;
        EXPECT_EQ(world.episodes, expected.states * (expected.task == "boxes" ? 4 : 20))
            << "every move of every state";
    }
}

TEST(TransitionGraph, LeavesTheRestUnexploredWhereItIsTooLarge) {
    const auto environment = make_environment(find_rl_task("unstack"));
    const rl::TransitionGraph world = rl::explore(*environment, 10);
    EXPECT_EQ(world.size(), 10);
    EXPECT_EQ(world.outcomes.size(), 10U);
}

TEST(TransitionGraph, ExpectsWhatHandCalculationGives) {
    const int down = 2 * 3 + 0;  // move(b,floor)
    const int idle = 0 * 3 + 1;  // move(floor,a)
    const rl::PolicyValue good = moves_of_two_blocks({down});
    EXPECT_NEAR(good.first, 0.98, 1e-12);
    EXPECT_NEAR(good.uniform, 0.98, 1e-12);
    EXPECT_EQ(good.solved, 2) << "the start and the goal";
    // v = -0.02 + v/2 + 1/2: half of the moves are idle
    const rl::PolicyValue half = moves_of_two_blocks({idle, down});
    EXPECT_NEAR(half.uniform, 0.96, 1e-9);
    EXPECT_NEAR(half.first, -0.98, 1e-9) << "the idle move stands first";
    EXPECT_EQ(half.solved, 1) << "the goal itself";
}

TEST(TransitionGraph, CountsAStateInWhichNothingIsAskedForAsLost) {
    const rl::PolicyValue none = moves_of_two_blocks({});
    EXPECT_LT(none.first, -0.98);
    EXPECT_LT(none.uniform, -0.98);
    EXPECT_EQ(none.solved, 1) << "the goal itself";
}

TEST(StateExtensions, AreThoseOfTheProgram) {
    const RlTask& task = find_rl_task("on");
    const rl::TransitionGraph world = rl::explore(*make_environment(task, "[a b c]"));
    Random random(3);
    for (const Recursivity recursivity : {Recursivity::none, Recursivity::full}) {
        Options options = rl_options();
        options.layers = 3;
        options.recursivity = recursivity;
        const Model model = make_model(task.inputs, task.target, options, 1);
        const Hierarchy& h = model.hierarchy;
        rl::StateExtensions meanings(world, model);
        int derived = 0;
        for (int trial = 0; trial < 40; ++trial) {
            std::vector<int> matches;
            for (const Slot& slot : h.slots) {
                matches.push_back(slot.candidates[static_cast<std::size_t>(
                    random.below(static_cast<int>(slot.candidates.size())))]);
            }
            const std::vector<std::uint8_t> all(h.auxiliaries.size(), 1);
            const int meaning = meanings.of(matches, all)[static_cast<std::size_t>(matches.back())];
            const ActionValues values = program_values(extract(model, matches));
            for (int s = 0; s < world.size(); ++s) {
                const rl::State& state = world.states[static_cast<std::size_t>(s)];
                const std::vector<float> expected = values(state.facts);
                for (const int action : state.actions) {
                    ASSERT_EQ(meanings.holds(meaning, action, s),
                              expected[static_cast<std::size_t>(action)] > 0);
                    derived += meanings.holds(meaning, action, s) ? 1 : 0;
                }
            }
        }
        EXPECT_GT(derived, 100);
    }
}

TEST(Refine, FindsARuleThatHoldsInEveryStateWithoutPpo) {
    const RlTask& task = find_rl_task("boxes");
    Options options = rl_options();
    options.layers = 3;
    const Model model = make_model(task.inputs, task.target, options, 1);
    const rl::TransitionGraph world = rl::explore(*make_environment(task));
    rl::RefineSettings settings;
    settings.evaluations = 4000;
    settings.patience = 500;
    settings.stopped = [] { return false; };
    const rl::Refined refined = rl::refine(model, world, settings);
    ASSERT_TRUE(rl::accepted(refined.trial, world));
    EXPECT_GE(refined.needed, 1);
    EXPECT_LE(refined.needed, refined.evaluations);
    const Program program = extract(model, refined.matches);
    EXPECT_EQ(run_tests(task, program_values(program), Choice::first, 1, 0).solved, 5);
    for (const rl::State& state : world.states) {
        EXPECT_TRUE(test::swi_prolog_agrees(program, state.facts));
    }
}

}  // namespace
}  // namespace hri
