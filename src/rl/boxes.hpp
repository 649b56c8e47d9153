// SPDX-License-Identifier: Apache-2.0
#pragma once

// Locked boxes that hold the keys to each other; the goal is to have them all open. The target is
// unary, and its rule joins two boxes: open(Y) :- opened(X), key_to(X,Y), closed(Y).
//
//   Boxes world(Boxes::parse("*a:b b:c,d c d"));   // a is open and holds the key to b, ...
//
// Facts, in this order: opened(X), closed(X), key_to(X,Y).

#include "rl/puzzle.hpp"

#include <optional>
#include <vector>

namespace hri::rl {

struct BoxesState {
    std::vector<bool> opened;
    std::vector<std::vector<int>> keys;  ///< [box]: the boxes that the keys in it open
};

class Boxes final : public Puzzle {
  public:
    explicit Boxes(BoxesState start);
    /// A random tree of so many boxes in every episode, its root open.
    explicit Boxes(int boxes);

    std::string text() const override;
    std::vector<PictureBox> picture() const override;

    static const SharedSchema& schema();
    /// Throws Error.
    static BoxesState parse(const std::string& text);
    /// a holds the key to b, b that to c, ...; a is open.
    static BoxesState chain(int boxes);

  private:
    void begin(Random& random) override;
    bool goal_reached() const override;
    /// Opening takes a key in an open box.
    bool apply(int action) override;
    void write(Instance& facts) const override;

    int boxes_;
    std::optional<BoxesState> start_;
    BoxesState state_;
};

}  // namespace hri::rl
