// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/model.hpp"

#include <filesystem>
#include <vector>

namespace hri::cli {

/// From a table as read_embedding_table() reads it. Its vectors have the model's dimension, or that
/// of the table which the model started from: then they are projected as that was. Predicates that
/// the table does not know are left out. Throws Error with the place.
Embeddings read_embeddings(const std::filesystem::path& path,
                           const std::vector<PredicateSymbol>& predicates, const Model& model);

}  // namespace hri::cli
