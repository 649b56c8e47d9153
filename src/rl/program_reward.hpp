// SPDX-License-Identifier: Apache-2.0
#pragma once

// The reward of programs, given by their matches. A program is played once: programs that mean the
// same in a sample of states are taken for the same.

#include "hri/rl.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "rl/judge.hpp"
#include "rl/state_extensions.hpp"
#include "search/matches_search.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hri::rl {

/// Reward that a longer program must gain for each body atom.
inline constexpr double kAtomCost = 0.005;

/// Whether a policy needs no bettering: the goal reached from every start that it is judged by,
/// with the most reward known from the training start under the first choice, and nearly as much
/// under the uniform one.
bool accepted(const PolicyValue& trial, const Judge& judge);

/// The cost of a policy: what its length costs less its reward.
class ProgramReward final : public search::MatchesObjective {
  public:
    ProgramReward(const Model& model, Judge& judge);

    double cost(const search::Candidate& candidate, double max) override;

    /// How the policy does, of whatever length; not played to the end where its reward cannot reach
    /// `least`.
    const PolicyValue& value(const search::Candidate& candidate, double least = kNone);

    /// Body atoms with input predicates, all unfolded: what a reader has to take in. A recursive
    /// predicate counts once.
    int length(const Matches& matches);

    int evaluations() const { return evaluations_; }

    /// Evaluations up to the first accepted policy; -1: there was none.
    int needed() const { return needed_; }

  private:
    static constexpr double kNone = -1e9;

    Judge::Asks asks(const Matches& matches, int meaning);
    int length_of(int p, const Matches& matches);

    const Model& model_;
    const Hierarchy& h_;
    Judge& judge_;
    StateTable sample_;
    StateExtensions meanings_;
    using Asked = std::vector<std::uint8_t>;
    Asked asked_;
    std::optional<evaluation::CompiledProgram> compiled_;  // of the program that is judged
    std::unordered_map<int, PolicyValue> trials_;          // by the target's meaning
    std::vector<int> lengths_;                             // by auxiliary
    int evaluations_ = 0;
    int needed_ = -1;
};

}  // namespace hri::rl
