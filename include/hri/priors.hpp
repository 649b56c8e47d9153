// SPDX-License-Identifier: Apache-2.0
#pragma once

// Embeddings that know something before training: vectors of words, reduced to a model's dimension.
//
//   EmbeddingTable table = read_embedding_table("glove.tsv");
//   Prior prior = make_prior(table, scenes.predicates(), 30, seed);
//   closest_pairs(prior.rows, 30, 10)                     // bag and backpack

#include "hri/model.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hri {

/// The predicates to which the vectors of a file belong.
enum class TableOrder {
    listed,  ///< to the name on their line
    sorted   ///< the i-th to the i-th name in alphabetical order
};

struct EmbeddingTable {
    int dimension = 0;
    std::map<std::string, std::vector<float>> rows;

    /// The vector of a name; of a name that is not there, the mean of those of its words.
    std::optional<std::vector<float>> find(const std::string& name) const;
};

/// A name and its vector per line, separated by tabs (then a name may have blanks, which become
/// underscores) or blanks. "cow(type)" is cow. Throws Error with the place.
EmbeddingTable read_embedding_table(const std::filesystem::path& path,
                                    TableOrder order = TableOrder::listed);

/// The start of embeddings.
struct Prior {
    std::vector<float> rows;  ///< (predicates, dimension); the first two columns are 0
    int known = 0;            ///< predicates that the table knows
    Projection projection;
};

/// The principal components of the vectors that the table has for the predicates, as long on
/// average as a random start's. A predicate that the table lacks gets a random direction.
Prior make_prior(const EmbeddingTable& table, const std::vector<PredicateSymbol>& predicates,
                 int dimension, std::uint64_t seed);

/// For each of some predicates, given by their places, the one of others whose vector is the most
/// similar. Predicates that the table lacks are left out.
std::map<std::uint32_t, std::uint32_t> nearest_predicates(
    const EmbeddingTable& table, const std::vector<PredicateSymbol>& predicates,
    const std::set<std::uint32_t>& of, const std::set<std::uint32_t>& among);

/// Two rows and their cosine.
struct ClosePair {
    int first = 0;
    int second = 0;
    double similarity = 0;
};

/// The most similar rows of (any, dimension), the most similar first.
std::vector<ClosePair> closest_pairs(const std::vector<float>& rows, int dimension, int count);

}  // namespace hri
