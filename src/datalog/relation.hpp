// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sparse relations of any arity, and rules run over them to the fixpoint.
//
//   std::vector<Relation> relations;            // [predicate]
//   relations[edge].add({0, 1});
//   derive(rules, relations, {});               // reach(X,Y) :- edge(X,Z), reach(Z,Y). ...

#include "hri/logic.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace hri::datalog {

using Tuple = std::span<const std::int32_t>;

/// NamedTuples of constants without duplicates, in the order in which they came.
class Relation {
  public:
    static constexpr std::size_t kMaxArity = 32;

    explicit Relation(int arity = 0) : arity_(static_cast<std::size_t>(arity)) {}

    /// False where it is known already. Rounds must not decrease.
    bool add(Tuple tuple, int round = 0);
    bool contains(Tuple tuple) const;
    /// The round of a known tuple, or -1.
    int round_of(Tuple tuple) const;

    /// One more than the last round.
    int rounds() const { return static_cast<int>(first_row_.size()); }

    std::size_t size() const { return size_; }

    int arity() const { return static_cast<int>(arity_); }

    Tuple operator[](std::size_t row) const { return {cells_.data() + row * arity_, arity_}; }

    /// How many rows came before this round.
    std::size_t rows_before(int round) const;

    /// Calls `use(row)` for each row below `end` whose cells at the positions of `mask` are those
    /// of `like`, until it returns true. True if it did.
    template <class Use>
    bool any(std::uint32_t mask, Tuple like, std::size_t begin, std::size_t end, Use&& use) const {
        if (mask == 0) {
            for (std::size_t row = begin; row < end; ++row) {
                if (use(row)) {
                    return true;
                }
            }
            return false;
        }
        const std::vector<std::uint32_t>* rows = rows_like(mask, like);
        for (std::size_t i = 0; rows != nullptr && i < rows->size(); ++i) {
            const std::size_t row = (*rows)[i];
            if (row >= end) {
                break;
            }
            if (row >= begin && equal(mask, like, row) && use(row)) {
                return true;
            }
        }
        return false;
    }

  private:
    struct Index {
        std::size_t done = 0;  // rows that it knows
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> rows;
    };

    static constexpr std::uint32_t kNone = UINT32_MAX;

    static std::uint64_t hash(std::uint32_t mask, Tuple tuple);
    /// The row of a tuple, or kNone.
    std::uint32_t find(Tuple tuple) const;
    std::size_t slot_of(Tuple tuple) const;
    void grow();
    bool equal(std::uint32_t mask, Tuple like, std::size_t row) const;
    const std::vector<std::uint32_t>* rows_like(std::uint32_t mask, Tuple like) const;

    std::uint32_t everything() const {
        return arity_ >= 32 ? UINT32_MAX : (std::uint32_t{1} << arity_) - 1;
    }

    std::size_t arity_ = 0;
    std::size_t size_ = 0;
    std::vector<std::int32_t> cells_;
    std::vector<std::uint32_t> slots_;                // rows by their hash, with gaps of kNone
    std::vector<std::size_t> first_row_;              // [round]
    mutable std::map<std::uint32_t, Index> indices_;  // [mask], made when asked for
};

/// What a body's atoms may range over: the rows from `begin` to `end` of their relations.
struct Range {
    std::size_t begin = 0;
    std::size_t end = std::numeric_limits<std::size_t>::max();
};

constexpr std::int32_t kUnbound = -1;

/// Finds bindings of a body's variables. A rule's constants are those of the relations.
class Matcher {
  public:
    Matcher(const std::vector<Relation>& relations, std::int64_t& work)
        : relations_(relations), work_(work) {}

    /// Calls `found()` with `binding` [variable] complete for the body's variables, until it
    /// returns true or the work is used up; true if it did. Atoms without a range take every row.
    template <class Found>
    bool match(const std::vector<Atom>& body, const std::vector<Range>& ranges,
               std::vector<std::int32_t>& binding, Found&& found) {
        std::vector<bool> done(body.size(), false);
        return next(body, ranges, binding, done, body.size(), found);
    }

    /// Binds an atom's variables to a tuple; false where they disagree, and then nothing is bound.
    static bool bind(const Atom& atom, Tuple tuple, std::vector<std::int32_t>& binding,
                     std::vector<std::int32_t>& bound);

  private:
    template <class Found>
    bool next(const std::vector<Atom>& body, const std::vector<Range>& ranges,
              std::vector<std::int32_t>& binding, std::vector<bool>& done, std::size_t left,
              Found& found) {
        if (left == 0) {
            return found();
        }
        const std::size_t at = cheapest(body, ranges, binding, done);
        const Atom& atom = body[at];
        const Relation& relation = relations_[atom.predicate.id];
        const Range range = ranges.empty() ? Range{} : ranges[at];
        std::vector<std::int32_t> like(atom.arguments.size(), kUnbound);
        const std::uint32_t mask = known_cells(atom, binding, like);
        done[at] = true;
        std::vector<std::int32_t> bound;
        const bool stopped = relation.any(
            mask, like, range.begin, std::min(range.end, relation.size()), [&](std::size_t row) {
                if (--work_ < 0) {
                    return true;
                }
                bool stop = false;
                if (bind(atom, relation[row], binding, bound)) {
                    stop = next(body, ranges, binding, done, left - 1, found);
                }
                if (!stop) {
                    unbind(binding, bound);
                }
                return stop;
            });
        done[at] = false;
        return stopped && work_ >= 0;
    }

    static void unbind(std::vector<std::int32_t>& binding, std::vector<std::int32_t>& bound) {
        for (const std::int32_t variable : bound) {
            binding[static_cast<std::size_t>(variable)] = kUnbound;
        }
        bound.clear();
    }

    static std::uint32_t known_cells(const Atom& atom, const std::vector<std::int32_t>& binding,
                                     std::vector<std::int32_t>& like);
    std::size_t cheapest(const std::vector<Atom>& body, const std::vector<Range>& ranges,
                         const std::vector<std::int32_t>& binding,
                         const std::vector<bool>& done) const;

    const std::vector<Relation>& relations_;
    std::int64_t& work_;
};

struct DeriveLimits {
    std::int64_t tuples = 2'000'000;  ///< derived in all
    std::int64_t work = 200'000'000;  ///< rows looked at
};

/// Adds what the rules give, round by round, so that a tuple's round is the height of its lowest
/// proof. Every variable of a head occurs in its body. False where a limit was reached. Rounds
/// count from `first_round`, which is above those of all tuples.
bool derive(const std::vector<Rule>& rules, std::vector<Relation>& relations,
            const DeriveLimits& limits, int first_round = 1);

}  // namespace hri::datalog
