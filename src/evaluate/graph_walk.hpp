// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where paths of a graph lead, and what a rule's body predicts on it.

#include "hri/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hri::evaluation {

/// Buffers for walks over one graph; one per thread.
class GraphWalk {
  public:
    explicit GraphWalk(const Graph& graph) : graph_(graph), seen_(graph.entities(), 0) {}

    const Graph& graph() const { return graph_; }

    /// The distinct entities to which one step leads from some of `from`. False where more than
    /// `budget` edges were met; those met count against it.
    bool step(std::span<const std::uint32_t> from, StepCode step, std::vector<std::uint32_t>& to,
              std::int64_t& budget);
    /// The same for a path.
    bool reach(std::uint32_t from, std::span<const StepCode> steps, std::vector<std::uint32_t>& to,
               std::int64_t& budget);
    /// Whether a path leads from one entity to the other without the edge of `hidden`, which goes
    /// from `from` to `to`. Beyond the budget it says yes.
    bool connects(std::uint32_t from, std::span<const StepCode> steps, std::uint32_t to,
                  const Triple& hidden, std::int64_t& budget) const;

  private:
    const Graph& graph_;
    std::vector<std::uint32_t> seen_;  // the mark of the last step that met the entity
    std::uint32_t mark_ = 0;
    std::vector<std::uint32_t> other_;
};

inline constexpr Triple kNothingHidden{kNoEntity, kNoEntity, kNoEntity};

/// Whether the condition holds of an entity without the triple `hidden`.
bool holds(const GraphRule::Condition& condition, std::uint32_t entity, const Graph& graph,
           const Triple& hidden);

/// The constant rule's body holds of X without the triple `hidden`.
bool body_holds(const GraphRule& rule, std::uint32_t x, GraphWalk& walk, const Triple& hidden,
                std::int64_t& budget);

/// Counts the evidence of a rule. Where that would meet more than `budget` edges, some of the
/// first entities of the body stand for all.
Evidence count_evidence(const GraphRule& rule, GraphWalk& walk, std::int64_t& budget);

/// Entities that a rule with constants predicts for its constant; false beyond the budget.
bool body_entities(const GraphRule& rule, GraphWalk& walk, std::vector<std::uint32_t>& into,
                   std::int64_t& budget);

}  // namespace hri::evaluation
