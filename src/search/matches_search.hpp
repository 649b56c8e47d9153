// SPDX-License-Identifier: Apache-2.0
#pragma once

// Search over the matches of a hierarchy, for any objective.
//
// The incumbent is changed in a slot or some; the change stays if the cost does not grow, or, in
// simulated annealing, if it does not grow by much. search_program() does so for programs that
// explain instances. One slot is changed at a time. Slots that the target does not reach drift
// freely. The objective is the weighted errors on a small working set of training instances. When
// the working set is explained, an instance that the program gets wrong joins it; when none is
// found, the program is made shorter in the same way. Where nothing explains the data, a tolerant
// search looks at all of them at once and weighs errors against length, by simulated annealing.

#include "hri/data.hpp"
#include "hri/random.hpp"

#include "hypotheses/program_space.hpp"
#include "search/instance_state.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace hri::search {

/// The objective that a search over matches minimises.
class MatchesObjective {
  public:
    virtual ~MatchesObjective() = default;
    /// The cost of a candidate. It may stop with any larger number once that is more than `max`.
    virtual double cost(const Candidate& candidate, double max) = 0;

    /// The candidate that was asked for last is the incumbent from now on.
    virtual void accept(const Candidate& /*candidate*/) {}

    /// There is no incumbent any more.
    virtual void forget() {}
};

/// Changes to the incumbent.
class MatchesMoves {
  public:
    virtual ~MatchesMoves() = default;

    struct Change {
        std::vector<std::pair<int, int>> before;  ///< slots with their old matches, as they changed
        int auxiliary = -1;  ///< the only one whose rule was changed; -1: the target's slot
        bool reaches_the_same = false;
        bool is_judged = true;  ///< false: the program means the same, and is taken

        void set(Matches& matches, int slot, int predicate) {
            int& match = matches[static_cast<std::size_t>(slot)];
            before.emplace_back(slot, match);
            match = predicate;
        }
    };

    /// Changes the matches and says how, into a change that is as after its construction.
    virtual void change(Matches& matches, const hypotheses::Reached& reached, Random& random,
                        Change& change) = 0;
};

class MatchesSearch {
  public:
    MatchesSearch(const hypotheses::ProgramSpace& space, MatchesObjective& objective,
                  MatchesMoves& moves, Random& random)
        : space_(space), objective_(objective), moves_(moves), random_(random) {}

    /// Begins, or begins anew, at these matches.
    void start(Matches matches);
    /// Tries one change. A loss x is taken with probability exp(-x / heat).
    void step(double heat);

    const Matches& matches() const { return matches_; }

    const hypotheses::Reached& reached() const { return reached_; }

    double cost() const { return cost_; }

    /// Candidates whose cost was asked for, those of start() aside.
    std::int64_t trials() const { return trials_; }

  private:
    const hypotheses::ProgramSpace& space_;
    MatchesObjective& objective_;
    MatchesMoves& moves_;
    Random& random_;
    Matches matches_;  // the incumbent, save in the middle of step()
    hypotheses::Reached reached_;
    hypotheses::Reached trial_reached_;
    MatchesMoves::Change change_;
    double cost_ = 0;
    std::int64_t trials_ = 0;
};

/// Probabilities of a slot's candidates: [slot][candidate], each row sums to 1. Empty:
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
    /// False of programs that explain the data and must not be the result; empty: all may.
    std::function<bool(const Matches&)> is_allowed = {};
};

struct SearchResult {
    Matches matches;              ///< the best program met
    std::vector<Matches> others;  ///< of a tolerant search: what it ended at before it began anew
    std::int64_t trials = 0;
};

SearchResult search_program(const hypotheses::ProgramSpace& space, const Source& training,
                            const SearchSettings& settings);

}  // namespace hri::search
