// SPDX-License-Identifier: Apache-2.0
#pragma once

// Locked boxes that hold the keys to each other; the goal is to have them all open. The target is
// unary, and its rule joins two boxes: open(Y) :- opened(X), key_to(X,Y), closed(Y).
//
//   Boxes world(Boxes::parse("*a:b b:c,d c d"));   // a is open and holds the key to b, ...
//
// Facts, in this order: opened(X), closed(X), key_to(X,Y).

#include "hri/rl.hpp"

#include <optional>
#include <vector>

namespace hri::rl {

struct BoxesState {
    std::vector<bool> opened;
    std::vector<std::vector<int>> keys;  ///< [box]: the boxes that the keys in it open
};

class Boxes final : public Environment {
  public:
    static constexpr int kStepLimit = 50;

    explicit Boxes(BoxesState start);
    /// A random tree of so many boxes in every episode, its root open.
    explicit Boxes(int boxes);

    void reset(Random& random) override;

    const Instance& facts() const override { return facts_; }

    /// open(X) for every box.
    const std::vector<int>& actions() const override { return actions_; }

    /// Rewards as in Blocksworld: before the move, 1 where all boxes are open, else -0.02, 0 at the
    /// end of the time. Opening takes a key in an open box; anything else changes nothing.
    StepResult step(int action) override;
    std::string text() const override;

    static const SharedSchema& schema();
    /// Throws Error.
    static BoxesState parse(const std::string& text);
    /// a holds the key to b, b that to c, ...; a is open.
    static BoxesState chain(int boxes);

  private:
    void write_facts();

    int boxes_;
    std::optional<BoxesState> start_;
    BoxesState state_;
    int steps_ = 0;
    Instance facts_;
    std::vector<int> actions_;
};

}  // namespace hri::rl
