// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a soft policy to a program that plays as well.
//
// The soft policy may rest on differences of a hundredth between valuations, which the argmax
// program loses. So the matches of the slots are improved one program at a time: some slots take
// another match, drawn from the unification scores that PPO has learned or from a plain prior, and
// the change stays if the program plays the training start no worse. Then matches that are not
// needed fall away.

#include "hri/rl.hpp"

#include <functional>
#include <vector>

namespace hri {

/// How a program plays the training start.
struct Trial {
    EpisodeScore first;    ///< one episode
    EpisodeScore uniform;  ///< several

    double score() const { return first.reward + uniform.reward; }
};

struct RefineSettings {
    int evaluations = 20'000;  ///< different programs that are tried at most
    std::uint64_t seed = 0;
    /// May stop short, with a score below `needed`, as soon as the program cannot reach it.
    std::function<Trial(const Program&, double needed)> play;
    std::function<bool(const Trial&)> best_possible;  ///< ends the search
    std::function<bool()> stopped;
};

struct Refined {
    Model model;  ///< its slots have exactly the embedding of their match
    Trial trial;
    int evaluations = 0;
};

/// The model with each slot's embedding replaced by that of the predicate it matches.
Model hardened(const Model& model, const std::vector<int>& matches);
/// The best match of each slot.
std::vector<int> best_matches(const Model& model);

Refined refine(const Model& model, const RefineSettings& settings);

}  // namespace hri
