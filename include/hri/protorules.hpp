// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proto-rules: the shapes that learned rules may take, as data.
//
//   B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
//
// The head's predicate is invented. ~P is the paper's overline: predicates of the atom's arity or
// lower, True and False included; a lower one ignores the arguments it lacks. A plain P takes
// exactly the arity. Variables that the head lacks are existential.

#include "hri/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hri {

struct ProtoAtom {
    bool any_lower_arity = false;  ///< written ~P
    std::vector<int> arguments;    ///< variables: 0, 1, ... in order of appearance, head first
    bool operator==(const ProtoAtom&) const = default;
};

struct ProtoRule {
    std::string name;
    std::vector<int> head;            ///< variables
    std::vector<ProtoAtom> body;      ///< conjoined: one or two atoms
    std::vector<ProtoAtom> disjunct;  ///< none or one atom
    bool operator==(const ProtoRule&) const = default;

    int arity() const { return static_cast<int>(head.size()); }

    int slots() const { return static_cast<int>(body.size() + disjunct.size()); }
};

using ProtoRules = std::vector<ProtoRule>;

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

/// A named set, the text itself where it has an arrow, or else the set in the file of that name.
/// Throws Error.
ProtoRules load_protorules(const std::string& name_text_or_file);

}  // namespace hri
