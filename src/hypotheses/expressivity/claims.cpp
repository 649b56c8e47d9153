// SPDX-License-Identifier: Apache-2.0

// Claims of the paper beyond clauses of two body atoms, checked by exhaustion.

#include "hri/expressivity.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

namespace hri {
namespace {

using base::at;

/// All bodies under a head, up to the names of variables and the order of arguments: an atom is the
/// set of its one or two variables, as bits.
class Bodies {
  public:
    Bodies(int atoms, unsigned head, int arity) : sets_(at(atoms)), head_(head), arity_(arity) {}

    void run(int known, Joins& out) { extend(0, known, out); }

  private:
    void extend(std::size_t next, int known, Joins& out) {
        if (next == sets_.size()) {
            ++out.bodies;
            out.joined += is_joined() ? 1 : 0;
            return;
        }
        for (int first = 0; first <= known; ++first) {
            const int after = std::max(known, first + 1);
            for (int second = first; second <= after; ++second) {
                sets_[next] = 1U << first | 1U << second;
                extend(next + 1, std::max(after, second + 1), out);
            }
        }
    }

    /// Variables that part and rest, or part and head, have in common.
    int border(unsigned part) const {
        unsigned inside = 0;
        unsigned outside = head_;
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            ((part >> i & 1U) != 0 ? inside : outside) |= sets_[i];
        }
        return std::popcount(inside & outside);
    }

    /// [part]: whether joins of two make it, each result of at most that arity.
    bool is_joined() const {
        const unsigned all = (1U << sets_.size()) - 1;
        std::vector<char> made(all + 1, 0);
        for (unsigned part = 1; part <= all; ++part) {
            if (std::has_single_bit(part)) {
                made[part] = 1;
                continue;
            }
            if (border(part) > arity_) {
                continue;
            }
            for (unsigned half = (part - 1) & part; half > 0 && made[part] == 0;
                 half = (half - 1) & part) {
                made[part] = static_cast<char>(made[half] & made[part & ~half]);
            }
        }
        return made[all] != 0;
    }

    std::vector<unsigned> sets_;
    unsigned head_;
    int arity_;
};

/// A relation over so many constants: its cells in row-major order, as bits.
struct Relation {
    int arity = 0;
    unsigned cells = 0;
};

bool holds(const Relation& relation, const std::vector<int>& arguments,
           const std::vector<int>& values, int constants) {
    int cell = 0;
    for (int i = 0; i < relation.arity; ++i) {
        cell = cell * constants + values[at(arguments[at(i)])];
    }
    return (relation.cells >> cell & 1U) != 0;
}

/// Whether the proto-rule holds of 0 (or of (0,0)).
bool holds_of_zero(const ProtoRule& rule, const std::vector<Relation>& slots, int constants) {
    constexpr std::size_t kVariables = 6;
    std::vector<int> values(kVariables, 0);
    const auto all = [&](const std::vector<ProtoAtom>& atoms, std::size_t first) {
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            if (!holds(slots[first + i], atoms[i].arguments, values, constants)) {
                return false;
            }
        }
        return !atoms.empty();
    };
    for (unsigned code = 0; code < 1U << kVariables; ++code) {
        bool possible = true;
        for (std::size_t v = 0; v < kVariables; ++v) {
            values[v] = static_cast<int>(code >> v & 1U);
            possible = possible && values[v] < constants;
        }
        for (const int v : rule.head) {
            possible = possible && values[at(v)] == 0;
        }
        if (possible && (all(rule.body, 0) || all(rule.disjunct, rule.body.size()))) {
            return true;
        }
    }
    return false;
}

/// Tries all relations for the slots from this one on: over {0}, and over {0, 1} whatever holds of
/// 0 still does.
bool keeps(const ProtoRule& rule, std::vector<Relation>& small, std::vector<Relation>& large) {
    const std::size_t slot = small.size();
    if (slot == at(rule.slots())) {
        return !holds_of_zero(rule, small, 1) || holds_of_zero(rule, large, 2);
    }
    const ProtoAtom& atom =
        slot < rule.body.size() ? rule.body[slot] : rule.disjunct[slot - rule.body.size()];
    const int most = static_cast<int>(atom.arguments.size());
    for (int arity = atom.any_lower_arity ? 0 : most; arity <= most; ++arity) {
        for (unsigned cells = 0; cells < 1U << (1U << arity); ++cells) {
            for (unsigned of_zero = 0; of_zero <= (cells & 1U); ++of_zero) {
                small.push_back({arity, of_zero});
                large.push_back({arity, cells});
                const bool kept = keeps(rule, small, large);
                small.pop_back();
                large.pop_back();
                if (!kept) {
                    return false;
                }
            }
        }
    }
    return true;
}

}  // namespace

Joins joined_by_pairs(int body_atoms, int arity) {
    const auto start = std::chrono::steady_clock::now();
    Joins result;
    Bodies(body_atoms, 0b01, arity).run(1, result);
    Bodies(body_atoms, 0b11, arity).run(2, result);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

bool keeps_answers(const ProtoRules& rules) {
    return std::all_of(rules.begin(), rules.end(), [](const ProtoRule& rule) {
        std::vector<Relation> small;
        std::vector<Relation> large;
        return keeps(rule, small, large);
    });
}

}  // namespace hri
