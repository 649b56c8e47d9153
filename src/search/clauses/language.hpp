// SPDX-License-Identifier: Apache-2.0
#pragma once

// The clauses that may be learned from a database: predicates with the types and modes of their
// arguments, and how many literals and variables a clause may have.

#include "hri/database.hpp"

#include "evaluate/database_index.hpp"
#include "search/clauses/verdict.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hri::search {

constexpr int kMaxTerms = evaluation::kMaxIndexedArity;

struct LanguagePredicate {
    PredicateSymbol symbol;
    int index = -1;  ///< of the database index; -1: a comparison
    evaluation::Comparison comparison = evaluation::Comparison::none;
    std::vector<int> types;      ///< by argument
    std::uint32_t in = 0;        ///< arguments that must be bound
    std::uint32_t constant = 0;  ///< arguments that may be constants
    int recall = 0;              ///< occurrences in one body at most; 0: any
    bool is_target = false;      ///< its known facts
};

/// The language that a clause search may use.
struct LanguageOptions {
    bool constants = false;   ///< constants that stand often in an argument
    bool thresholds = false;  ///< comparisons with numbers, and between two
    bool negation = false;
    bool linked = false;  ///< bodies connect the arguments of the head
    int max_body = 0;     ///< literals at most; 0: as the bias says
    /// The first two, in arguments that only describe: of a type that no literal takes further.
    bool described_constants = false;
    bool described_thresholds = false;
    /// Also of constants that the target is about, where no bias declares types. Naming them is a
    /// list of examples more often than a rule.
    bool entities = false;
};

struct Language {
    std::vector<LanguagePredicate> predicates;
    PredicateSymbol target;
    std::vector<int> head_types;
    std::uint32_t head_in = 0;  ///< arguments of the head that are given; the others are produced
    bool head_has_modes = false;
    std::vector<char> single;   ///< by type: a clause has one variable of it
    std::vector<char> numeric;  ///< by type: all its constants are numbers
    int max_variables = 6;
    int max_body = 6;
    LanguageOptions options;
    int types = 0;
};

/// Whether somebody wrote down how clauses look. Tables have types too, and nobody did.
bool speaks_of_clauses(const ClauseBias& bias);

Language make_language(const evaluation::DatabaseIndex& index, const LanguageOptions& options);

/// A literal of a body. Terms from 0 are variables, the head's first; others are the constant
/// -1 - term.
struct BodyLiteral {
    int predicate = 0;  ///< of the language
    bool negated = false;
    std::array<std::int32_t, kMaxTerms> terms{};
    auto operator<=>(const BodyLiteral&) const = default;
};

using Body = std::vector<BodyLiteral>;

/// The user's verdict on a body; without a function all are allowed.
using BodyVerdict = std::function<ClauseVerdict(const Body&)>;

/// Bits to write a clause down.
double clause_bits(const Language& language, const Body& body);

/// The same for two bodies just where one is the other with variables renamed and literals in
/// another order; variables of the head keep their names.
std::vector<std::int32_t> canonical_form(const Language& language, const Body& body);

/// A hash of the canonical form.
std::uint64_t hash_of(const std::vector<std::int32_t>& form);

Program program_of(const Language& language, const Database& database,
                   const std::vector<Body>& bodies);

/// Whether literals of the body connect all variables of the head.
bool links_head(const Language& language, const Body& body);

/// Number of variables, the head's included.
int variables_of(const Language& language, const Body& body);

}  // namespace hri::search
