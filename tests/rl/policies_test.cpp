// SPDX-License-Identifier: Apache-2.0

#include "hri/rl.hpp"

#include "paths.hpp"
#include "rl/blocksworld.hpp"
#include "rl/match_prior.hpp"
#include "rl/refine.hpp"
#include "support/swi_prolog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

ActionValues solution(const RlTask& task) { return program_values(parse_program(task.solution)); }

TEST(Policies, HandWrittenProgramsReachThePapersRewards) {
    for (const auto& [name, reward] : std::vector<std::pair<std::string, double>>{
             {"unstack", 0.920}, {"stack", 0.920}, {"on", 0.896}}) {
        const RlTask& task = find_rl_task(name);
        const EpisodeScore score = run_tests(task, solution(task), Choice::first, 1, 0);
        EXPECT_NEAR(score.reward, reward, 1e-12) << name;
        EXPECT_EQ(score.solved, 5) << name;
    }
}

TEST(Policies, UniformChoiceCostsStackSomethingAndTheOthersNothing) {
    const auto uniform = [](const std::string& name) {
        const RlTask& task = find_rl_task(name);
        return run_tests(task, solution(task), Choice::uniform, 200, 1).reward;
    };
    EXPECT_NEAR(uniform("unstack"), 0.920, 1e-12);
    EXPECT_NEAR(uniform("on"), 0.896, 1e-12);
    EXPECT_LT(uniform("stack"), 0.915);
    EXPECT_GT(uniform("stack"), 0.8);
}

TEST(Policies, HandWrittenProgramsSolveTwentyBlocksFromRandomStarts) {
    for (const std::string name : {"unstack", "stack", "on"}) {
        const RlTask& task = find_rl_task(name);
        for (const Choice choice : {Choice::first, Choice::uniform}) {
            const auto environment = make_environment(task, "random", 20);
            EXPECT_EQ(run_episodes(*environment, solution(task), choice, 30, 3).solved, 30) << name;
        }
    }
}

TEST(Policies, ExamplesAreTheHandWrittenPrograms) {
    for (const std::string name : {"stack", "on"}) {
        const std::string file = HRI_SOURCE_DIR "/examples/policies/" + name + ".pl";
        EXPECT_EQ(to_prolog(parse_program(read_file(file))),
                  to_prolog(parse_program(find_rl_task(name).solution)));
    }
}

TEST(Policies, RuleForOnTakesTheFewestMovesFromEveryState) {
    const RlTask& task = find_rl_task("on");
    Random random(5);
    for (int i = 0; i < 20; ++i) {
        const rl::Stacks start = rl::random_stacks(5, random);
        const auto environment = make_environment(task, rl::Blocksworld::to_text(start));
        for (const Choice choice : {Choice::first, Choice::uniform}) {
            EXPECT_EQ(run_episode(*environment, solution(task), choice, random).moves,
                      rl::fewest_moves(rl::Blocksworld::Goal::on, start))
                << environment->text();
        }
    }
}

TEST(Policies, FirstChoiceIsRowMajorAndWithoutRulesAllMovesAreEqual) {
    Random random(1);
    const std::vector<int> actions = {1, 2, 3, 5};
    EXPECT_EQ(choose({0, 0, 1, 1, 1, 0}, actions, Choice::first, random), 1);
    EXPECT_EQ(choose({1, 0, 0, 0, 1, 0}, actions, Choice::first, random), 0)
        << "atoms that are no actions do not count";
    std::vector<int> seen(4, 0);
    for (int i = 0; i < 400; ++i) {
        ++seen[static_cast<std::size_t>(
            choose({0, 0, 1, 1, 1, 0}, actions, Choice::uniform, random))];
    }
    EXPECT_EQ(seen[0] + seen[3], 0);
    EXPECT_GT(seen[1], 140);
    EXPECT_GT(seen[2], 140);
}

TEST(Policies, NameTheRuleThatFired) {
    const RlTask& task = find_rl_task("on");
    const Program program = parse_program(task.solution);
    const auto environment = make_environment(task, "[a][c][b]");
    const auto fired = fired_rules(program, environment->facts(), 1 * 4 + 2);
    ASSERT_EQ(fired.size(), 1U);
    EXPECT_THAT(fired[0], testing::HasSubstr("goal_on(X,Y)"));
    EXPECT_TRUE(fired_rules(program, environment->facts(), 4).empty());
}

TEST(Policies, AreFollowedStepByStepWithTheRulesThatFire) {
    const RlTask& task = find_rl_task("unstack");
    const Program program = parse_program(task.solution);
    const ActionValues values = program_values(program);
    const auto environment = make_environment(task, "[a b][c d]");
    Random random(0);
    std::vector<EpisodeStep> steps;
    const Episode traced =
        trace_episode(*environment, values, &program, Choice::first, random, steps);
    const Episode plain = run_episode(*environment, values, Choice::first, random);
    EXPECT_EQ(traced.moves, plain.moves);
    EXPECT_EQ(traced.reward, plain.reward);
    EXPECT_TRUE(traced.solved);
    ASSERT_EQ(static_cast<int>(steps.size()), traced.moves + 1);
    EXPECT_EQ(steps.front().state, "[a b][c d]");
    EXPECT_EQ(steps.front().move, "move(b,floor)");
    EXPECT_FALSE(steps.front().rules.empty());
    EXPECT_TRUE(steps.back().move.empty());
}

