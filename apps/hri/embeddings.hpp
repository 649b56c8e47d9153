// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/model.hpp"

#include <filesystem>
#include <vector>

namespace hri::cli {

/// One predicate per line: its name (or name/arity) and the vector's numbers, separated by blanks.
/// A name without arity stands for every one of `predicates` that has it; names that are not among
/// them are skipped. Throws Error with the place.
Embeddings read_embeddings(const std::filesystem::path& path,
                           const std::vector<PredicateSymbol>& predicates, int dimension);

}  // namespace hri::cli
