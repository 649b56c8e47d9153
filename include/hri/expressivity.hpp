// SPDX-License-Identifier: Apache-2.0
#pragma once

// Expressivity: the clauses that a set of proto-rules can express.
//
//   Metarule metarule = parse_metarule("P(A,B) <- Q(A,B), R(B,C)");
//   ProtoRules rules = load_protorules("R0");
//   Reach answer = derivability(metarule, rules);
//   std::cout << to_text(*answer.derivation, metarule, rules);
//   // P = C(Q, aux1)             P(X,Y) <- Q(X,Y) & aux1(Y)
//   //   aux1 = A(R, True)        aux1(X) <- R(X,Y)

#include "hri/data.hpp"
#include "hri/error.hpp"
#include "hri/fields.hpp"
#include "hri/logic.hpp"
#include "hri/protorules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

struct MetaAtom {
    std::string predicate;
    std::vector<int> arguments;  ///< indices into Metarule::variables
    bool operator==(const MetaAtom&) const = default;
};

/// A definite clause over predicate variables. `True` and `Equal` in the body keep their meaning.
struct Metarule {
    MetaAtom head;
    std::vector<MetaAtom> body;
    std::vector<std::string> variables;
    bool operator==(const Metarule&) const = default;
};

/// P(A,B) <- Q(A,B), R(B,C): atoms of at most two arguments, P alone having none. `:-` stands
/// for `<-`, `&` for the comma, and a full stop may end it. Throws Error with the place.
Metarule parse_metarule(std::string_view text, const std::string& file_name = "<metarule>");
std::string to_text(const Metarule& metarule);

/// Whether no atom, the head included, has one variable twice.
bool is_duplicate_free(const Metarule& metarule);

/// The predicates from which derivations start, beside the metarule's body, and how far the search
/// goes. False is always there: the disjunct that a rule does not need.
struct ExpressivityOptions {
    bool with_true = true;
    bool with_equal = false;
    /// If no derivation uses each body atom at most once: how many more atoms a query may have.
    int extra_atoms = 1;
    std::int64_t max_queries = 20'000;
};

template <>
const std::vector<Field<ExpressivityOptions>>& fields_of<ExpressivityOptions>();

/// The predicate in a slot of a proto-rule.
struct Filler {
    enum class Kind { truth, falsity, equal, body, step };
    Kind kind = Kind::truth;
    int index = 0;  ///< body: of the metarule's atom with that predicate; step: of the step
    bool operator==(const Filler&) const = default;
};

/// One auxiliary predicate: a proto-rule and what its slots match, the disjunct last.
struct DerivationStep {
    int protorule = 0;
    std::vector<Filler> slots;
    int layer = 0;
};

/// The auxiliaries, each after those it uses. `root` is the head's predicate.
struct Derivation {
    std::vector<DerivationStep> steps;
    Filler root;
    int layers = 0;
};

struct Derivability {
    std::optional<Derivation> derivation;  ///< with the smallest number of layers
    std::int64_t queries = 0;              ///< auxiliaries of different meaning that were tried
    int layers_searched = 0;
    int max_atoms = 0;  ///< in the definition of an auxiliary, all unfolded
    /// Without a derivation: there is none at all, of any depth or length. With one: no other has
    /// fewer layers.
    bool complete = false;
};

/// Searches layer by layer for a composition of proto-rules that means what the metarule means.
Derivability derivability(const Metarule& metarule, const ProtoRules& rules,
                          const ExpressivityOptions& options = {});

/// The derivation as a program over the metarule's body predicates and Equal; its target is the
/// metarule's head.
Program to_program(const Derivation& derivation, const Metarule& metarule, const ProtoRules& rules);

/// The tree of proto-rules, one auxiliary per line.
std::string to_text(const Derivation& derivation, const Metarule& metarule,
                    const ProtoRules& rules);

/// The comparison of a program with a metarule.
struct Comparison {
    bool equal = false;
    bool all_over_two = false;    ///< every interpretation over two constants was met
    std::int64_t over_two = 0;    ///< interpretations over two constants
    std::int64_t over_three = 0;  ///< random ones
    std::int64_t over_four = 0;   ///< random ones
};

/// Compares what the program says of its target with what the metarule says, on every choice of
/// relations over two constants (if they have at most that many bits; on 2^12 random ones beyond)
/// and on random ones over three and four.
Comparison compare(const Program& program, const Metarule& metarule, int max_bits = 20,
                   int random_ones = 50, std::uint64_t seed = 1);

/// A certificate, independent of any search, that no program means what the metarule means if its
/// rules are positive and have at most that many variables each, whatever their number, recursion
/// and disjunction. True if the metarule does not give `answer` in the world, although every such
/// program that gives the head on the frozen body does (Duplicator wins the existential pebble
/// game). world.facts are those of the different body predicates, in their order.
bool separates(const Instance& world, const std::vector<int>& answer, const Metarule& metarule,
               int variables);

/// Three constants, and every binary body predicate holds between different ones.
Instance three_colours(const Metarule& metarule);

/// Every function-free definite clause with at most that many body atoms over unary and binary
/// predicate variables, heads P(A), P(A,B) and P(A,A), up to the names of variables and the order
/// of the body. Head variables need not occur in the body. With `nullary`, predicates without
/// arguments too, also as heads.
std::vector<Metarule> clauses_up_to(int body_atoms, bool nullary = false);

/// Bodies of clauses, and how many of them are made by joining two parts at a time.
struct Joins {
    std::int64_t bodies = 0;  ///< as met: some more than once, in other orders or by other names
    std::int64_t joined = 0;
    double seconds = 0;
};

/// All bodies of `body_atoms` atoms over unary and binary predicates, under unary and binary heads.
/// One is joined if clauses of two body atoms make it whose predicates have at most that arity: a
/// part that stands for an auxiliary shares at most so many variables with the rest and the head.
Joins joined_by_pairs(int body_atoms, int arity);

/// The induction step that bars universal contraction, by exhaustion: whatever relations over {0}
/// fill a proto-rule's slots, if they grow over {0, 1}, what the rule said of 0 it still says. So
/// does all that is derived, by any number of rules, recursion included; but P(A) <- forall B:
/// Q(A,B) loses P(0) when 1 comes and Q does not grow.
bool keeps_answers(const ProtoRules& rules);

/// The metarules of a list that a set of proto-rules derives.
struct Coverage {
    int clauses = 0;
    int reached = 0;
    int verified = 0;            ///< derivations whose program equals the clause
    int layers = 0;              ///< of the longest derivation
    int auxiliaries = 0;         ///< the most that a derivation has
    Metarule longest;            ///< a clause with that many layers
    std::vector<int> by_layers;  ///< [layers] how many clauses
    std::vector<Metarule> not_reached;
    bool complete = true;  ///< the others are proved out of reach
    std::int64_t queries = 0;
    double seconds = 0;

    bool whole() const { return reached == clauses && verified == clauses; }
};

Coverage coverage(const std::vector<Metarule>& clauses, const ProtoRules& rules,
                  const ExpressivityOptions& options = {});

}  // namespace hri
