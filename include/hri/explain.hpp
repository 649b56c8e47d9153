// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why an atom is true, or how near it comes.
//
//   Explanation why = explain(program, instance, {"grandparent", {"ann", "cleo"}});
//   std::cout << to_text(why);
//   // grandparent(ann,cleo) is true
//   // grandparent(ann,cleo)  by grandparent(X,Y) :- parent(X,Z), parent(Z,Y)
//   // |- parent(ann,bob)  by parent(X,Y) :- father(X,Y)
//   // ...

#include "hri/data.hpp"
#include "hri/database.hpp"
#include "hri/logic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// An atom over constants by name.
struct GroundAtom {
    std::string predicate;
    std::vector<std::string> arguments;
};

/// "grandparent(ann,'Bob B')". Throws Error with the column.
GroundAtom parse_ground_atom(std::string_view text);

/// An atom and what it rests on.
struct Reason {
    std::string atom;  ///< variables stay where an attempt failed before they got a value
    bool holds = true;
    double value = 1;          ///< its valuation: a fact's, or a model's
    double weight = 1;         ///< how strongly a model's slot matches it
    std::string because;       ///< the rule, "a fact", "no such fact", ...
    std::vector<Reason> body;  ///< what the rule asks for
};

struct Explanation {
    bool holds = false;  ///< of a model: from 0.5 on
    double value = 0;    ///< of a model; of a knowledge graph's rules the best confidence
    bool soft = false;   ///< of a model
    Reason reason;
};

/// A proof of the least height at the program's fixpoint; of a false atom the rule that lacks the
/// fewest body atoms, with the atoms that fail and why. The predicate may be any of the program or
/// the data. Throws Error for a predicate or a constant that neither has, and where the fixpoint is
/// out of reach (2,000,000 derived atoms).
Explanation explain(const Program& program, const Instance& instance, const GroundAtom& atom);

/// The same over the facts of a database, of any arity; comparisons are those of numbers, and
/// computed predicates are called.
Explanation explain(const Program& program, const Database& database, const GroundAtom& atom);

/// A tree, one atom per line.
std::string to_text(const Explanation& explanation);

}  // namespace hri
