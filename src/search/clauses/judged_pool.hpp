// SPDX-License-Identifier: Apache-2.0
#pragma once

// Clauses of a sample's pool, judged on all examples.

#include "search/clauses/all_examples.hpp"
#include "search/clauses/enumeration.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace hri::search {

class JudgedPool {
  public:
    /// `allows`: whether the user allows a body. `stop`: whether the time for the search is over.
    /// `tuned`: the clauses of an earlier run that add_tuned() added.
    JudgedPool(const evaluation::DatabaseIndex& index, const AllExamples& all,
               std::function<bool(const Body&)> allows, std::function<bool()> stop,
               std::set<Body> tuned = {});

    /// The clauses with the fewest mistakes and bits on the sample, and the tuned ones.
    std::vector<PoolClause> best_of(const Enumeration& enumeration);

    /// Judges chosen clauses whose coverage was estimated. True where that changed one.
    bool correct(std::vector<PoolClause>& pool, const Combination& chosen);

    /// Adds chosen clauses with thresholds that suit all examples: those of a sample lie beside
    /// them. A few are judged, also where the time for search is over. True where one is new.
    bool add_tuned(std::vector<PoolClause>& pool, const Combination& chosen);

    const std::set<Body>& tuned() const { return tuned_; }

  private:
    const PoolClause& judged(const PoolClause& clause);

    const evaluation::DatabaseIndex& index_;
    const AllExamples& all_;
    std::function<bool(const Body&)> allows_;
    std::function<bool()> stop_;
    std::map<Body, PoolClause> judged_;
    std::set<Body> tuned_;  // clauses of no sample, whose thresholds suit all examples
};

}  // namespace hri::search
