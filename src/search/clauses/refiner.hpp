// SPDX-License-Identifier: Apache-2.0
#pragma once

// All clauses with one literal more than a given one.

#include "search/clauses/bindings.hpp"

#include <functional>
#include <unordered_set>
#include <utility>

namespace hri::search {

struct ClauseNode {
    Body body;
    std::vector<int> types;   ///< of variables, the head's first
    std::uint64_t bound = 0;  ///< variables that have a value when the body is run from left to
                              ///< right; others are head arguments that no literal produced yet
    int positives = 0;
    int negatives = 0;
    double promise = 0;
    bool truncated = false;
    std::uint64_t form = 0;     ///< hash of its canonical form
    std::uint64_t meaning = 0;  ///< hash of its bindings
    std::vector<std::uint64_t> covered;
};

struct RefinerLimits {
    std::size_t max_rows = 100;  ///< of an example
    std::size_t all_rows = 200'000;
    int min_positives = 1;
    std::int64_t max_tests = 0;  ///< of an enumeration; 0: no limit
    BodyVerdict verdict = {};    ///< of an enumeration
};

struct RefinerCounts {
    std::int64_t tested = 0;      ///< joins made
    std::int64_t duplicates = 0;  ///< clauses that were met before, in another order or naming
    std::int64_t rows = 0;
};

ClauseNode root_node(const Language& language, const SearchExamples& examples);

class Refiner {
  public:
    Refiner(const evaluation::DatabaseIndex& index, const Language& language,
            const SearchExamples& examples, RefinerLimits limits)
        : index_(index), language_(language), examples_(examples), limits_(std::move(limits)) {}

    /// Calls `take` with each clause of one literal more that covers enough positive examples, says
    /// more than the given one, and whose form `met` does not hold.
    void refine(const ClauseNode& node, const std::unordered_set<std::uint64_t>& met,
                const std::function<void(ClauseNode&&)>& take);

    /// The body with each threshold where it parts the examples best, all else being equal.
    Body with_best_thresholds(Body body);

    const RefinerCounts& counts() const { return counts_; }

    /// Forms of all clauses that the last call tested.
    const std::unordered_set<std::uint64_t>& tested() const { return own_; }

  private:
    void by_predicate(const ClauseNode& node, int predicate);
    void arguments(const ClauseNode& node, int predicate, int argument, BodyLiteral& literal,
                   int fresh, bool linked);
    void by_constants(const ClauseNode& node, const BodyLiteral& literal, std::uint32_t places,
                      int fresh);
    void by_thresholds(const ClauseNode& node);
    void split(const ClauseNode& node, std::int32_t variable, bool upper);
    std::vector<std::int32_t> thresholds(std::int32_t variable, bool upper) const;
    void consider(const ClauseNode& node, const BodyLiteral& literal, int fresh);

    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    const SearchExamples& examples_;
    RefinerLimits limits_;
    RefinerCounts counts_;
    const std::unordered_set<std::uint64_t>* met_ = nullptr;
    std::unordered_set<std::uint64_t> own_;  // forms of this node's children
    const std::function<void(ClauseNode&&)>* take_ = nullptr;
    Bindings rows_;     // of the given clause
    Bindings longer_;   // of the one with a literal more
    Bindings grouped_;  // to choose constants from
};

}  // namespace hri::search
