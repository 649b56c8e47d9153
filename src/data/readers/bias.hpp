// SPDX-License-Identifier: Apache-2.0
#pragma once

// bias.pl: which predicate is to be learned from which.
//
//   head_pred(grandparent,2).
//   body_pred(father,2).
//   type(father,(person,person)).   direction(father,(in,out)).   enable_recursion.
//   max_vars(4).   max_body(5).   max_clauses(2).   enable_pi.
//   constant(father,2).        % the second argument of father may be a constant in rules

#include "data/raw_dataset.hpp"

#include <string>
#include <string_view>

namespace hri::data {

/// What it does not know gives a warning, constraints in the syntax of answer set programming
/// included. Throws Error for a damaged declaration.
void read_bias(std::string_view text, const std::string& file, RawDataset& into);

}  // namespace hri::data
