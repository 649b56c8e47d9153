// SPDX-License-Identifier: Apache-2.0
#pragma once

// The triples by which a combination of rules is chosen: validation triples, and training triples
// that are taken out of the graph for a while.

#include "hri/graph.hpp"

#include "evaluate/contests.hpp"
#include "evaluate/graph_queries.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Some training triples, and the graph without them.
struct HeldOut {
    Graph graph;
    Workers workers;
    std::vector<std::vector<Triple>> triples;  ///< by relation

    HeldOut(const Graph& all, std::vector<Triple> rest, std::vector<std::vector<Triple>> out)
        : graph(all.entities(), all.relations(), std::move(rest)),
          workers(graph),
          triples(std::move(out)) {}
};

/// One tenth of each relation at a time; several times where the graph is small, and of large
/// relations less. Nothing where the graph is tiny, or too large to be copied.
std::vector<std::unique_ptr<HeldOut>> hold_out(const Graph& graph,
                                               std::span<const InventedRelation> invented);

/// Queries of validation triples, and what these hold true.
class ValidQueries {
  public:
    /// `most` of each relation are asked for, in either direction.
    ValidQueries(const GraphData& data, std::size_t relations, std::size_t most);

    /// Validation triples of a relation.
    std::size_t count(std::uint32_t relation) const { return by_relation_[relation].size(); }

    /// Some of a step's queries in a random order, which is always the same.
    std::vector<Query> queries(StepCode step, std::size_t most) const;
    /// The half to which the triple of a query belongs.
    Halves half(StepCode step, const Query& query) const;
    std::span<const ValidAnswer> answers(StepCode step, std::uint32_t source) const;

  private:
    struct Key {
        StepCode step = 0;
        std::uint32_t source = 0;
        auto operator<=>(const Key&) const = default;
    };

    const GraphData& data_;
    std::vector<std::vector<std::uint32_t>> by_relation_;  // numbers of triples
    std::vector<Key> keys_;                                // sorted, beside ...
    std::vector<ValidAnswer> answers_;                     // ... what they have
};

}  // namespace hri::evaluation
