// SPDX-License-Identifier: Apache-2.0

// The existential pebble game. Freeze the metarule's body: its variables become constants. Spoiler
// puts up to k pebbles on them, one at a time, and Duplicator answers each in the world so that the
// atoms between pebbles carry over. If Duplicator can go on for ever from the head, whatever a
// positive program with k variables per rule derives of the frozen head it derives of the answer:
// by induction on proofs, each rule is an assignment of k pebbles.

#include "base/index.hpp"
#include "hypotheses/expressivity/metarule.hpp"
#include "hypotheses/expressivity/query.hpp"

#include <algorithm>

namespace hri {
namespace {

using expressivity::Query;
using expressivity::QueryAtom;

constexpr int kFree = -1;

using base::at;

class PebbleGame {
  public:
    PebbleGame(const Metarule& metarule, const Instance& world, int pebbles)
        : query_(expressivity::query_of(metarule)), world_(world), pebbles_(pebbles) {
        const std::vector<PredicateSymbol> predicates = expressivity::predicates_of(metarule);
        for (const MetaAtom& atom : metarule.body) {
            const auto found = std::find_if(
                predicates.begin(), predicates.end(),
                [&atom](const PredicateSymbol& p) { return p.name == atom.predicate; });
            input_of_.push_back(static_cast<std::size_t>(found - predicates.begin()));
        }
        for (const std::int8_t v : query_.head) {
            elements_ = std::max(elements_, v + 1);
        }
        for (const QueryAtom& atom : query_.atoms) {
            elements_ = std::max({elements_, atom.first + 1, atom.second + 1});
        }
    }

    bool separates(const std::vector<int>& answer) {
        std::vector<int> start(at(elements_), kFree);
        for (std::size_t i = 0; i < query_.head.size(); ++i) {
            int& image = start[at(query_.head[i])];
            if (image != kFree && image != answer[i]) {
                return false;
            }
            image = answer[i];
        }
        return !holds_whole(start, 0) && duplicator_wins(start);
    }

  private:
    /// Whether the atoms whose arguments are all placed hold in the world.
    bool respects(const std::vector<int>& placed) const {
        return std::all_of(query_.atoms.begin(), query_.atoms.end(), [&](const QueryAtom& atom) {
            const int first = atom.first < 0 ? 0 : placed[at(atom.first)];
            const int second = atom.second < 0 ? 0 : placed[at(atom.second)];
            const std::vector<Fact>& facts = world_.facts[input_of_[at(atom.symbol)]];
            return first == kFree || second == kFree ||
                   std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
                       return fact.first == first && fact.second == second;
                   });
        });
    }

    /// Whether the whole body can be placed.
    bool holds_whole(std::vector<int>& placed, int next) const {
        if (next == elements_) {
            return respects(placed);
        }
        if (placed[at(next)] != kFree) {
            return holds_whole(placed, next + 1);
        }
        bool holds = false;
        for (int c = 0; c < world_.constants && !holds; ++c) {
            placed[at(next)] = c;
            holds = holds_whole(placed, next + 1);
        }
        placed[at(next)] = kFree;
        return holds;
    }

    std::size_t number_of(const std::vector<int>& placed) const {
        std::size_t number = 0;
        for (const int image : placed) {
            number = number * at(world_.constants + 1) + at(image + 1);
        }
        return number;
    }

    std::vector<int> placed_of(std::size_t number) const {
        std::vector<int> placed(at(elements_));
        for (std::size_t i = placed.size(); i-- > 0;) {
            placed[i] = static_cast<int>(number % at(world_.constants + 1)) - 1;
            number /= at(world_.constants + 1);
        }
        return placed;
    }

    /// Strikes out positions from which Duplicator loses until none is left.
    bool duplicator_wins(const std::vector<int>& start) {
        std::size_t positions = 1;
        for (int e = 0; e < elements_; ++e) {
            positions *= at(world_.constants + 1);
        }
        alive_.assign(positions, 0);
        for (std::size_t i = 0; i < positions; ++i) {
            const std::vector<int> placed = placed_of(i);
            alive_[i] = used(placed) <= pebbles_ && respects(placed) ? 1 : 0;
        }
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t i = 0; i < positions; ++i) {
                if (alive_[i] != 0 && !can_go_on(placed_of(i))) {
                    alive_[i] = 0;
                    changed = true;
                }
            }
        }
        return alive_[number_of(start)] != 0;
    }

    int used(const std::vector<int>& placed) const {
        return elements_ - static_cast<int>(std::count(placed.begin(), placed.end(), kFree));
    }

    /// Pebbles may be lifted, and put on any element while there are some.
    bool can_go_on(std::vector<int> placed) const {
        const bool pebble_left = used(placed) < pebbles_;
        for (int& image : placed) {
            const int before = image;
            bool answered = before == kFree && !pebble_left;
            if (before != kFree) {
                image = kFree;
                answered = alive_[number_of(placed)] != 0;
            }
            for (int c = 0; before == kFree && c < world_.constants && !answered; ++c) {
                image = c;
                answered = alive_[number_of(placed)] != 0;
            }
            image = before;
            if (!answered) {
                return false;
            }
        }
        return true;
    }

    Query query_;
    const Instance& world_;
    int pebbles_;
    int elements_ = 0;                   // of the frozen body
    std::vector<std::size_t> input_of_;  // [symbol]
    std::vector<char> alive_;            // [position]
};

}  // namespace

bool separates(const Instance& world, const std::vector<int>& answer, const Metarule& metarule,
               int variables) {
    return PebbleGame(metarule, world, variables).separates(answer);
}

Instance three_colours(const Metarule& metarule) {
    Instance world = make_instance(make_schema(expressivity::predicates_of(metarule)), 3);
    for (std::size_t p = 0; p < world.facts.size(); ++p) {
        for (int x = 0; x < 3; ++x) {
            for (int y = 0; y < 3; ++y) {
                if (world.inputs()[p].arity == 2 ? x != y : y == 0) {
                    world.facts[p].push_back({x, y});
                }
            }
        }
    }
    return world;
}

}  // namespace hri
