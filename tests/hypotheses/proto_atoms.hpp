// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/protorules.hpp"

#include <utility>
#include <vector>

namespace hri {

/// An atom of a proto-rule for predicates of its arity or fewer.
inline ProtoAtom any(std::vector<int> arguments) { return {true, std::move(arguments)}; }

/// An atom of a proto-rule for predicates of exactly its arity.
inline ProtoAtom exact(std::vector<int> arguments) { return {false, std::move(arguments)}; }

}  // namespace hri
