// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of a long run, as text: a resumed run goes on from it.

#include "hri/learn.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::learning {

/// The work that a run has done.
struct Tally {
    int round = 0;    ///< rounds done; gradient: restarts done without a fit
    int planned = 0;  ///< units
    int trained = 0;  ///< of them training runs
    int restarts = 0;
    int fitting = 0;
    std::int64_t trials = 0;
    std::int64_t iterations = 0;
    std::int64_t work = 0;
    std::int64_t first_fit_work = 0;
    std::int64_t best_work = 0;  ///< when the best was found
};

/// After whole rounds of a portfolio, or after training restarts.
struct Checkpoint {
    Tally tally;
    int best = -1;         ///< portfolio: the level of the best program; gradient: its restart
    Matches best_matches;  ///< portfolio
    std::vector<std::string> alternatives;  ///< as Prolog
    std::vector<std::string> met;           ///< programs, in the paper's notation
};

/// The file of Errors about a checkpoint, which comes as text.
constexpr const char* kCheckpointPlace = "<checkpoint>";

/// The checkpoint with the identity of its run, so that no other run resumes from it.
std::string to_text(const Checkpoint& checkpoint, const Problem& problem, const Options& options,
                    const LearnSettings& settings);

/// settings.resume as a checkpoint. Throws Error where it is damaged or was made by a run over
/// other data or with other settings.
Checkpoint read_checkpoint(const Problem& problem, const Options& options,
                           const LearnSettings& settings);

}  // namespace hri::learning
