// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/logic.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hri::exporting {

/// Predicates that are computed together.
struct Recursion {
    std::vector<std::uint32_t> members;
    std::vector<Rule> rules;
    std::string view;  // of rows (p, a, b, ...)
    int width = 2;     // the most arguments

    int number_of(Predicate p) const {
        const auto found = std::find(members.begin(), members.end(), p.id);
        return found == members.end() ? -1 : static_cast<int>(found - members.begin());
    }

    /// The number of calls in a body.
    std::ptrdiff_t calls(const Rule& rule) const {
        return std::count_if(rule.body.begin(), rule.body.end(),
                             [this](const Atom& atom) { return number_of(atom.predicate) >= 0; });
    }
};

/// Where transitivity is the only recursion of a predicate: p(s,Y) :- ..., p(t,Y) for each other
/// rule p(s,t) :- ... in its place.
void make_linear(Recursion& recursion);

}  // namespace hri::exporting
