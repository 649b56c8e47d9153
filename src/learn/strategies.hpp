// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/learn.hpp"

#include "learn/program_scorer.hpp"
#include "search/head_connected.hpp"

namespace hri::learning {

/// Seeds of restarts: far apart, and the first is the user's own.
std::uint64_t restart_seed(std::uint64_t seed, int restart);

/// The paper's method. Fills everything of the report but the evaluation.
Report learn_by_gradient(const Problem& problem, const Options& options,
                         const LearnSettings& settings, const ProgramScorer& judge,
                         const search::HeadConnector& connector);

/// Search, or search and training side by side.
Report learn_by_portfolio(const Problem& problem, const Options& options,
                          const LearnSettings& settings, const ProgramScorer& judge,
                          const search::HeadConnector& connector);

}  // namespace hri::learning
