// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stages of the clause learner, and the language of clauses of each.

#include "search/clauses/language.hpp"
#include "search/clauses/learn_clauses.hpp"
#include "search/clauses/run_state.hpp"

namespace hri::search {

class Stages {
  public:
    Stages(const evaluation::DatabaseIndex& index, const ClauseBias& bias,
           const ClauseSettings& settings);

    Language language_of(Stage stage) const;

    /// Whether the rich language has predicates, constants or thresholds that the plain one lacks.
    bool enriches() const;

  private:
    LanguageOptions options_of(Stage stage) const;

    const evaluation::DatabaseIndex& index_;
    LanguageOptions plain_;
    LanguageOptions rich_;
};

}  // namespace hri::search
