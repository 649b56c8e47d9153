// SPDX-License-Identifier: Apache-2.0
#pragma once

// bias.pl: which predicate is to be learned from which.
//
//   head_pred(grandparent,2).
//   body_pred(father,2).
//   max_vars(4).               % passed over with a warning, like everything else

#include "hri/error.hpp"
#include "hri/logic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hri::data {

/// A predicate and where it was named.
struct Declaration {
    PredicateSymbol symbol;
    Place place;
};

struct Bias {
    std::vector<Declaration> heads;
    std::vector<Declaration> bodies;
    std::vector<std::string> warnings;
};

/// Anything that is not head_pred or body_pred gives a warning, constraints in the syntax of answer
/// set programming included. Throws Error for a damaged head_pred or body_pred.
Bias read_bias(std::string_view text, const std::string& file);

/// "bias.pl:3:1: message"
std::string warning_at(const Place& place, const std::string& message);

}  // namespace hri::data
