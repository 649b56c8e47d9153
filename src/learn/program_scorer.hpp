// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs found on the way, judged by one score, and the choice among them.

#include "hri/learn.hpp"

#include "learn/constraints.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::learning {

/// The training data on which every candidate is judged: all of a fixed source, fresh draws of a
/// generator.
class ProgramScorer {
  public:
    /// Programs that are vetoed never fit.
    ProgramScorer(const Problem& problem, std::uint64_t seed, Vetoes vetoes = {});

    /// Remembers what it has judged; threads may call it at once.
    Alternative judge(const Program& program) const;

    const Vetoes& vetoes() const { return vetoes_; }

    /// Bits of the errors that remain when everything is called false.
    double baseline_bits() const;

    const std::vector<Instance>& instances() const { return *instances_; }

    /// Pairs of instances side by side, where data were split.
    const std::vector<Instance>& pairs() const { return pairs_; }

  private:
    Alternative judged_afresh(const Program& program) const;

    mutable std::mutex mutex_;
    mutable std::unordered_map<std::string, Alternative> known_;  // by text
    const Problem& problem_;
    Vetoes vetoes_;
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
