// SPDX-License-Identifier: Apache-2.0
#pragma once

// One value of a column as a target: `kind=lab` is true of the rows with that value.

#include "data/readers/column_types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hri::data {

/// The boolean relation that `target` asks for: NAME=VALUE or NAME_VALUE, where NAME/2 is a
/// relation of the mapping; also NAME>=NUMBER and the like. The relation NAME/2 leaves the mapping,
/// since it would give the labels away. Nothing where `target` names a relation. Throws Error where
/// the column lacks the value.
std::optional<RelationMapping> take_class(Mapping& mapping, const std::string& target,
                                          const std::vector<TypedTable>& tables,
                                          TableSource& database, const Place& place);

/// What can be learned in the place of a relation whose last column holds classes: a target for
/// each of the first few. Empty for measures, and nothing where the relation itself can be a
/// target.
std::optional<std::vector<std::string>> targets_of_classes(const RelationMapping& relation,
                                                           const std::vector<TypedTable>& tables,
                                                           TableSource& database);

/// Throws Error where the values of a target's last column are measures, and SeveralTargets where
/// they are classes: no rule could name them, since they stand in no other column.
void check_no_classes(const RelationMapping& target, const std::vector<TypedTable>& tables,
                      TableSource& database, const Place& place);

}  // namespace hri::data
