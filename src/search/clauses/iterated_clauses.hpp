// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recursive clauses that pass their outputs on, f(X,Y) <- step(X,Z) & f(Z,Y): what base clauses
// they need is a search for clauses over all inputs that steps reach.

#include "search/clauses/bindings.hpp"
#include "search/clauses/recursion.hpp"
#include "search/clauses/recursive_run.hpp"

#include <functional>

namespace hri::search {

struct IterationLimits {
    int max_step = 3;          ///< literals, the recursive one included
    std::int64_t tests = 400;  ///< base clauses, of each step
    int threads = 1;
    BodyVerdict verdict = {};
};

/// The first step whose base clauses cover all positive examples and no negative one, or the best.
RecursionResult search_iterated(const evaluation::DatabaseIndex& index, const BodyRunner& runner,
                                const SearchExamples& examples, const IterationLimits& limits,
                                const std::function<bool()>& stop);

}  // namespace hri::search
