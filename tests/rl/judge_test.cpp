// SPDX-License-Identifier: Apache-2.0

#include "rl/judge.hpp"

#include "rl/refine.hpp"
#include "rl/state_extensions.hpp"
#include "support/swi_prolog.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

/// [a b] to be unstacked: floor = 0, a = 1, b = 2.
RlTask two_blocks() {
    RlTask task = find_rl_task("unstack");
    task.training_size = 2;
    task.tests = {};
    return task;
}

/// A policy that asks for these atoms in every state.
rl::PolicyValue judged(const RlTask& task, const std::vector<int>& moves, int starts,
                       double least = -100) {
    RlSettings settings;
    settings.judged_starts = starts;
    const rl::Starts where(task, settings);
    rl::Judge judge(where, settings, 1);
    std::vector<std::uint8_t> asked(9, 0);
    for (const int move : moves) {
        asked[static_cast<std::size_t>(move)] = 1;
    }
    return judge.play([&](const Instance&) -> const std::vector<std::uint8_t>& { return asked; },
                      least);
}

constexpr int kDown = 2 * 3 + 0;  // move(b,floor)
constexpr int kIdle = 0 * 3 + 1;  // move(floor,a)

TEST(Judge, GivesWhatEpisodesGive) {
    const rl::PolicyValue good = judged(two_blocks(), {kDown}, 0);
    EXPECT_NEAR(good.first, 0.98, 1e-12);
    EXPECT_NEAR(good.uniform, 0.98, 1e-12);
    EXPECT_EQ(good.solved, 1);
    const rl::PolicyValue half = judged(two_blocks(), {kIdle, kDown}, 0);
    EXPECT_EQ(half.solved, 0) << "the idle move stands first, for ever";
    EXPECT_LT(half.first, -0.97);
    EXPECT_GT(half.uniform, 0.5) << "the other move is taken sooner or later";
}

TEST(Judge, CountsAStateInWhichNothingIsAskedForAsLost) {
    const rl::PolicyValue none = judged(two_blocks(), {}, 0);
    EXPECT_LT(none.first, -0.98);
    EXPECT_LT(none.uniform, -0.98);
}

TEST(Judge, StopsWhereTheRewardCannotReachWhatIsAskedFor) {
    const rl::PolicyValue whole = judged(two_blocks(), {kIdle}, 20);
    const rl::PolicyValue stopped = judged(two_blocks(), {kIdle}, 20, 5.9);
    EXPECT_TRUE(whole.complete);
    EXPECT_FALSE(stopped.complete);
    EXPECT_GE(stopped.reward(), whole.reward()) << "an upper bound";
    EXPECT_LT(stopped.reward(), 5.9);
}

TEST(Judge, NeverBeginsAtATestStart) {
    RlTask task = find_rl_task("unstack");
    task.training_size = 2;
    task.tests = {"[a b]", "[b a]"};
    RlSettings settings;
    settings.judged_starts = 30;
    const rl::Starts starts(task, settings);
    rl::Judge judge(starts, settings, 1);
    const auto anywhere = starts.anywhere();
    Random random(1);
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(starts.begin_anywhere(*anywhere, random));
        EXPECT_EQ(anywhere->text().size(), 6U) << "two stacks are the only start that is no test";
    }
    task.tests.push_back("[a][b]");
    EXPECT_FALSE(rl::Starts(task, settings).begin_anywhere(*anywhere, random));
}

TEST(Judge, MeetsTheSameFailuresWithTheSameSeed) {
    const RlTask& task = find_rl_task("unstack");
    RlSettings settings;
    settings.failure = 0.3;
    settings.judged_starts = 10;
    const rl::Starts starts(task, settings);
    const ActionValues values = program_values(parse_program(task.solution));
    std::vector<std::uint8_t> asked;
    const auto asks = [&](const Instance& facts) -> const std::vector<std::uint8_t>& {
        const std::vector<float>& found = values(facts);
        asked.assign(found.begin(), found.end());
        return asked;
    };
    const rl::PolicyValue one = rl::Judge(starts, settings, 4).play(asks, -100);
    const rl::PolicyValue two = rl::Judge(starts, settings, 4).play(asks, -100);
    EXPECT_EQ(one.reward(), two.reward());
    EXPECT_LT(one.first, 0.94) << "some moves failed";
    EXPECT_EQ(one.solved, 20) << "10 episodes from the training start and 10 others";
}

TEST(StateExtensions, AreThoseOfTheProgram) {
    RlTask task = find_rl_task("on");
    task.training_size = 3;
    RlSettings judging;
    const rl::Starts starts(task, judging);
    const rl::StateTable sample = rl::Judge(starts, judging, 1).sample(100);
    ASSERT_GE(sample.size(), 10);
    Random random(3);
    for (const Recursivity recursivity : {Recursivity::none, Recursivity::full}) {
        Options options = rl_options();
        options.layers = 3;
        options.recursivity = recursivity;
        const Model model = make_model(task.inputs, task.target, options, 1);
        const Hierarchy& h = model.hierarchy;
        rl::StateExtensions meanings(sample.states(), model);
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
            for (int s = 0; s < sample.size(); ++s) {
                const std::vector<float> expected = values(sample[s].facts);
                for (const int action : sample[s].actions) {
                    ASSERT_EQ(meanings.holds(meaning, action, s),
                              expected[static_cast<std::size_t>(action)] > 0);
                    derived += meanings.holds(meaning, action, s) ? 1 : 0;
                }
            }
        }
        EXPECT_GT(derived, 100);
    }
}

/// What refinement finds without PPO.
Program refined(const RlTask& task, const RlSettings& settings, int layers, int evaluations,
                bool& accepted) {
    Options options = rl_options();
    options.layers = layers;
    const Model model = make_model(task.inputs, task.target, options, 1);
    const rl::Starts starts(task, settings);
    rl::Judge judge(starts, settings, 1);
    rl::RefineSettings refining;
    refining.evaluations = evaluations;
    refining.patience = 500;
    refining.stopped = [] { return false; };
    const rl::Refined result = rl::refine(model, judge, refining);
    accepted = rl::accepted(result.trial, judge);
    return extract(model, result.matches);
}

TEST(Refine, FindsARuleByEpisodesWithoutPpo) {
    const RlTask& task = find_rl_task("boxes");
    bool accepted = false;
    const Program program = refined(task, {}, 3, 4000, accepted);
    EXPECT_TRUE(accepted);
    EXPECT_EQ(run_tests(task, program_values(program), Choice::first, 1, 0).solved, 5);
    EXPECT_TRUE(test::swi_prolog_agrees(program, make_environment(task)->facts()));
}

TEST(Refine, FindsARuleWhereMovesFail) {
    const RlTask& task = find_rl_task("sort");
    RlSettings settings;
    settings.failure = 0.1;
    settings.judged_starts = 10;
    bool accepted = false;
    const Program program = refined(task, settings, 2, 2000, accepted);
    EXPECT_EQ(run_tests(task, program_values(program), Choice::first, 1, 0).solved, 5);
}

}  // namespace
}  // namespace hri
