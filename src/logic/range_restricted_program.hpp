// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program as languages want it that know no constants but those of their relations.

#include "hri/logic.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hri::logic {

/// Rules that never fire are gone, and every term of a head or of
/// a negated atom occurs in a positive atom: the input `constant` sees to the others. Negated atoms
/// come last in a body. Equal variables are one; only negated equality is left, or one of
/// constants.
struct RangeRestricted {
    Program program;                     ///< each rule's variables numbered in order of appearance
    std::vector<Predicate> order;        ///< inputs, the target, then what else rules define;
                                         ///< neither equality nor negated predicates
    std::vector<bool> derived;           ///< [predicate] the target, or defined by rules
    std::optional<Predicate> constants;  ///< the input of all constants, where a rule needs it

    std::vector<Predicate> inputs() const;
    /// Whether somebody wants it: the target, and what no rule of another predicate uses.
    bool is_wanted(Predicate predicate) const;
};

RangeRestricted range_restricted(const Program& program);

/// [predicate] a name for each of `order` that differs from all others, upper and lower case being
/// the same, and from `taken`. `clean` makes an identifier of a name.
std::vector<std::string> identifiers(const RangeRestricted& of,
                                     const std::function<std::string(const std::string&)>& clean,
                                     const std::vector<std::string>& taken);

/// name/arity, quoted as in Prolog.
std::string indicator(const PredicateSymbol& symbol);

/// The column of the i-th argument: a, b, ..., z, a1, b1, ..., without p.
std::string column_name(int i);

}  // namespace hri::logic
