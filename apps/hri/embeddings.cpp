// SPDX-License-Identifier: Apache-2.0
#include "embeddings.hpp"

#include "hri/priors.hpp"

#include <fmt/format.h>

namespace hri::cli {

Embeddings read_embeddings(const std::filesystem::path& path,
                           const std::vector<PredicateSymbol>& predicates, const Model& model) {
    const EmbeddingTable table = read_embedding_table(path);
    const auto known = static_cast<int>(model.projection.mean.size());
    const int dimension = model.parameters.dimension;
    if (table.dimension != dimension && table.dimension != known) {
        throw Error(fmt::format("expected vectors of {} numbers, found {}",
                                known == 0 ? fmt::format("{}", dimension)
                                           : fmt::format("{} or {}", known, dimension),
                                table.dimension),
                    {path.string(), 1, 1},
                    known == 0
                        ? "the vectors have the model's dimension"
                        : "the vectors are like those of the table that the model started from, or "
                          "have the model's dimension");
    }
    Embeddings embeddings;
    for (const PredicateSymbol& predicate : predicates) {
        const auto exact = table.rows.find(fmt::format("{}/{}", predicate.name, predicate.arity));
        const std::optional<std::vector<float>> vector =
            exact != table.rows.end() ? exact->second : table.find(predicate.name);
        if (vector) {
            embeddings[predicate] = table.dimension == known ? model.projection(*vector) : *vector;
        }
    }
    return embeddings;
}

}  // namespace hri::cli
