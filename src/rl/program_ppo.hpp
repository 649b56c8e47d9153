// SPDX-License-Identifier: Apache-2.0
#pragma once

// PPO whose actions are the matches of a program.
//
// Each update draws programs: every slot that the target reaches takes a match by its unification
// score. A program is judged by its episodes. PPO's clipped objective is that of each match:
//   ratio = alpha / alpha_old,   advantage = the program's reward, normalised over the update
// The best programs seen are imitated:  - w log alpha of their matches,  w by their reward.
// The temperature of unification falls, until the soft model is its argmax program.

#include "hri/rl.hpp"

#include "rl/judge.hpp"

#include <cstdint>
#include <functional>

namespace hri::rl {

struct ProgramPpoResult {
    Model model;  ///< with the temperature at which it ended
    int updates = 0;
    std::int64_t programs = 0;
};

/// `go_on` is called after each update with the mean reward of an episode of its programs, of those
/// that were given up with the most that they could have reached. Stops early where it says so.
ProgramPpoResult run_program_ppo(Model start, Judge& judge, const RlSettings& settings,
                                 std::uint64_t seed,
                                 const std::function<bool(int update, double reward)>& go_on);

}  // namespace hri::rl
