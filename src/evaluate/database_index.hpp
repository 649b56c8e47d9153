// SPDX-License-Identifier: Apache-2.0
#pragma once

// The facts of a database, found by any of their arguments.
//
//   const DatabaseIndex index(database);
//   for each row of index.match(p, 0b01, key) ...        // rows whose first argument is key[0]
//
// Any number of threads may ask at the same time. Tables are indexed when a mask is first asked
// for; calls of computed predicates are remembered.

#include "hri/database.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace hri::evaluation {

constexpr int kMaxIndexedArity = 10;

/// Comparisons of two numbers: X >= Y and the like.
enum class Comparison : std::uint8_t { none, less, at_most, greater, at_least, equal, unequal };

/// none for predicates that are not comparisons: <, =<, >, >=, =:=, =\=.
Comparison comparison_of(const PredicateSymbol& symbol);
bool compares(Comparison comparison, double left, double right);

class DatabaseIndex {
  public:
    explicit DatabaseIndex(const Database& database);
    ~DatabaseIndex();
    DatabaseIndex(const DatabaseIndex&) = delete;
    DatabaseIndex& operator=(const DatabaseIndex&) = delete;

    const Database& database() const { return database_; }

    int predicates() const { return static_cast<int>(entries_.size()); }

    const PredicateSymbol& symbol(int predicate) const { return at(predicate).symbol; }

    bool is_computed(int predicate) const { return at(predicate).computed != nullptr; }

    std::size_t rows(int predicate) const;

    /// -1 for none.
    int find(const PredicateSymbol& symbol) const;

    /// The rows that agree with `key` in the arguments of `mask`, one after the other. Computed
    /// predicates: nothing where the call does not end.
    std::span<const std::int32_t> match(int predicate, std::uint32_t mask,
                                        const std::int32_t* key) const;

    /// The mean number of rows that agree in the arguments of `mask`.
    double mean_rows(int predicate, std::uint32_t mask) const;

    /// The number that a constant is, NaN for none.
    double number(std::int32_t constant) const;

    /// The answers of computed predicates so far, as tables.
    std::vector<FactTable> answered() const;

  private:
    struct Lookup;

    struct Entry {
        PredicateSymbol symbol;
        const FactTable* table = nullptr;
        const ComputedPredicate* computed = nullptr;
        std::unique_ptr<std::atomic<const Lookup*>[]> lookups;  // by mask
    };
    struct Calls;

    const Entry& at(int predicate) const { return entries_[static_cast<std::size_t>(predicate)]; }

    const Lookup& lookup(const Entry& entry, std::uint32_t mask) const;
    std::span<const std::int32_t> call(int predicate, std::uint32_t mask,
                                       const std::int32_t* key) const;

    const Database& database_;
    std::vector<Entry> entries_;
    std::map<PredicateSymbol, int> by_symbol_;
    mutable std::vector<std::unique_ptr<Lookup>> owned_;
    mutable std::mutex building_;
    mutable std::shared_mutex calling_;
    mutable std::unique_ptr<Calls> calls_;
    std::size_t constants_ = 0;    // when the index was made: calls may add more
    std::vector<double> numbers_;  // of those
};

}  // namespace hri::evaluation
