// SPDX-License-Identifier: Apache-2.0
#pragma once

// Local search over the programs of a hierarchy.
//
// One slot is changed at a time; the change stays if the weighted errors on a small working set of
// training instances do not grow. Slots that the target does not reach drift freely. When the
// working set is explained, an instance that the program gets wrong joins it; when none is found,
// the program is made shorter in the same way. Where nothing explains the data, a tolerant search
// looks at all of them at once and weighs errors against length, by simulated annealing.

#include "hri/data.hpp"
#include "hri/random.hpp"

#include "hypotheses/program_space.hpp"
#include "search/instance_state.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace hri::search {

/// How likely a slot's candidates are to be tried: [slot][candidate], each row sums to 1. Empty:
/// all alike.
using Proposals = std::vector<std::vector<double>>;

struct SearchSettings {
    std::uint64_t seed = 0;
    std::int64_t trials = 100'000;   ///< programs judged at most
    std::int64_t shrink = 5'000;     ///< programs judged to make a fitting one shorter
    const Matches* start = nullptr;  ///< nullptr: at random
    const Proposals* proposals = nullptr;
    bool tolerant = false;  ///< for data with errors: every change is judged on all instances, and
                            ///< the end is the least description length, of program and errors
    std::function<bool()> stop = {};  ///< asked now and then
};

struct SearchResult {
    Matches matches;              ///< the best program met
    std::vector<Matches> others;  ///< of a tolerant search: what it ended at before it began anew
    bool fits = false;            ///< no error on any training instance looked at
    double cost = 0;              ///< weighted errors on the last working set, per example
    std::int64_t trials = 0;
};

SearchResult search_program(const hypotheses::ProgramSpace& space, const Source& training,
                            const SearchSettings& settings);

}  // namespace hri::search
