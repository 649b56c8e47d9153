// SPDX-License-Identifier: Apache-2.0
#pragma once

// Search over the clauses of a target, on instances or scenes, for any objective.
//
// cover() proposes rules one after the other, for targets that need several long ones. A rule
// begins as a bottom clause: everything that holds around one positive example. Literals are then
// dropped, and taken back where the objective tolerates errors. Of many rules made so the best one
// stays, and the next begins at an example that none covers yet.
//
// refine() changes given clauses by one literal or clause at a time: the best single change, until
// none helps.

#include "hri/logic.hpp"

#include "evaluate/coverage.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hri::search {

constexpr std::size_t kMaxBody = 5;  ///< literals of a clause that refine() changes
constexpr int kMaxVariables = 16;    ///< of such a clause

/// What a clause search makes small: the cost of the rules and of their errors.
struct ClauseObjective {
    std::function<double(const Program& rules)> rules;
    std::function<double(const Score& score)> errors;
    double min_gain = 0;  ///< a rule that is added has to save more
    bool exact = false;   ///< no rule may cover a negative example
};

/// Bits of a description: of rules over so many inputs, and of what they get wrong.
ClauseObjective bits_objective(int inputs);

/// Positive examples that no rule covers, then literals. A rule covers two examples at least, since
/// rules of one would be a list, and no negative example.
ClauseObjective errors_objective();

/// Predicates of a search: those of the index of the facts.
struct ClauseTask {
    const std::vector<PredicateSymbol>& predicates;
    const evaluation::LabelledAtoms& atoms;
};

/// For targets with arguments. Without rules where none gains enough.
Program cover(const ClauseTask& task, const ClauseObjective& objective, std::uint64_t seed,
              const std::function<bool()>& stop);

struct RefinedClauses {
    Program program;  ///< simplified
    double cost = 0;
    double cost_before = 0;
};

RefinedClauses refine(const ClauseTask& task, const std::vector<evaluation::Clause>& start,
                      const ClauseObjective& objective, const std::function<bool()>& stop);

/// The clauses of a program's target, with its other predicates' rules put in their places; those
/// that are too long for refine() are left out.
std::vector<evaluation::Clause> clauses_of(const Program& program,
                                           const std::vector<PredicateSymbol>& predicates);

/// The program of these clauses.
Program program_of(const ClauseTask& task, const std::vector<evaluation::Clause>& clauses);

}  // namespace hri::search
