// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks in stacks on a floor; a move takes the top of a stack onto another one or to the floor.
//
//   Blocksworld world(Blocksworld::Goal::unstack, {{1, 2, 3, 4}});     // the tower [a b c d]
//
// Constants: the floor is 0, blocks a, b, ... are 1, 2, ...
// Facts, in this order: top(X), floor(X), on(X,Y), and for the goal `on` goal_on(a,b).

#include "hri/rl.hpp"

#include <optional>
#include <vector>

namespace hri::rl {

/// Stacks, each from the bottom up.
using Stacks = std::vector<std::vector<int>>;

class Blocksworld final : public Environment {
  public:
    enum class Goal {
        unstack,  ///< every block on the floor
        stack,    ///< all blocks in one stack
        on,       ///< a on b
    };
    static constexpr int kFloor = 0;
    static constexpr int kStepLimit = 50;
    static constexpr double kStepReward = -0.02;

    Blocksworld(Goal goal, Stacks start);
    /// A random start of so many blocks in every episode.
    Blocksworld(Goal goal, int blocks);

    void reset(Random& random) override;

    const Instance& facts() const override { return facts_; }

    /// move(X,Y) for all pairs with X != Y, the floor included.
    const std::vector<int>& actions() const override { return actions_; }

    /// The reward is that of the state before the move: 1 where the goal is reached already, 0
    /// where the time is up (which empties the state), else -0.02. A move that is impossible
    /// changes nothing and takes a step too.
    StepResult step(int action) override;
    std::string text() const override;

    const Stacks& stacks() const { return stacks_; }

    bool goal_reached() const;

    static const SharedSchema& schema(Goal goal);
    /// "[a b][c]", bottom first; throws Error unless it holds a, b, ... once each.
    static Stacks parse(const std::string& text);
    static std::string to_text(const Stacks& stacks);
    static Stacks tower(int blocks);
    static Stacks singles(int blocks);

  private:
    void write_facts();

    Goal goal_;
    int blocks_;
    std::optional<Stacks> start_;
    Stacks stacks_;
    int steps_ = 0;
    Instance facts_;
    std::vector<int> actions_;
};

/// Shuffled blocks, one after the other on a stack or the floor, each place as likely as the
/// others.
Stacks random_stacks(int blocks, Random& random);

/// The least number of moves to the goal, by breadth-first search; for a few blocks only.
std::optional<int> fewest_moves(Blocksworld::Goal goal, const Stacks& start);

}  // namespace hri::rl
