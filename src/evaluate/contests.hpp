// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contests: the true answer of a query against rivals, with the rules that fire for each.

#include "evaluate/aggregation.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Halves of the validation triples, as bits. What is fit to one half is judged by the other, so
/// the fit may not know which rivals the other half holds true.
using Halves = std::uint8_t;
constexpr Halves kBothHalves = 3;

/// A query whose answer some rule predicts, with the rivals that all features together favour most,
/// and some of the others. The answer is the first candidate.
struct Contest {
    std::vector<std::array<Features, 2>> candidates;  ///< by standard and by PCA confidence
    std::vector<std::uint32_t> rule_begin;            ///< (candidates + 1), into rules
    std::vector<std::uint32_t> rules;                 ///< that predict the candidates
    std::vector<Halves> truth{};  ///< (candidates), or nothing: where a validation triple says so
    std::size_t sampled = 0;      ///< candidates from here on stand for `share` others each
    float share = 1;

    /// The candidate is no rival: it is true by these halves.
    bool is_true(std::size_t candidate, Halves known) const {
        return !truth.empty() && (truth[candidate] & known) != 0;
    }

    std::span<const std::uint32_t> rules_of(std::size_t candidate) const {
        return std::span(rules).subspan(rule_begin[candidate],
                                        rule_begin[candidate + 1] - rule_begin[candidate]);
    }
};

/// An entity that a validation triple holds true.
struct ValidAnswer {
    std::uint32_t entity = 0;
    Halves half = 0;
};

/// Both kinds of confidence that learned weights may weigh.
using AggregatorPair = std::array<Aggregator, 2>;

/// The answers that a contest leaves out, and how its own answer was counted.
struct ContestRules {
    std::span<const std::uint32_t> training;  ///< answers of the training triples, sorted
    std::span<const ValidAnswer> valid;
    bool of_training = false;  ///< the answer is one on which the rules were counted
};

/// Nothing where no rule predicts the answer.
Contest contest_of(std::uint32_t answer, const Candidates& candidates,
                   const AggregatorPair& aggregators, const ContestRules& how);

}  // namespace hri::evaluation
