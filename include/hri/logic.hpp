// SPDX-License-Identifier: Apache-2.0
#pragma once

// Logic programs as values.
//
//   Program p = parse_program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
//                             "parent(X,Y) :- father(X,Y).\n"
//                             "parent(X,Y) :- mother(X,Y).\n");
//   std::cout << to_prolog(simplified(p));

#include "hri/error.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hri {

/// Index into Vocabulary::predicates.
struct Predicate {
    std::uint32_t id = 0;
    auto operator<=>(const Predicate&) const = default;
};

/// The name of a predicate and its number of arguments. `negated` is the predicate that
/// holds of all other constants of the data, written \+ name.
struct PredicateSymbol {
    std::string name;
    int arity = 0;
    bool negated = false;
    auto operator<=>(const PredicateSymbol&) const = default;
};

/// X = Y, the built-in predicate: it needs no facts.
inline bool is_equality(const PredicateSymbol& symbol) {
    return symbol.arity == 2 && symbol.name == "=";
}

/// A < B and the like over numbers, built in: <, =<, >, >=, =:=, =\\=. False of other terms.
inline bool is_comparison(const PredicateSymbol& symbol) {
    return symbol.arity == 2 &&
           (symbol.name == "<" || symbol.name == "=<" || symbol.name == ">" ||
            symbol.name == ">=" || symbol.name == "=:=" || symbol.name == "=\\=");
}

/// "edge", or "\\+ edge" of the negated predicate.
inline std::string to_text(const PredicateSymbol& symbol) {
    return (symbol.negated ? "\\+ " : "") + symbol.name;
}

/// The names behind the ids. Two predicates may share a name if their arities differ, or if one is
/// the other's negation.
class Vocabulary {
  public:
    /// The id of a symbol, which is added if it is new; a negated one's positive symbol too.
    Predicate intern(const PredicateSymbol& symbol);
    std::optional<Predicate> find(const PredicateSymbol& symbol) const;

    const PredicateSymbol& operator[](Predicate p) const { return symbols_[p.id]; }

    bool is_negated(Predicate p) const { return symbols_[p.id].negated; }

    /// The predicate that a negated one negates; others as they are.
    Predicate positive(Predicate p) const;

    int size() const { return static_cast<int>(symbols_.size()); }

    const std::vector<PredicateSymbol>& symbols() const { return symbols_; }

    /// Constants that rules mention by name.
    std::int32_t intern_constant(const std::string& name);
    std::optional<std::int32_t> find_constant(const std::string& name) const;

    const std::vector<std::string>& constants() const { return constants_; }

  private:
    std::vector<PredicateSymbol> symbols_;
    std::map<PredicateSymbol, std::uint32_t> ids_;
    std::vector<std::string> constants_;
    std::map<std::string, std::int32_t> constant_ids_;
};

/// A variable of a rule (0, 1, ...) or a constant of the program's vocabulary.
struct Term {
    std::int32_t code = 0;  // variables count up from 0, constants down from -1

    static Term variable(std::int32_t index) { return {index}; }

    static Term constant(std::int32_t index) { return {-1 - index}; }

    bool is_variable() const { return code >= 0; }

    std::int32_t index() const { return code >= 0 ? code : -1 - code; }

    auto operator<=>(const Term&) const = default;
};

struct Atom {
    Predicate predicate;
    std::vector<Term> arguments;
    auto operator<=>(const Atom&) const = default;
};

/// A clause: head <- body. An empty body is true. Body atoms may be of negated predicates.
struct Rule {
    Atom head;
    std::vector<Atom> body;
    auto operator<=>(const Rule&) const = default;
};

/// Rules that define a target, with invented predicates.
/// Predicates that no rule defines are inputs (or false where the data lack them); only one that is
/// called `false` is false everywhere. Facts of a predicate that rules define count beside them. A
/// variable of the head that does not occur in the body stands for every constant. What is negated
/// must not depend on the rule's head (the program is stratified); its variables range over the
/// constants of the data.
struct Program {
    Vocabulary vocabulary;
    Predicate target;
    std::vector<Rule> rules;
};

/// Clauses in Prolog syntax over predicates of any arity, with \+, =, \= and comparisons of numbers
/// (A >= 100). Arguments are variables and constants; lists and terms with functions are constants
/// too, and have no variables.
/// The target is the first clause's head unless a comment line `% target: name/arity` says
/// otherwise. Directives are skipped; the goal `true` is left out, a rule with the goal `false` or
/// `fail` too. Goals of the predicate that a comment line `% domain: name/1` names are left out:
/// they say that a variable is a constant of the data. Throws Error with the place, also where
/// negation goes through recursion.
Program parse_program(std::string_view text, const std::string& file_name = "<text>");

/// Prolog text that SWI-Prolog runs unchanged; parse_program reads it back. Recursive predicates
/// are tabled, predicates without rules are declared dynamic so that missing facts mean false. A
/// variable that occurs once is written `_`; where it stands in the head, Prolog's answers hold for
/// every constant. With negation, variables that no positive goal binds are bound by goals
/// `constant(X)`, and constant/1 is to list all constants.
std::string to_prolog(const Program& program);

/// The paper's notation, one line per predicate:
///   target(X,Y) <- (aux1(X,Z) & aux1(Z,Y)) | father(X,Y)
/// A target without rules is False. Rules whose heads differ (p(X,X) beside p(X,Y)) get a line
/// each.
std::string to_text(const Program& program);

/// The same meaning in fewer words: rules that the target cannot reach dropped, rules and body
/// atoms that the rest implies dropped, predicates that are always false removed, predicates with
/// equal definitions merged, arguments that say nothing dropped, auxiliaries inlined where that
/// does not make the program longer, an alias of the target replaced by it, invented predicates
/// renamed aux1, aux2, ... The meaning at the fixpoint never changes on any instance with at least
/// one constant; the meaning after a number of steps may. Rules that could be shortened only with
/// much work stay as they are.
Program simplified(Program program);

/// Number of atoms, heads included: the measure that simplified() never increases.
int size(const Program& program);

bool is_recursive(const Program& program);

}  // namespace hri
