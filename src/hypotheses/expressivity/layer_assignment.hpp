// SPDX-License-Identifier: Apache-2.0
#pragma once

// A search for the auxiliaries that say a program, one piece each, smaller models first.

#include "hri/options.hpp"
#include "hri/protorules.hpp"

#include "hypotheses/expressivity/subqueries.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hri::expressivity {

/// Puts auxiliaries into the layers of a hierarchy.
class Placement {
  public:
    struct Node {
        Item item;
        int layer = 1;
        int protorule = 0;
        std::vector<int> fillers;  // predicates: kGiven + True, False, inputs; else nodes
        std::vector<bool> pieces;  // [slot]: the filler is a piece of what this one means
    };

    static constexpr int kGiven = -1000;

    Placement(Pieces& pieces, const ProtoRules& rules, const Options& options, std::int64_t tries);

    /// The nodes, the target's first; empty where there is no room.
    std::vector<Node> find();

    bool gave_up() const { return left_ <= 0; }

  private:
    struct Open {
        int node;
        std::size_t slot;
        Item item;
        bool piece;  // else it stands for a predicate of the program, which may call this one
    };

    /// The highest layer that a slot of a node may match; its own layer stands for itself alone
    /// under iso-recursion.
    int sees(const Node& node, std::size_t slot) const;

    bool visible(int from, std::size_t slot, int to) const;

    bool has_room(int layer, int r) const;

    /// Whether what is open needs more auxiliaries than may be placed.
    bool too_many() const;

    /// The lowest layer that sees the recursive predicates that the item calls, once they have
    /// their place. They have one: a second would say the same.
    int lowest(const Item& item);

    /// Whether the slot's node is itself a piece of an auxiliary with that meaning.
    bool says_nothing_new(const Open& open) const;

    /// Fills what is open.
    bool fill();

    /// Whether one is the other, or a piece of a piece ... of it is: a piece of itself says
    /// nothing.
    bool consists_of(int node, int part) const;

    /// One more auxiliary with that meaning, in one of these layers, and all that follows.
    bool place(const Item& item, int lowest, int highest);

    bool place(const Item& item, int layer, const Pieces::Way& way, const Item& rest);

    bool add(const Item& item, int layer, const Pieces::Way& way,
             const std::optional<Item>& disjunct);

    void want(int node, std::size_t slot, const Item& item);

    Pieces& pieces_;
    const ProtoRules& rules_;
    const Options& options_;
    std::int64_t left_;
    bool has_disjuncts_ = false;
    int max_auxiliaries_ = 1;  // auxiliaries
    bool cut_ = false;         // more of them might have helped
    std::vector<Node> nodes_;
    std::vector<Open> open_;
};

}  // namespace hri::expressivity