TEST(Boxes, OpenByAKeyInAnOpenBox) {
    const auto world = make_environment(find_rl_task("boxes"), "*a:b b:c c");
    EXPECT_DOUBLE_EQ(world->step(2).reward, -0.02);
    EXPECT_EQ(world->text(), "*a:b b:c c") << "the key to c is still locked away";
    world->step(1);
    world->step(2);
    EXPECT_EQ(world->text(), "*a:b *b:c *c");
    EXPECT_TRUE(world->step(0).solved);
}

TEST(Boxes, SolutionOpensRandomTreesWithoutALostMove) {
    const RlTask& task = find_rl_task("boxes");
    for (const Choice choice : {Choice::first, Choice::uniform}) {
        const auto environment = make_environment(task, "random", 20);
        const EpisodeScore score = run_episodes(*environment, solution(task), choice, 50, 3);
        EXPECT_EQ(score.solved, 50);
        EXPECT_DOUBLE_EQ(score.moves, 19);
        EXPECT_EQ(run_tests(task, solution(task), choice, 5, 3).solved, 25);
    }
    EXPECT_THROW(make_environment(task, "*a:z b"), Error);
}

TEST(Refine, HardenedModelHasTheProgramOfItsMatches) {
    const RlTask& task = find_rl_task("unstack");
    const Model model = make_model(task.inputs, task.target, rl_options(), 5);
    const std::vector<int> matches = best_matches(model);
    Model hard = model;
    set_matches(hard, matches);
    EXPECT_EQ(best_matches(hard), matches);
    EXPECT_EQ(extract(hard).rules, extract(model).rules);
}

TEST(LearnPolicy, GivesTheSameProgramForTheSameSeed) {
    const RlTask& task = find_rl_task("boxes");
    Options options = rl_options();
    options.layers = 3;
    options.iterations = 5;
    RlSettings settings;
    settings.restarts = 1;
    settings.ppo_runs = 1;
    settings.program_updates = 10;
    settings.drawn_programs = 50;
    settings.evaluations = 300;
    settings.seed = 4;
    const PolicyReport one = learn_policy(task, options, settings);
    const PolicyReport two = learn_policy(task, options, settings);
    EXPECT_EQ(to_text(one.program), to_text(two.program));
    EXPECT_EQ(one.model.parameters.slots, two.model.parameters.slots);
    EXPECT_EQ(one.updates, 15);
    EXPECT_EQ(one.programs, 500);
    EXPECT_GT(one.episodes, 5 * 5);
    EXPECT_EQ(one.curve.size(), 15U);
    EXPECT_TRUE(test::swi_prolog_agrees(one.program, make_environment(task)->facts()));
}

TEST(LearnPolicy, RaisesTheRewardOfTheSoftPolicy) {
    const RlTask& task = find_rl_task("boxes");
    Options options = rl_options();
    options.layers = 3;
    options.iterations = 150;
    RlSettings settings;
    settings.restarts = 1;
    settings.ppo_runs = 1;
    settings.program_updates = 0;
    settings.evaluations = 0;
    settings.seed = 1;
    const PolicyReport report = learn_policy(task, options, settings);
    ASSERT_GE(report.curve.size(), 20U);
    double early = 0;
    double late = 0;
    for (std::size_t i = 0; i < 10; ++i) {
        early += report.curve[i].reward / 10;
        late += report.curve[report.curve.size() - 1 - i].reward / 10;
    }
    EXPECT_GT(late, early + 0.3);
    EXPECT_FALSE(report.refined);
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, make_environment(task)->facts()));
}

TEST(LearnPolicy, ByPpoOverProgramsEndsAtASoftPolicyThatIsItsArgmaxProgram) {
    const RlTask& task = find_rl_task("unstack");
    Options options = rl_options();
    options.iterations = 1;
    RlSettings settings;
    settings.restarts = 1;
    settings.ppo_runs = 4;
    settings.evaluations = 0;
    settings.seed = 0;
    const PolicyReport report = learn_policy(task, options, settings);
    EXPECT_FALSE(report.refined);
    const ActionValues argmax = program_values(simplified(report.raw));
    const ActionValues soft = model_values(report.model);
    EXPECT_NEAR(run_tests(task, argmax, Choice::first, 1, 0).reward, task.paper_reward, 1e-9);
    EXPECT_NEAR(run_tests(task, soft, Choice::first, 1, 0).reward, task.paper_reward, 1e-9);
}

TEST(LearnPolicy, PapersPresetHasNoPpoOverPrograms) {
    const RlSettings paper = paper_rl_settings();
    EXPECT_EQ(paper.program_updates, 0);
    EXPECT_EQ(paper.ppo_runs, 1);
    EXPECT_EQ(paper.imitation, 0);
    EXPECT_EQ(paper.evaluations, 0);
}

TEST(MatchPrior, IsADistributionThatPrefersFalseDisjuncts) {
    const RlTask& task = find_rl_task("on");
    const Model model = make_model(task.inputs, task.target, rl_options(), 0);
    const auto prior = rl::match_prior(model);
    ASSERT_EQ(prior.size(), model.hierarchy.slots.size());
    for (const std::vector<double>& row : prior) {
        double sum = 0;
        for (const double p : row) {
            EXPECT_GT(p, 0);
            sum += p;
        }
        EXPECT_NEAR(sum, 1, 1e-9);
    }
    const int disjunct = model.hierarchy.auxiliaries[0].slots.back();
    EXPECT_EQ(model.hierarchy.slots[static_cast<std::size_t>(disjunct)].candidates[1],
              Hierarchy::kFalse);
    EXPECT_GT(prior[static_cast<std::size_t>(disjunct)][1], 0.5);
}

}  // namespace
}  // namespace hri
