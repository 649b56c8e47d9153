// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks in stacks on a floor; a move takes the top of a stack onto another one or to the floor.
//
//   Blocksworld world(Blocksworld::Goal::unstack, {{1, 2, 3, 4}});     // the tower [a b c d]
//
// Constants: the floor is 0, blocks a, b, ... are 1, 2, ...
// Facts, in this order: top(X), floor(X), on(X,Y), and for the goal `on` goal_on(a,b).
// Moves: move(X,Y) for all pairs with X != Y, the floor included.

#include "rl/puzzle.hpp"

#include <optional>
#include <vector>

namespace hri::rl {

/// Stacks, each from the bottom up.
using Stacks = std::vector<std::vector<int>>;

class Blocksworld final : public Puzzle {
  public:
    enum class Goal {
        unstack,  ///< every block on the floor
        stack,    ///< all blocks in one stack
        on,       ///< a on b
    };
    static constexpr int kFloor = 0;

    Blocksworld(Goal goal, Stacks start);
    /// A random start of so many blocks in every episode.
    Blocksworld(Goal goal, int blocks);

    std::string text() const override;
    std::vector<PictureBox> picture() const override;

    const Stacks& stacks() const { return stacks_; }

    bool goal_reached() const override;

    static const SharedSchema& schema(Goal goal);
    /// "[a b][c]", bottom first; throws Error unless it holds a, b, ... once each.
    static Stacks parse(const std::string& text);
    static std::string to_text(const Stacks& stacks);
    static Stacks tower(int blocks);
    static Stacks singles(int blocks);

  private:
    void begin(Random& random) override;
    bool apply(int action) override;
    void write(Instance& facts) const override;

    /// The time limit empties the state.
    void end() override { stacks_.clear(); }

    Goal goal_;
    int blocks_;
    std::optional<Stacks> start_;
    Stacks stacks_;
};

/// Shuffled blocks, one after the other on a stack or the floor, each place as likely as the
/// others.
Stacks random_stacks(int blocks, Random& random);

/// The least number of moves to the goal, by breadth-first search; for a few blocks only.
std::optional<int> fewest_moves(Blocksworld::Goal goal, const Stacks& start);

}  // namespace hri::rl
