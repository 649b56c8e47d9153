// SPDX-License-Identifier: Apache-2.0
#pragma once

// The set of clauses that describes the examples in the fewest bits.

#include "search/clauses/language.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hri::search {

/// A clause with the examples that it covers, the positive ones first.
struct PoolClause {
    Body body;
    std::vector<std::uint64_t> covered;
    int positives = 0;
    int negatives = 0;
    double bits = 0;
    bool estimated = false;  ///< it may cover more
};

/// The numbers of examples, and how many examples each of them represents.
struct PoolExamples {
    int positives = 0;
    int negatives = 0;
    double positive_weight = 1;
    double negative_weight = 1;
};

struct Combination {
    std::vector<int> chosen;  ///< of the pool
    double cost = 0;          ///< atoms and errors, each one, whatever price chose them
    double bits = 0;          ///< of clauses and errors
    double clause_bits = 0;
    int false_positives = 0;
    int false_negatives = 0;
};

/// The cost of a set of clauses beside its errors, counted in errors.
struct ClausePrice {
    double clause = 1;
    double literal = 1;
    bool operator==(const ClausePrice&) const = default;

    double of(const Body& body) const {
        return clause + literal * static_cast<double>(body.size());
    }
};

/// Bits to name the errors of a program.
double mistakes(const PoolExamples& examples, int false_positives, int false_negatives);

/// Clauses without false positives that cover all positive examples that such clauses cover, of the
/// fewest bits: by branch and bound as far as `max_nodes` reach, from a greedy start. At most
/// `max_clauses`, where that is not 0.
Combination cover_exactly(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                          std::int64_t max_nodes, int max_clauses);

/// The set with the fewest atoms and errors: greedy, then by single changes. Bits would ask
/// too much of a clause where labels are noisy: a literal pays where it mends one error.
Combination describe(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                     int max_clauses, const std::vector<int>& start, ClausePrice price = {});

/// The best set of those clauses that mend the most errors, from several starts. Each start
/// takes clauses of a minimum precision.
Combination describe_well(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                          int max_clauses, ClausePrice price = {});

/// The price by which sets chosen with some examples hidden err least on these. The usual one,
/// unless another is clearly better, or where `stop` says that time is over.
ClausePrice choose_price(const std::vector<PoolClause>& pool, const PoolExamples& examples,
                         int max_clauses, std::uint64_t seed, const std::function<bool()>& stop);

/// A program without errors is taken although it is long, unless examples are many: then
/// naming its errors would have to cost more.
bool prefers_exact(const Combination& exact, const Combination& tolerant,
                   const PoolExamples& examples);

}  // namespace hri::search
