// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of the clause learner after a level, as text: a run that is resumed goes on
// from there, and ends with the same program and counts as one that was never stopped.

#include "search/clauses/enumeration.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hri::search {

/// The languages of a run, one after the other.
enum class Stage : std::uint8_t { one_clause, recursion, plain, rich };

struct ChosenState {
    Stage stage = Stage::plain;  ///< of the language of its bodies
    std::vector<Body> bodies;
    Combination combination;
    bool exact = false;
};

struct RunState {
    Stage stage = Stage::one_clause;
    std::int64_t tested = 0;
    std::int64_t tested_before = 0;
    std::int64_t found_at = 0;
    std::int64_t duplicates = 0;
    std::int64_t equal = 0;
    std::set<Body> tuned;
    std::optional<ChosenState> best;
    std::optional<EnumerationState> enumeration;  ///< none: the stage has not begun
};

std::string to_text(const RunState& state, const Database& database,
                    const ClauseSettings& settings);

/// settings.resume. Throws Error where it is damaged, or of a run over other data or with other
/// settings. What the text says of clauses is checked by check_state.
RunState read_state(const Database& database, const ClauseSettings& settings);

/// Throws Error where the state has clauses that are not of the language.
void check_state(const RunState& state, const Language& language, const Database& database,
                 const SearchExamples& examples);

/// Throws Error where the bodies are not of the language.
void check_bodies(const std::vector<Body>& bodies, const Language& language,
                  const Database& database);

}  // namespace hri::search
