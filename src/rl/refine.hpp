// SPDX-License-Identifier: Apache-2.0
#pragma once

// Refinement: from a soft policy to a program that plays well.
//
// The soft policy may rest on differences of a hundredth between valuations, which the argmax
// program loses. So the matches of the slots are improved one program at a time, by annealing: some
// slots take another match, drawn from the unification scores that PPO has learned or from a plain
// prior, and the program is tried in episodes. Then matches that are not needed fall away.

#include "hri/rl.hpp"

#include "rl/judge.hpp"
#include "rl/program_reward.hpp"

#include <functional>
#include <vector>

namespace hri::rl {

struct RefineSettings {
    int evaluations = 100'000;  ///< programs that are tried at most
    int patience = 20'000;      ///< programs tried since an accepted one was bettered: it is taken
    std::uint64_t seed = 0;
    bool use_scores = true;  ///< false: the prior alone
    std::function<bool()> stopped;
};

struct Refined {
    std::vector<int> matches;  ///< by slot
    PolicyValue trial;
    double score = 0;  ///< reward less what its length costs
    int evaluations = 0;
    int needed = -1;  ///< evaluations up to the first accepted program; -1: there was none
};

Refined refine(const Model& model, Judge& judge, const RefineSettings& settings);

}  // namespace hri::rl
