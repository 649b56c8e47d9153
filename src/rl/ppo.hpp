// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of PPO: trajectories, advantages, passes over them; Options::iterations times.

#include "hri/rl.hpp"

#include "rl/judge.hpp"

#include <functional>

namespace hri::rl {

/// Figures of an update.
struct UpdateNews {
    int update = 0;
    double reward = 0;      ///< mean of its episodes
    int solved = 0;         ///< episodes
    double mean_moves = 0;  ///< of solved episodes
    double best = -1e9;     ///< the most reward of an episode from the training start
};

struct PpoResult {
    Model model;
    int updates = 0;
    std::int64_t episodes = 0;
};

/// Stops early where `go_on`, which is called after each update, says so.
PpoResult run_ppo(Model start, const Starts& starts, const std::vector<PredicateSymbol>& inputs,
                  const RlSettings& settings, std::uint64_t seed,
                  const std::function<bool(const Model&, const UpdateNews&)>& go_on);

}  // namespace hri::rl
