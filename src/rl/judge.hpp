// SPDX-License-Identifier: Apache-2.0
#pragma once

// Policies are judged by episodes: from the training start and from random starts that are no test
// starts. All policies meet the same starts and the same random numbers. An episode that cannot
// change the verdict is not played.
//
//   Judge judge(task, settings, seed);
//   PolicyValue value = judge.play(asks, least);   // stops where value.reward() cannot reach
//   `least`

#include "hri/rl.hpp"

#include "rl/state_table.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace hri::rl {

/// The value of a policy. Only moves that it asks for count: where it asks for none, the episode is
/// lost.
struct PolicyValue {
    double first = 0;               ///< from the training start, first choice
    double uniform = 0;             ///< from the training start, uniform choice
    double everywhere_first = 0;    ///< mean over random starts
    double everywhere_uniform = 0;  ///< mean over random starts
    int solved = 0;                 ///< starts from which the first choice reaches the goal
    bool complete = true;  ///< false: stopped; unplayed episodes count as the most reward, 1

    static constexpr double kParts = 6;  ///< episodes that reward() adds up

    /// The first choice counts twice: the published figures rest on it.
    double reward() const { return 2 * (first + everywhere_first) + uniform + everywhere_uniform; }
};

/// The states in which episodes may begin.
class Starts {
  public:
    Starts(const RlTask& task, const RlSettings& settings);

    Environment& training() const { return *training_; }

    /// Begins an episode at random, in a world of `size` things (0: as in training), at no test
    /// start. False where the task has no other starts.
    bool begin_anywhere(Environment& random, Random& numbers) const;
    /// For begin_anywhere; null where the task has the training start alone.
    std::unique_ptr<Environment> anywhere(int size = 0) const;

    /// Whether the same facts hold as in a test start, in whatever order.
    bool is_test(const Instance& facts) const { return tests_.count(sorted_key(facts)) > 0; }

  private:
    static StateKey sorted_key(const Instance& facts);

    const RlTask& task_;
    int size_;
    double failure_;
    std::unique_ptr<Environment> training_;
    std::set<StateKey> tests_;
};

class Judge {
  public:
    /// Whether the policy asks for each atom of the target in a state.
    using Asks = std::function<const std::vector<std::uint8_t>&(const Instance&)>;

    Judge(const Starts& starts, const RlSettings& settings, std::uint64_t seed);

    PolicyValue play(const Asks& asks, double least);

    /// All that was played.
    std::int64_t episodes() const { return episodes_; }

    int starts() const { return static_cast<int>(plays_.size()); }

    /// States of random play, from all starts, with as many constants as the first: at most so
    /// many.
    StateTable sample(int most);

    /// The most reward from the training start that any policy or episode has had.
    double best() const { return best_; }

    void saw(double reward) { best_ = reward > best_ ? reward : best_; }

  private:
    struct Play {
        Environment* environment;
        std::uint64_t seed;  // of a start that is no test start
    };

    Episode episode(const Play& play, const Asks& asks, Choice choice);
    /// The mean reward of plays from..to, as long as `worth_it` says so of sums and counts.
    bool part(std::size_t from, std::size_t to, const Asks& asks, Choice choice, double& mean,
              int* solved, const std::function<bool()>& worth_it);

    std::unique_ptr<Environment> anywhere_;
    std::vector<Play> plays_;
    std::size_t training_plays_ = 1;
    std::int64_t episodes_ = 0;
    double best_ = -1e9;
    StateTable met_;  // in the episode that runs
};

}  // namespace hri::rl
