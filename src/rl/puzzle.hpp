// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts that the built-in environments share: rewards, the time limit, moves that fail.
//
// The reward is that of the state before the move: 1 where the goal is reached already, 0 where the
// time is up, else -0.02. A move that is impossible or fails changes nothing and takes a step too.

#include "hri/rl.hpp"

#include <vector>

namespace hri::rl {

class Puzzle : public Environment {
  public:
    static constexpr int kStepLimit = 50;
    static constexpr double kStepReward = -0.02;

    void reset(Random& random) final;

    const Instance& facts() const final { return facts_; }

    const std::vector<int>& actions() const final { return actions_; }

    StepResult step(int action) final;

    bool deterministic() const final { return failure_ == 0; }

    virtual bool goal_reached() const = 0;

    /// From the next episode on, each move fails with this probability. The failures of an episode
    /// are drawn when it begins.
    void set_failure(double probability) { failure_ = probability; }

  protected:
    /// The first state of an episode.
    virtual void begin(Random& random) = 0;
    /// False where the move is impossible: the state stays.
    virtual bool apply(int action) = 0;
    /// Into facts that are empty: constants, names and facts, in any order.
    virtual void write(Instance& facts) const = 0;

    /// The state after the time limit.
    virtual void end() {}

    /// The state is `begin()`'s: for constructors.
    void prepare();

    Instance facts_;

  private:
    void write_facts();
    void list_actions();

    std::vector<int> actions_;
    int steps_ = 0;
    double failure_ = 0;
    Random failures_{0};
};

}  // namespace hri::rl
