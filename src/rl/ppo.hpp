// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of PPO: trajectories, advantages, passes over them; Options::iterations times.

#include "hri/rl.hpp"

#include <functional>

namespace hri::rl {

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
PpoResult run_ppo(Model start, Environment& environment, const std::vector<PredicateSymbol>& inputs,
                  const RlSettings& settings, std::uint64_t seed,
                  const std::function<bool(const Model&, const UpdateNews&)>& go_on);

}  // namespace hri::rl
