// SPDX-License-Identifier: Apache-2.0
#include "embeddings.hpp"

#include "base/fields.hpp"

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

void PriorFlags::add_to(Command& command) {
    static const std::vector<Field<PriorFlags>> fields = {
        base::text({.name = "init",
                    .help = "The background embeddings at the start: random, or table:FILE with a "
                            "name and a vector per line.",
                    .group = "Rounds",
                    .placeholder = "random|table:FILE",
                    .common = true},
                   &PriorFlags::init),
        base::choice({.name = "init_order",
                      .help = "Whose the vectors of the table are: those of the names on their "
                              "lines, or of the names in alphabetical order.",
                      .group = "Rounds",
                      .common = true},
                     &PriorFlags::order,
                     {{"listed", TableOrder::listed}, {"sorted", TableOrder::sorted}})};
    add_flags(command, *this, fields);
}

std::optional<Prior> PriorFlags::read(const std::vector<PredicateSymbol>& predicates, int dimension,
                                      std::uint64_t seed) const {
    constexpr std::string_view kTable = "table:";
    if (init == "random") {
        return std::nullopt;
    }
    if (!init.starts_with(kTable)) {
        throw Error(fmt::format("init: expected random or table:FILE, found '{}'", init));
    }
    return make_prior(read_embedding_table(init.substr(kTable.size()), order), predicates,
                      dimension, seed);
}

}  // namespace hri::cli
