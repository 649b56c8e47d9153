// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules that answer one kind of query, (h,r,?) or (?,r,t), arranged so that one walk from the
// given entity finds all that fire: bodies that begin alike share their walk.

#include "hri/graph.hpp"

#include "evaluate/graph_walk.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hri::evaluation {

/// A rule predicts an entity. Rules are numbered within the index.
struct Hit {
    std::uint32_t entity = 0;
    std::uint32_t rule = 0;
};

class RuleIndex {
  public:
    /// The rules among `of` whose heads answer the query. The rules must outlive the index.
    RuleIndex(const Graph& graph, std::span<const GraphRule> rules,
              std::span<const std::uint32_t> of, StepCode query);

    const Graph& graph() const { return graph_; }

    StepCode query() const { return query_; }

    std::size_t size() const { return used_.size(); }

    const GraphRule& rule(std::uint32_t local) const { return rules_[used_[local]]; }

    std::uint32_t number(std::uint32_t local) const { return used_[local]; }

    /// All predictions for a source, on the walk's graph: the index's own, or one with fewer
    /// triples. Walks that meet too many edges are cut, at the same place on
    /// every machine.
    void hits(std::uint32_t source, GraphWalk& walk, std::vector<Hit>& into) const;

  private:
    struct Ending {
        std::uint32_t end = kNoEntity;  // that the path must reach
        std::uint32_t constant = 0;     // that is predicted then
        std::uint32_t rule = 0;
        auto operator<=>(const Ending&) const = default;
    };

    struct Node {
        StepCode step = 0;
        std::vector<std::uint32_t> children;
        std::vector<std::uint32_t> paths;  // rules that predict what the walk reaches
        std::vector<Ending> free;          // that need it to reach anything
        std::vector<Ending> endings;       // by end
    };

    std::uint32_t node_of(std::span<const StepCode> steps);
    void visit(const Node& node, std::span<const std::uint32_t> reached, std::uint32_t source,
               GraphWalk& walk, int depth, std::int64_t& budget, std::vector<Hit>& into) const;

    const Graph& graph_;
    std::span<const GraphRule> rules_;
    StepCode query_;
    bool reflexive_;
    std::vector<std::uint32_t> used_;
    std::vector<Node> nodes_{1};
    /// For rules that predict all entities of a body when their constant is asked about.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_constant_;
};

/// The rules of each relation, by number.
std::vector<std::vector<std::uint32_t>> by_relation(std::span<const GraphRule> rules,
                                                    std::uint32_t relations);

}  // namespace hri::evaluation
