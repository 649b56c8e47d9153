// SPDX-License-Identifier: Apache-2.0

#include "hri/rl.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

EpisodeScore from(const std::string& name, const std::string& start, Choice choice) {
    const RlTask& task = find_rl_task(name);
    return run_episodes(*make_environment(task, start),
                        program_values(parse_program(task.solution)), choice, 20, 3);
}

TEST(Puzzles, SolutionsSolveEveryTestAndRandomStart) {
    for (const std::string name : {"doors", "loot", "sort", "hanoi"}) {
        const RlTask& task = find_rl_task(name);
        for (const Choice choice : {Choice::first, Choice::uniform}) {
            EXPECT_EQ(
                run_tests(task, program_values(parse_program(task.solution)), choice, 3, 1).solved,
                15)
                << name;
            EXPECT_EQ(from(name, "random", choice).solved, 20) << name;
            EXPECT_EQ(from(name, "train", choice).solved, 20) << name;
        }
    }
}

TEST(Puzzles, SolutionsTakeTheFewestMoves) {
    EXPECT_EQ(from("sort", "7 6 5 4 3 2 1", Choice::uniform).moves, 21) << "as many as inversions";
    EXPECT_EQ(from("hanoi", "[5 4 3 2 1][][]", Choice::first).moves, 31) << "2^5 - 1";
    EXPECT_EQ(from("loot", "train", Choice::uniform).moves, 5) << "two keys, two chests, the exit";
    EXPECT_EQ(from("doors", "@k+.x/..#.. 0", Choice::uniform).moves, 4);
}

TEST(Puzzles, TextsAreReadBackAsTheyWereWritten) {
    for (const std::string name : {"doors", "loot", "sort", "hanoi", "boxes", "on"}) {
        const RlTask& task = find_rl_task(name);
        const auto random = make_environment(task, "random");
        Random numbers(2);
        for (int i = 0; i < 20; ++i) {
            random->reset(numbers);
            // somewhere on the way
            for (int step = numbers.below(5); step > 0; --step) {
                const std::vector<int>& actions = random->actions();
                random->step(actions[static_cast<std::size_t>(
                    numbers.below(static_cast<int>(actions.size())))]);
            }
            if (random->text().find('x') == std::string::npos && name == "doors") {
                continue;  // on the exit: the end
            }
            const auto again = make_environment(task, random->text());
            EXPECT_EQ(again->text(), random->text());
            EXPECT_EQ(again->facts().facts, random->facts().facts) << random->text();
            EXPECT_FALSE(random->picture().empty());
        }
    }
}

TEST(Puzzles, FactsTellTheStatesOfAnEpisodeApart) {
    for (const RlTask& task : rl_tasks()) {
        const auto world = make_environment(task);
        Random random(1);
        std::vector<EpisodeStep> steps;
        trace_episode(*world, program_values(parse_program(task.solution)), nullptr, Choice::first,
                      random, steps);
        std::vector<std::vector<std::vector<Fact>>> seen;
        for (const EpisodeStep& step : steps) {
            if (step.move.empty() && task.name == "doors") {
                continue;  // the exit is hidden by who stands there
            }
            const auto facts = make_environment(task, step.state)->facts().facts;
            EXPECT_EQ(std::count(seen.begin(), seen.end(), facts), 0) << task.name << step.state;
            seen.push_back(facts);
        }
    }
}

TEST(Puzzles, RefuseWhatIsNoState) {
    for (const auto& [name, text] :
         std::vector<std::pair<std::string, std::string>>{{"sort", "1 1"},
                                                          {"sort", "1 x"},
                                                          {"hanoi", "[1 2][][]"},
                                                          {"hanoi", "[1]["},
                                                          {"loot", "k:a x"},
                                                          {"loot", "c k:a"},
                                                          {"doors", "@.."},
                                                          {"doors", "@x/."}}) {
        EXPECT_THROW(make_environment(find_rl_task(name), text), Error) << name << ' ' << text;
    }
    EXPECT_THROW(make_environment(find_rl_task("hanoi"), "train", 9), Error);
}

TEST(Puzzles, MovesFailAsOftenAsTheyShould) {
    const auto world = make_environment(find_rl_task("sort"), "train", 0, 0.5);
    Random random(1);
    int changed = 0;
    for (int i = 0; i < 400; ++i) {
        world->reset(random);
        const std::string before = world->text();
        world->step(1);  // swap(p1,p2)
        changed += world->text() == before ? 0 : 1;
    }
    EXPECT_NEAR(changed, 200, 40);
    EXPECT_FALSE(world->deterministic());
}

}  // namespace
}  // namespace hri
