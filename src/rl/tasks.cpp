// SPDX-License-Identifier: Apache-2.0
// The tasks, as data.

#include "hri/rl.hpp"

#include "rl/blocksworld.hpp"
#include "rl/boxes.hpp"
#include "rl/puzzle.hpp"
#include "rl/puzzle_tasks.hpp"

#include <algorithm>

namespace hri {
namespace {

RlTask blocksworld(std::string name, rl::Blocksworld::Goal goal, std::string explanation,
                   std::vector<std::string> tests, double paper_reward, std::string solution) {
    RlTask task;
    task.name = std::move(name);
    task.explanation = std::move(explanation);
    task.inputs = rl::Blocksworld::schema(goal)->inputs;
    task.target = rl::Blocksworld::schema(goal)->target;
    task.tests = std::move(tests);
    task.paper_reward = paper_reward;
    task.solution = std::move(solution);
    task.make = [goal](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (start == "random") {
            return std::make_unique<rl::Blocksworld>(goal, size);
        }
        const rl::Blocksworld checked(goal, size);  // throws on a bad number of blocks
        if (!start.empty()) {
            return std::make_unique<rl::Blocksworld>(goal, rl::Blocksworld::parse(start));
        }
        return std::make_unique<rl::Blocksworld>(goal, goal == rl::Blocksworld::Goal::stack
                                                           ? rl::Blocksworld::singles(size)
                                                           : rl::Blocksworld::tower(size));
    };
    return task;
}

RlTask boxes() {
    RlTask task;
    task.name = "boxes";
    task.explanation =
        "Open all boxes; each holds keys to others, and a box opens by a key in an open one.";
    task.inputs = rl::Boxes::schema()->inputs;
    task.target = rl::Boxes::schema()->target;
    task.tests = {"a *d:b b:c c:a", "*a:b,c b:d c d", "a b:a c:b d:c *e:d",
                  "a b:a c:b d:c e:d *f:e", "a b:a,c c *d:b,e e:f,g f g"};
    task.solution = "open(Y) :- opened(X), key_to(X,Y), closed(Y).\n";
    task.make = [](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (start == "random") {
            return std::make_unique<rl::Boxes>(size);
        }
        return std::make_unique<rl::Boxes>(start.empty() ? rl::Boxes::chain(size)
                                                         : rl::Boxes::parse(start));
    };
    return task;
}

}  // namespace

const std::vector<RlTask>& rl_tasks() {
    using Goal = rl::Blocksworld::Goal;
    static const std::vector<RlTask> tasks = {
        blocksworld("unstack", Goal::unstack, "Put every block on the floor.",
                    {"[a b d c]", "[b a][c d]", "[a b c d e]", "[a b c d e f]", "[a b c d e f g]"},
                    0.920,
                    "% the top of a stack that is not on the floor itself\n"
                    "move(X,Y) :- top(X), on(X,Z), on(Z,_), floor(Y).\n"),
        blocksworld("stack", Goal::stack, "Put all blocks in one stack.",
                    {"[a][b][d][c]", "[b a][c d]", "[a][b][c][d][e]", "[a][b][c][d][e][f]",
                     "[a][b][c][d][e][f][g]"},
                    0.920,
                    "% onto a stack that is at least as high: squares of heights add up to more\n"
                    "move(X,Y) :- top(X), top(Y), as_high(Y,X).\n"
                    "as_high(Y,X) :- on(Y,_), on(X,Z), floor(Z).\n"
                    "as_high(Y,X) :- on(Y,V), as_high(V,U), on(X,U).\n"),
        blocksworld("on", Goal::on, "Put block a on block b.",
                    {"[a b d c]", "[a c b d]", "[a b c d e]", "[a b c d e f]", "[a b c d e f g]"},
                    0.896,
                    "% free both, then a onto b\n"
                    "move(X,Y) :- top(X), above(X,Z), goal_on(Z,_), floor(Y).\n"
                    "move(X,Y) :- top(X), above(X,Z), goal_on(_,Z), floor(Y).\n"
                    "move(X,Y) :- goal_on(X,Y), top(X), top(Y).\n"
                    "above(X,Y) :- on(X,Y).\n"
                    "above(X,Y) :- on(X,Z), above(Z,Y).\n"),
        boxes(),
        rl::doors_task(),
        rl::loot_task(),
        rl::sorting_task(),
        rl::hanoi_task(),
    };
    return tasks;
}

const RlTask& find_rl_task(std::string_view name) {
    std::vector<std::string> names;
    for (const RlTask& task : rl_tasks()) {
        if (task.name == name) {
            return task;
        }
        names.push_back(task.name);
    }
    throw Error("there is no task '" + std::string(name) + "' for reinforcement learning", {},
                "did you mean " + nearest(name, names) + "?");
}

int rl::checked_size(int size, int least, int most, const std::string& things) {
    if (size < least || size > most) {
        throw Error("a world of " + std::to_string(size) + " " + things + " is not possible", {},
                    std::to_string(least) + " to " + std::to_string(most) + " " + things);
    }
    return size;
}

std::unique_ptr<Environment> make_environment(const RlTask& task, const std::string& start,
                                              int size, double failure) {
    if (failure > 0) {
        auto environment = make_environment(task, start, size);
        auto* puzzle = dynamic_cast<rl::Puzzle*>(environment.get());
        if (puzzle == nullptr) {
            throw Error("the moves of the task '" + task.name + "' cannot be made to fail", {},
                        "only those of the built-in tasks can");
        }
        puzzle->set_failure(failure);
        return environment;
    }
    const int things = size == 0 ? task.training_size : size;
    if (start == "train" || start.empty()) {
        return task.make("", things);
    }
    if (start == "random") {
        return task.make(start, things);
    }
    if (size != 0) {
        throw Error("a state has its own size", {}, "give a size with the starts train and random");
    }
    for (std::size_t i = 0; i < task.tests.size(); ++i) {
        if (start == "test" + std::to_string(i + 1)) {
            return task.make(task.tests[i], things);
        }
    }
    return task.make(start, things);
}

}  // namespace hri
