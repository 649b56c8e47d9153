// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proto-rules: the shapes that learned rules may take, as data.
//
//   B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
//
// The head's predicate is invented. ~P is the paper's overline: predicates of the atom's arity or
// lower, True and False included; a lower one ignores the arguments it lacks. A plain P takes
// exactly the arity. Variables that the head lacks are existential. A head may be without
// arguments, H() <- ~P(X,Y), and body atoms may name constants of the data, H(X) <- ~P(X,zero).

#include "hri/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hri {

struct ProtoAtom {
    bool any_lower_arity = false;  ///< written ~P
    std::vector<int> arguments;    ///< variables: 0, 1, ... in order of appearance, head first;
                                   ///< constants: -1 - index into ProtoRule::constants
    bool operator==(const ProtoAtom&) const = default;
};

struct ProtoRule {
    std::string name;
    std::vector<int> head;            ///< variables
    std::vector<ProtoAtom> body;      ///< conjoined: one to three atoms
    std::vector<ProtoAtom> disjunct;  ///< none or one atom
    std::vector<std::string> constants = {};
    // Members of rules that binarised() made of a rule with three atoms:
    bool is_helper = false;                    ///< joins two of them, for the rule that follows
    std::vector<ProtoAtom> helper_atoms = {};  ///< the atoms behind body[0], which is the link
    bool operator==(const ProtoRule&) const = default;

    int arity() const { return static_cast<int>(head.size()); }

    int slots() const { return static_cast<int>(body.size() + disjunct.size()); }
};

using ProtoRules = std::vector<ProtoRule>;

/// Rules of three conjoined atoms as two rules each: a link that joins two of the atoms, then the
/// rule with the link in their place. Others as they are. Throws Error where no two atoms share at
/// most two variables with the rest.
ProtoRules binarised(const ProtoRules& rules);

/// The names of all constants that the rules mention, each once.
std::vector<std::string> constants_of(const ProtoRules& rules);

/// One proto-rule per line, `%` starts a comment. Throws Error with the place.
ProtoRules parse_protorules(std::string_view text, const std::string& file_name = "<text>");
std::string to_text(const ProtoRule& rule);

/// The named sets: R0, R0v, R*, MIL.
struct NamedRules {
    std::string name;
    std::string explanation;
    std::string text;
};

const std::vector<NamedRules>& named_protorules();

/// A named set, or the rules themselves where there is an arrow (several, and named sets among
/// them, are separated by semicolons: "R*; S: H(X) <- ~P(start,X)"), or else the set in the file of
/// that name. Throws Error.
ProtoRules load_protorules(const std::string& name_or_file);

}  // namespace hri
