// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rule over numbered constants, without equalities: X = Y makes one variable of two.

#include "hri/logic.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hri::datalog {

struct ResolvedRule {
    /// An argument: a variable, or constant -1 - argument.
    using Argument = std::int32_t;

    struct Goal {
        std::uint32_t predicate = 0;  ///< of the vocabulary, never a negated one
        bool negated = false;
        bool equality = false;  ///< only negated
        std::vector<Argument> arguments;
    };

    Goal head;
    std::vector<Goal> body;
    int variables = 0;
    bool possible = true;  ///< its constants are there
};

/// `numbers` [constant of the program], -1: it is not there; empty: they are numbers already.
/// `defined` [predicate]: equality is built in unless rules define it.
ResolvedRule resolve(const Rule& rule, const Vocabulary& vocabulary,
                     const std::vector<bool>& defined, std::span<const std::int32_t> numbers);

}  // namespace hri::datalog
