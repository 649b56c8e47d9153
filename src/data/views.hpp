// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs of one and two arguments that show the hierarchy predicates of three and more. A view is
// called like the atom that it shows, such as does(X,robot,Y), from which its definition is read.

#include "data/raw_dataset.hpp"

namespace hri::data {

/// Adds tables to the dataset that show the wide ones: pairs of arguments, pairs where another
/// argument is a constant that stands often, and single arguments where two others are. Returns
/// the tables.
std::vector<int> add_views(RawDataset& data, const std::vector<int>& wide, int target);

/// The inputs of instances that are views of the database's wide predicates, one rule for each:
/// 'does(X,robot,Y)'(X,Y) :- does(X,robot,Y).
Program views_of(const Problem& problem);

}  // namespace hri::data
