// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs learned from parts of a world, made to hold of the whole.
//
// Where data are split, an instance holds one train and its cars. There
//     f(X) <- long(Y)
// is as good as
//     f(X) <- has_car(X,Y) & long(Y)
// but on the whole data, where somebody will run the program, it speaks of any long car anywhere.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <vector>

namespace hri::search {

/// Whether binary atoms lead from the head's variables to all others of each rule, and between the
/// two of an invented predicate.
bool is_head_connected(const Program& program);

/// The program with binary atoms of inputs added, one or two for each variable without a link, so
/// that it makes no more errors on the instances than before and few on the pairs; where there is
/// no such atom, as it is.
Program head_connected(Program program, const std::vector<PredicateSymbol>& inputs,
                       const std::vector<Instance>& instances, const std::vector<Instance>& pairs);

/// Some instances with a positive example side by side with ones with a negative example. Constants
/// of one name are one: values.
std::vector<Instance> paired_instances(const std::vector<Instance>& instances, int target_arity);

}  // namespace hri::search
