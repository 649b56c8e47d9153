// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/growth_schedule.hpp"
#include "learn/strategies.hpp"
#include "search/proposals.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace hri::learning {

constexpr std::int64_t kIterationWork = 300;  ///< a training iteration in programs tried

/// One piece of a round's work: a search or a training run on one level of the hierarchy.
struct Unit {
    enum class Kind { search, train, retrain } kind = Kind::search;
    int level = 0;
    int round = 0;
    std::uint64_t seed = 0;
    int iterations = 0;      ///< of training
    bool tolerant = false;   ///< reckons with errors in the data
    bool among_few = false;  ///< looks at some of the inputs only
};

/// The place of a program: the slots of a level.
struct Found {
    int level = 0;
    Matches matches;
    Alternative judged;
};

struct Outcome {
    std::vector<Found> found;
    std::int64_t trials = 0;
    std::int64_t iterations = 0;

    std::int64_t work() const { return trials + kIterationWork * iterations; }
};

/// Programs without errors first, then by description length.
bool is_preferred(const Alternative& a, const Alternative& b);

/// The context that the units of a portfolio share.
struct UnitContext {
    const Problem& problem;
    const LearnSettings& settings;
    const ProgramScorer& judge;
    const search::HeadConnector& connector;
    const std::deque<HierarchySize>& levels;
    std::function<bool()> should_stop;
    std::function<void(double loss)> report_loss;
};

/// Does units. Several threads may use it at the same time.
class UnitRunner {
  public:
    explicit UnitRunner(UnitContext context);

    /// More inputs than most programs need: some searches look at some of them only.
    bool has_many_inputs() const;

    /// `start`: what a unit of kind retrain begins with. `threads`: of a training run.
    Outcome run(const Unit& unit, const Matches& start, int threads) const;

    Found judged(int level, const Matches& matches) const;

    /// A search's program, simplified and head-connected, with its score.
    Alternative connected(const Program& program) const;

  private:
    Options training_options(const Unit& unit) const;
    std::int64_t trials_of(const Unit& unit) const;
    Outcome search_among_few(const Unit& unit) const;
    Outcome search(const Unit& unit, std::int64_t trials, const Matches* start,
                   const search::Proposals* proposals) const;
    std::vector<Model> starts_of(const Unit& unit, const Matches& start) const;
    Outcome train(const Unit& unit, const Matches& start, int threads) const;

    const HierarchySize& level_of(const Unit& unit) const {
        return context_.levels[static_cast<std::size_t>(unit.level)];
    }

    UnitContext context_;
    std::vector<int> relevant_;  // inputs that tell about the target by themselves, if many
};

}  // namespace hri::learning
