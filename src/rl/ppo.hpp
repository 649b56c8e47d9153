// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of PPO: trajectories, advantages, passes over them; Options::iterations times.

#include "hri/rl.hpp"

#include "rl/state_table.hpp"

#include <functional>
#include <set>

namespace hri::rl {

/// Where episodes begin.
struct TrainingStarts {
    Environment& training;
    Environment* random = nullptr;     ///< for RlSettings::random_starts
    std::set<StateKey> excluded = {};  ///< no random start is one of these
};

/// What an update saw.
struct UpdateNews {
    int update = 0;
    double reward = 0;      ///< mean of its episodes
    int solved = 0;         ///< episodes
    double mean_moves = 0;  ///< of solved episodes
    int fewest_moves = -1;  ///< of solved episodes; -1: none was solved
};

struct PpoResult {
    Model model;
    int updates = 0;
    std::int64_t episodes = 0;
};

/// Stops early where `go_on`, which is called after each update, says so.
PpoResult run_ppo(Model start, const TrainingStarts& starts,
                  const std::vector<PredicateSymbol>& inputs, const RlSettings& settings,
                  std::uint64_t seed,
                  const std::function<bool(const Model&, const UpdateNews&)>& go_on);

}  // namespace hri::rl
