// SPDX-License-Identifier: Apache-2.0
#include "rl/transition_graph.hpp"

#include <algorithm>
#include <cmath>

namespace hri::rl {
namespace {

constexpr int kMaxMoves = 49;
constexpr double kLostReward = -1.0;  // less than what an episode gives in which the time runs out

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Explores one environment.
class Exploration {
  public:
    Exploration(Environment& environment, int max_states)
        : environment_(environment), max_states_(max_states) {}

    TransitionGraph run() {
        environment_.reset(random_);
        table_.add(environment_.facts(), environment_.actions());
        ways_.push_back({});
        for (int s = 0; s < table_.size(); ++s) {
            world_.outcomes.emplace_back();
            bool goal = true;
            const std::vector<int> actions = table_[s].actions;
            for (const int action : actions) {
                walk_to(s);
                const StepResult result = environment_.step(action);
                goal = goal && result.solved;
                world_.outcomes.back().push_back(
                    {result.reward, result.done ? -1 : arrived(s, action)});
            }
            world_.goal.push_back(goal);
        }
        world_.states = table_.states();
        find_best();
        return std::move(world_);
    }

  private:
    void walk_to(int state) {
        ++world_.episodes;
        environment_.reset(random_);
        for (const int action : ways_[at(state)]) {
            environment_.step(action);
        }
        if (key_of(environment_.facts()) != key_of(table_[state].facts)) {
            throw Error("the same actions from the training start led to different states", {},
                        "policies are learned in deterministic environments only");
        }
    }

    int arrived(int from, int action) {
        const int known = table_.size();
        if (known >= max_states_ && !table_.contains(environment_.facts())) {
            return -1;
        }
        const int state = table_.add(environment_.facts(), environment_.actions());
        if (state == known) {
            ways_.push_back(ways_[at(from)]);
            ways_.back().push_back(action);
        }
        return state;
    }

    /// best_k(s) = max over actions of reward + best_(k-1)(next), and the same for moves.
    void find_best() {
        std::vector<double> value(at(world_.size()), 0.0);
        for (int k = 0; k <= kMaxMoves; ++k) {
            std::vector<double> next(value.size(), kLostReward);
            for (std::size_t s = 0; s < value.size(); ++s) {
                for (const TransitionGraph::Outcome& outcome : world_.outcomes[s]) {
                    const double rest = outcome.next < 0 ? 0.0 : value[at(outcome.next)];
                    next[s] = std::max(next[s], outcome.reward + rest);
                }
            }
            value = std::move(next);
        }
        world_.best = value[0];
        std::vector<bool> reached(value.size(), false);
        reached[0] = true;
        for (int moves = 0; moves <= kMaxMoves && world_.fewest_moves < 0; ++moves) {
            std::vector<bool> after = reached;
            for (std::size_t s = 0; s < reached.size(); ++s) {
                if (!reached[s]) {
                    continue;
                }
                if (world_.goal[s]) {
                    world_.fewest_moves = moves;
                }
                for (const TransitionGraph::Outcome& outcome : world_.outcomes[s]) {
                    if (outcome.next >= 0) {
                        after[at(outcome.next)] = true;
                    }
                }
            }
            reached = std::move(after);
        }
    }

    Environment& environment_;
    int max_states_;
    Random random_{0};
    StateTable table_;
    std::vector<std::vector<int>> ways_;  // [state]: actions from the start
    TransitionGraph world_;
};

using Choices = std::vector<std::vector<const TransitionGraph::Outcome*>>;  // [state]; empty: lost

/// The reward of the first choice from a state, and whether it reaches the goal.
std::pair<double, bool> walk(const TransitionGraph& world, const Choices& choices, int state) {
    double reward = 0;
    for (int moves = 0; moves < kMaxMoves; ++moves) {
        if (world.goal[at(state)]) {
            return {reward + world.outcomes[at(state)][0].reward, true};
        }
        if (choices[at(state)].empty()) {
            return {kLostReward, false};
        }
        const TransitionGraph::Outcome& outcome = *choices[at(state)][0];
        reward += outcome.reward;
        if (outcome.next < 0) {
            return {reward, false};
        }
        state = outcome.next;
    }
    return {reward, false};
}

/// [state] the expected reward of the uniform choice.
std::vector<double> expected(const TransitionGraph& world, const Choices& choices) {
    std::vector<double> value(choices.size(), 0.0);
    std::vector<double> next(choices.size());
    for (int k = 0; k < kMaxMoves; ++k) {
        double change = 0;
        for (std::size_t s = 0; s < choices.size(); ++s) {
            if (world.goal[s]) {
                next[s] = world.outcomes[s][0].reward;
            } else if (choices[s].empty()) {
                next[s] = kLostReward;
            } else {
                double sum = 0;
                for (const TransitionGraph::Outcome* outcome : choices[s]) {
                    sum += outcome->reward + (outcome->next < 0 ? 0.0 : value[at(outcome->next)]);
                }
                next[s] = sum / static_cast<double>(choices[s].size());
            }
            change = std::max(change, std::abs(next[s] - value[s]));
        }
        value.swap(next);
        if (change < 1e-9) {
            break;
        }
    }
    return value;
}

}  // namespace

TransitionGraph explore(Environment& environment, int max_states) {
    return Exploration(environment, max_states).run();
}

PolicyValue try_policy(const TransitionGraph& world,
                       const std::function<bool(int state, int i)>& asks) {
    Choices choices(world.states.size());
    for (std::size_t s = 0; s < choices.size(); ++s) {
        if (world.goal[s]) {
            continue;
        }
        for (std::size_t i = 0; i < world.outcomes[s].size(); ++i) {
            if (asks(static_cast<int>(s), static_cast<int>(i))) {
                choices[s].push_back(&world.outcomes[s][i]);
            }
        }
    }
    PolicyValue trial;
    int others = 0;
    const std::vector<double> uniform = expected(world, choices);
    trial.uniform = uniform[0];
    for (int s = 0; s < world.size(); ++s) {
        const auto [reward, solved] = walk(world, choices, s);
        trial.solved += solved ? 1 : 0;
        trial.first = s == 0 ? reward : trial.first;
        if (!world.goal[at(s)]) {
            ++others;
            trial.everywhere_first += reward;
            trial.everywhere_uniform += uniform[at(s)];
        }
    }
    trial.everywhere_first /= std::max(others, 1);
    trial.everywhere_uniform /= std::max(others, 1);
    return trial;
}

}  // namespace hri::rl
