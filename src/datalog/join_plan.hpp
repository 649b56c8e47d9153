// SPDX-License-Identifier: Apache-2.0
#pragma once

// In which order a rule's body atoms are joined, and what each join reads and keeps.
//
// The atom comes first that leaves the fewest bindings. A variable that neither the head nor a
// later atom needs is dropped at once.

#include "datalog/relation.hpp"
#include "datalog/resolved_rule.hpp"

#include <cstdint>
#include <vector>

namespace hri::datalog {

/// One atom of the body in its turn, over bindings in `width_in` columns.
struct JoinStep {
    enum class From : std::uint8_t {
        constant,
        column,
        fresh,
        same  ///< as an earlier argument, which is fresh
    };

    struct Source {
        From from = From::constant;
        std::int32_t at = 0;  ///< the constant, the column or the argument
    };

    bool is_open(std::size_t argument) const { return arguments[argument].from == From::fresh; }

    const ResolvedRule::Goal* goal = nullptr;
    const Relation* relation = nullptr;
    Part part = Part::all;
    std::vector<Source> arguments;     ///< two at the least: absent ones are the constant 0
    std::uint32_t bound = 0;           ///< the arguments from constants and columns
    bool ground = true;                ///< no argument is fresh
    std::vector<std::uint32_t> kept;   ///< columns, in order
    std::vector<std::uint32_t> added;  ///< fresh arguments that become columns
    std::size_t width_in = 0;
    std::size_t width_out = 0;
    bool drops = false;  ///< bindings may become equal
};

struct JoinPlan {
    std::vector<JoinStep> steps;
    std::vector<ResolvedRule::Argument> columns;  ///< the variables of a binding after all steps
};

constexpr std::size_t kNoDelta = SIZE_MAX;

/// With `delta`, that body atom ranges over its relation's delta, those after it over what is old.
Part part_of(std::size_t goal, std::size_t delta);

/// `relations` [predicate of the vocabulary].
JoinPlan plan_join(const ResolvedRule& rule, std::size_t delta, std::size_t constants,
                   const std::vector<Relation>& relations);

}  // namespace hri::datalog
