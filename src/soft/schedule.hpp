// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schedule of a run of inference, as a plain value: which pairs of predicates in which step for
// which rules, when predicates converge, and what the target still depends on. Scheduler makes it
// from the unification scores, to_text() prints it.
//
//   for (int s = 1; s <= steps; ++s)
//     pairs of schedule.converging(s): their pooled sum holds for step s and all later ones
//     pairs of schedule.changing(s):   their pooled sum holds for step s alone

#include "soft/kernels/kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hri::soft {

/// Some of the rules. The masks have a bit for each, shared by every 64th: whether one of them is
/// in the set, and whether one is not.
struct RuleSet {
    std::vector<char> has;  // (rules)
    std::uint64_t some_in = 0;
    std::uint64_t some_out = 0;

    static std::uint64_t bit_of(int rule) { return std::uint64_t(1) << (rule % 64); }

    void clear(int rules);

    void add(int rule) { has[static_cast<std::size_t>(rule)] = 1; }

    void update_masks();  // after the last change

    bool operator[](int rule) const { return has[static_cast<std::size_t>(rule)] != 0; }
};

/// Two predicates whose conjunction AND(P, Q) counts for some rule. Its terms are the rules that
/// take the product, then those that take its maxima over the first axis, then its maximum over
/// both.
struct Pair {
    int left;  // predicates
    int right;
    int left_view;  // through which the shape's kernels read them
    int right_view;
    int first;   // of its terms, in Schedule::terms
    int direct;  // how many terms of each kind
    int reduced;
    int total;
    Shape shape;
    int converged_after;  // the step after which neither side changes
    std::uint64_t rules;  // of its terms, as in the masks of RuleSet

    int terms() const { return direct + reduced + total; }

    bool is_vector() const { return shape == Shape::column || shape == Shape::row; }

    /// The right side is its view's maxima over the first axis.
    bool right_is_maxima() const { return shape == Shape::outer || shape == Shape::row; }
};

/// Pairs from `first` to before `last`.
struct PairRange {
    std::size_t first;
    std::size_t last;

    bool empty() const { return first >= last; }
};

/// Candidates of a slot, ascending.
struct Candidates {
    const int* first;
    const int* last;

    const int* begin() const { return first; }

    const int* end() const { return last; }
};

/// The terms of a pair whose rules are in some set, and how many there are of each kind.
template <class Real>
struct LiveTerms {
    const Weighted<Real>* terms;
    int direct;
    int reduced;
    int total;

    int count() const { return direct + reduced + total; }
};

template <class Real>
struct Schedule {
    static constexpr int kNever = std::numeric_limits<int>::max();

    int steps = 0;  // below 0: until nothing changes
    int first_auxiliary = 0;
    /// The first predicate whose gradient backward computes. It is first_auxiliary, or less where
    /// inputs are computed by something in front of this inference: a lower layer, or a network
    /// whose outputs are the facts.
    int first_gradient = 0;
    std::vector<int> candidates;       // by slot: scores that count, of predicates that are not 0
    std::vector<int> candidates_from;  // (slots + 1): into candidates
    std::vector<Pair> pairs;           // ordered by converged_after
    std::vector<Weighted<Real>> terms;
    std::vector<int> converged_after;  // (predicates): the step after which it does not change
    std::vector<int> converged_pairs;  // [t]: how many pairs have converged after step t
    // (step): rules whose value after it the target depends on; those of them whose value is
    // computed in it; those computed in it or in a later step. Without an end of steps there is one
    // set for all.
    std::vector<RuleSet> needed, computed, needed_later;

    const RuleSet& needed_at(int s) const { return at(needed, s); }

    const RuleSet& computed_at(int s) const { return at(computed, s); }

    const RuleSet& needed_later_at(int s) const { return at(needed_later, s); }

    /// Pairs that change no more from step s on, but did before it.
    PairRange converging(int s) const { return {converged_by(s - 2), converged_by(s - 1)}; }

    /// Pairs that step s computes for itself alone. In the first step all auxiliaries are 0.
    PairRange changing(int s) const {
        return {converged_by(s - 1), s > 1 ? pairs.size() : converged_by(s - 1)};
    }

    bool has_gradient(int predicate) const { return predicate >= first_gradient; }

    Candidates candidates_of(int slot) const {
        const auto i = static_cast<std::size_t>(slot);
        return {candidates.data() + candidates_from[i], candidates.data() + candidates_from[i + 1]};
    }

    /// The same, of one predicate or (-1) of all.
    Candidates candidates_of(int slot, int predicate) const {
        const Candidates all = candidates_of(slot);
        if (predicate < 0)
            return all;
        const auto range = std::equal_range(all.first, all.last, predicate);
        return {range.first, range.second};
    }

    /// In place where all rules of the pair are live, otherwise copied to `room`.
    LiveTerms<Real> live_terms(const Pair& pair, const RuleSet& live, Weighted<Real>* room) const {
        const Weighted<Real>* from = terms.data() + pair.first;
        if ((pair.rules & live.some_out) == 0)
            return {from, pair.direct, pair.reduced, pair.total};
        if ((pair.rules & live.some_in) == 0)
            return {from, 0, 0, 0};
        Weighted<Real>* to = room;
        const auto take = [&](int count) {
            const Weighted<Real>* before = to;
            for (const Weighted<Real>* end = from + count; from != end; ++from)
                if (live[from->rule])
                    *to++ = *from;
            return static_cast<int>(to - before);
        };
        const int direct = take(pair.direct);
        const int reduced = take(pair.reduced);
        return {room, direct, reduced, take(pair.total)};
    }

  private:
    static const RuleSet& at(const std::vector<RuleSet>& sets, int s) {
        return sets[std::min(static_cast<std::size_t>(s), sets.size() - 1)];
    }

    std::size_t converged_by(int t) const {
        const auto last = static_cast<int>(converged_pairs.size()) - 2;
        return t < 0 ? 0
                     : static_cast<std::size_t>(
                           converged_pairs[static_cast<std::size_t>(std::min(t, last))]);
    }
};

/// One line for each predicate, step and pair, with the numbers of predicates and rules.
template <class Real>
std::string to_text(const Schedule<Real>& schedule);

}  // namespace hri::soft
