// SPDX-License-Identifier: Apache-2.0
#pragma once

// Clauses by size: every level holds those with one literal more. Of clauses that are the same up
// to names and order, or that hold of the examples in the same ways, the first stays.

#include "base/thread_pool.hpp"
#include "search/clauses/combine.hpp"
#include "search/clauses/refiner.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hri::search {

struct EnumerationCounts {
    std::int64_t tested = 0;
    std::int64_t duplicates = 0;
    std::int64_t equal = 0;
    std::int64_t rows = 0;
};

/// The state of an enumeration between two levels.
struct EnumerationState {
    std::vector<ClauseNode> frontier;
    std::vector<PoolClause> pool;
    std::vector<std::uint64_t> forms;  ///< ascending
    std::vector<std::uint64_t> meanings;
    EnumerationCounts counts;
    int level = 0;
    bool complete = true;
};

class Enumeration {
  public:
    Enumeration(const evaluation::DatabaseIndex& index, const Language& language,
                const SearchExamples& examples, RefinerLimits limits, int threads,
                std::function<bool()> stop, std::function<void(std::int64_t tested)> tell);

    /// Limits the tests of all levels together; 0: no limit. A level that it cuts can go on later.
    void limit_tests(std::int64_t most) { limits_.max_tests = most; }

    /// Refines the clauses of the last level. False where there are none, or where it was stopped.
    bool next_level();

    /// Keeps so many clauses of the level: half of them the most promising ones, half those that
    /// promise most for the positive examples of `open`.
    void keep(std::size_t count, const std::vector<std::uint64_t>& open);

    /// Forgets clauses of the level that take as many bits or more.
    void drop_longer(double bits);

    /// Begins again at the empty clause, with the clauses met so far forgotten.
    void restart();

    int level() const { return level_; }

    bool is_complete() const { return complete_; }

    const std::vector<ClauseNode>& frontier() const { return frontier_; }

    const std::vector<PoolClause>& pool() const { return pool_; }

    EnumerationCounts counts() const { return counts_; }

    PoolExamples pool_examples() const;

    EnumerationState state() const;

    void go_on_from(EnumerationState state);

  private:
    void index_pool();
    void take(ClauseNode&& node);
    void offer(const ClauseNode& node);
    void shrink_pool();

    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    const SearchExamples& examples_;
    RefinerLimits limits_;
    std::function<bool()> stop_;
    std::function<void(std::int64_t)> tell_;
    base::ThreadPool threads_;
    std::vector<std::optional<BodyLiteral>> any_value_;  // by head argument: a literal of all
    std::vector<ClauseNode> frontier_;
    std::vector<ClauseNode> next_;
    std::unordered_set<std::uint64_t> forms_;
    std::unordered_set<std::uint64_t> meanings_;
    std::vector<PoolClause> pool_;
    std::unordered_map<std::uint64_t, std::size_t> by_coverage_;
    EnumerationCounts counts_;
    int level_ = 0;
    bool complete_ = true;
};

}  // namespace hri::search
