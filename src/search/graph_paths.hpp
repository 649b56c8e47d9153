// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bodies of path rules: the paths between the two ends of facts.

#include "hri/graph.hpp"
#include "hri/random.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hri::search {

using PathBody = std::array<StepCode, GraphRule::kMaxLength>;

struct PathBodyHash {
    std::size_t operator()(const PathBody& body) const {
        std::uint64_t hash = 0x9E3779B97F4A7C15U;
        for (const StepCode step : body) {
            hash = (hash ^ step) * 0xD6E8FEB86659FD93U;
            hash ^= hash >> 32U;
        }
        return hash;
    }
};

constexpr StepCode kNoStep = ~StepCode{0};

/// How many of the facts looked at a path joins.
struct PathCount {
    std::uint32_t facts = 0;
    std::uint32_t last = ~std::uint32_t{0};  ///< the last fact that was counted
};

using PathCounts = std::unordered_map<PathBody, PathCount, PathBodyHash>;

/// Looks for paths of one length; one per thread.
class PathFinder {
  public:
    explicit PathFinder(const Graph& graph) : graph_(graph), marks_(graph.entities(), 0) {}

    /// Adds the paths between the ends of a fact which do not meet an entity twice. Where they are
    /// many, `samples` random beginnings stand for all. `fact` numbers the fact. Edges met count
    /// against the budget.
    void find(const Triple& triple, std::uint32_t fact, int length, int samples, Random& random,
              PathCounts& into, std::int64_t& budget);

  private:
    void extend(std::uint32_t at, int depth, int length, bool all, Random& random);
    void close(std::uint32_t at, int length);

    const Graph& graph_;
    std::vector<std::uint32_t> marks_;  // entities next to the fact's tail
    std::uint32_t mark_ = 0;
    // of the search under way
    PathBody body_{};
    std::array<std::uint32_t, GraphRule::kMaxLength + 1> met_{};
    Triple triple_{};
    std::uint32_t fact_ = 0;
    PathCounts* into_ = nullptr;
    std::int64_t* budget_ = nullptr;
};

}  // namespace hri::search
