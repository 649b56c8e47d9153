// SPDX-License-Identifier: Apache-2.0
#pragma once

// Clauses over unary and binary predicates, by number: what a refinement changes.

#include "hri/logic.hpp"

#include <compare>
#include <cstddef>
#include <vector>

namespace hri::search {

constexpr std::size_t kMaxBody = 5;  ///< literals of a clause
constexpr int kMaxVariables = 16;    ///< of a clause

/// An atom over variables; those from 0 on are the head's.
struct Literal {
    int predicate = 0;
    int first = 0;
    int second = 0;  ///< unary: as the first
    auto operator<=>(const Literal&) const = default;
};

using Clause = std::vector<Literal>;

/// The clauses of a program's target, with its other predicates' rules put in their places: the
/// first twelve that are not too long.
std::vector<Clause> unfolded_clauses(const Program& program,
                                     const std::vector<PredicateSymbol>& predicates);

}  // namespace hri::search
