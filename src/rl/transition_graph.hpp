// SPDX-License-Identifier: Apache-2.0
#pragma once

// The training world as a graph: the states that episodes from the training start reach, and what
// each action does there. A policy is judged on it without episodes, exactly, from every state.

#include "hri/rl.hpp"

#include "rl/state_table.hpp"

#include <functional>
#include <vector>

namespace hri::rl {

struct TransitionGraph {
    struct Outcome {
        double reward = 0;
        int next = -1;  ///< state; -1: the episode ended, or the world's rest was not explored
    };

    std::vector<State> states;                   ///< the start is the first
    std::vector<std::vector<Outcome>> outcomes;  ///< [state][index into its actions]
    std::vector<bool> goal;                      ///< [state]: whatever is done there, it is solved
    double best = 0;                             ///< the most reward that the start allows
    int fewest_moves = -1;                       ///< that solve the start; -1: none do
    int episodes = 0;                            ///< that it took to explore

    int size() const { return static_cast<int>(states.size()); }
};

/// Tries every action in every state, breadth first: each in an episode that walks there from the
/// start. The environment must be deterministic. Leaves what lies beyond `max_states` unexplored.
TransitionGraph explore(Environment& environment, int max_states = 1000);

/// How a policy does in a world. Only moves that it asks for count: where it asks for none, the
/// episode is lost. Rewards are expected ones, of episodes of at most 50 steps.
struct PolicyValue {
    double first = 0;               ///< from the start, first choice
    double uniform = 0;             ///< from the start, uniform choice
    double everywhere_first = 0;    ///< mean over all states but goals
    double everywhere_uniform = 0;  ///< mean over all states but goals
    int solved = 0;  ///< states, goals included, from which the first choice solves it

    /// The first choice counts twice: the published figures rest on it.
    double reward() const { return 2 * (first + everywhere_first) + uniform + everywhere_uniform; }
};

/// `asks(state, i)`: whether the policy asks for the state's i-th action.
PolicyValue try_policy(const TransitionGraph& world,
                       const std::function<bool(int state, int i)>& asks);

}  // namespace hri::rl
