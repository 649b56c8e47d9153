// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs found on the way, judged by one score, and the choice among them.

#include "hri/learn.hpp"

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::learning {

/// The training data on which every candidate is judged: all of a fixed source, fresh draws of a
/// generator.
class ProgramScorer {
  public:
    /// Programs that have one of the vetoed clauses (canonical_clause()) never fit.
    ProgramScorer(const Problem& problem, std::uint64_t seed, std::set<std::string> vetoed = {});

    /// Remembers what it has judged; threads may call it at once.
    Alternative judge(const Program& program) const;

    bool has_vetoes() const { return !vetoed_.empty(); }

    /// Whether the program has none of the vetoed clauses.
    bool allows(const Program& program) const;
    /// Bits of the errors that remain when everything is called false.
    double baseline_bits() const;

    const std::vector<Instance>& instances() const { return *instances_; }

    /// Of split data: some of the instances side by side.
    const std::vector<Instance>& pairs() const { return pairs_; }

  private:
    Alternative judged_afresh(const Program& program) const;

    mutable std::mutex mutex_;
    mutable std::unordered_map<std::string, Alternative> known_;  // by text
    const Problem& problem_;
    std::set<std::string> vetoed_;
    std::vector<Instance> drawn_;
    std::vector<Instance> pairs_;
    const std::vector<Instance>* instances_;
};

/// Whether a is to be chosen rather than b.
bool is_better(const Alternative& a, const Alternative& b);

/// One alternative of each meaning, best first. Two programs mean the same if they agree on all
/// atoms of the training data and of random instances.
std::vector<Alternative> different_ones(std::vector<Alternative> alternatives,
                                        const Problem& problem, const ProgramScorer& judge,
                                        std::uint64_t seed);

}  // namespace hri::learning
