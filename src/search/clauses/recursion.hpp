// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recursive programs: one or two recursive clauses with base clauses.
//
// A recursive clause is tried with all base clauses at once. What it derives carries the set of
// base clauses that each derivation ended in, so that one run says which of them would do.

#include "search/clauses/bindings.hpp"
#include "search/clauses/language.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hri::search {

struct RecursiveProgram {
    std::vector<Body> bases;
    std::vector<Body> recursive;
    std::vector<int> positives;  ///< covered, of the examples
    double bits = 0;
    double answer_bits = 0;  ///< which of its answers the examples are; of programs that cover all
};

/// Whether it covers more, or as much in fewer bits of both kinds.
bool is_better(const RecursiveProgram& a, const RecursiveProgram& b);

struct RecursionLimits {
    int max_base = 3;       ///< literals
    int max_recursive = 6;  ///< literals, the recursive one included
    std::size_t max_clauses = 400'000;
    int threads = 1;
    BodyVerdict verdict = {};
};

struct RecursionResult {
    std::optional<RecursiveProgram> best;  ///< without false positives; the most covered, then bits
    std::int64_t tested = 0;
};

/// The language with the target as a predicate of bodies, which is its last.
Language with_recursion(Language language);

/// Some positive and some negative examples, those of the shortest text first.
std::vector<int> small_examples(const Database& database, const SearchExamples& examples);

/// The examples of those rows, which are ascending.
SearchExamples subset(const SearchExamples& of, const std::vector<int>& rows);

RecursionResult search_recursion(const evaluation::DatabaseIndex& index, const Language& language,
                                 const SearchExamples& examples, const RecursionLimits& limits,
                                 const std::function<bool()>& stop);

}  // namespace hri::search
