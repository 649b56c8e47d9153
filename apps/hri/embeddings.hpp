// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors of words for a model's predicates: where they start, and those of new ones.

#include "hri/priors.hpp"

#include "command.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hri::cli {

/// Embeddings from a table. Its vectors have the model's dimension, or that
/// of the table which the model started from: then they are projected as that was. Predicates that
/// the table does not know are left out. Throws Error with the place.
Embeddings read_embeddings(const std::filesystem::path& path,
                           const std::vector<PredicateSymbol>& predicates, const Model& model);

/// --init and --init-order
struct PriorFlags {
    std::string init = "random";
    TableOrder order = TableOrder::listed;

    void add_to(Command& command);

    /// Nothing where embeddings start at random. Throws Error.
    std::optional<Prior> read(const std::vector<PredicateSymbol>& predicates, int dimension,
                              std::uint64_t seed) const;
};

}  // namespace hri::cli
