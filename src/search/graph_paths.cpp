// SPDX-License-Identifier: Apache-2.0
#include "search/graph_paths.hpp"

#include <algorithm>

namespace hri::search {
namespace {

constexpr std::size_t kMaxScanned = 500;  // edges of one entity at the last but one step

}  // namespace

void PathFinder::find(const Triple& triple, std::uint32_t fact, int length, int samples,
                      Random& random, PathCounts& into, std::int64_t& budget) {
    triple_ = triple;
    fact_ = fact;
    into_ = &into;
    budget_ = &budget;
    body_.fill(kNoStep);
    met_[0] = triple.head;
    if (triple.head == triple.tail) {
        return;
    }
    if (length == 1) {
        for (const Edge& edge : graph_.edges_between(triple.head, triple.tail)) {
            if (edge.step != forward(triple.relation)) {
                body_[0] = edge.step;
                PathCount& count = into[body_];
                count.facts += 1;
            }
        }
        budget -= 2;
        return;
    }
    if (++mark_ == 0) {
        std::fill(marks_.begin(), marks_.end(), 0);
        mark_ = 1;
    }
    const std::span<const Edge> around = graph_.edges(triple.tail);
    budget -= static_cast<std::int64_t>(around.size());
    for (const Edge& edge : around) {
        marks_[edge.target] = mark_;
    }
    if (length == 2) {
        close(triple.head, length);
        return;
    }
    // all beginnings where they are few, else random ones
    const std::size_t first = graph_.edges(triple.head).size();
    if (length == 3 && first <= static_cast<std::size_t>(samples)) {
        extend(triple.head, 0, length, true, random);
        return;
    }
    for (int i = 0; i < samples && budget > 0; ++i) {
        extend(triple.head, 0, length, false, random);
    }
}

/// Goes on until two steps are left.
void PathFinder::extend(std::uint32_t at, int depth, int length, bool all, Random& random) {
    const std::span<const Edge> edges = graph_.edges(at);
    *budget_ -= 2;
    if (depth == length - 2) {
        close(at, length);
        return;
    }
    const std::size_t only =
        all ? 0 : static_cast<std::size_t>(random.below(static_cast<int>(edges.size())));
    for (std::size_t i = only; i < (all ? edges.size() : only + 1); ++i) {
        const std::uint32_t next = edges[i].target;
        if (next == triple_.tail ||
            std::find(met_.begin(), met_.begin() + depth + 1, next) != met_.begin() + depth + 1) {
            continue;
        }
        body_[static_cast<std::size_t>(depth)] = edges[i].step;
        met_[static_cast<std::size_t>(depth) + 1] = next;
        extend(next, depth + 1, length, all, random);
    }
}

/// The last two steps: over the entities next to both `at` and the tail.
void PathFinder::close(std::uint32_t at, int length) {
    const auto depth = static_cast<std::size_t>(length - 2);
    const std::span<const Edge> edges = graph_.edges(at);
    // a window of the edges of a hub, another one for each fact
    const std::size_t count = std::min(edges.size(), kMaxScanned);
    const std::size_t shift =
        edges.size() > kMaxScanned ? (std::size_t{fact_} * 7919) % edges.size() : 0;
    *budget_ -= static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Edge& edge = edges[(i + shift) % edges.size()];
        if (marks_[edge.target] != mark_ || edge.target == triple_.tail ||
            std::find(met_.begin(), met_.begin() + length - 1, edge.target) !=
                met_.begin() + length - 1) {
            continue;
        }
        body_[depth] = edge.step;
        for (const Edge& last : graph_.edges_between(edge.target, triple_.tail)) {
            body_[depth + 1] = last.step;
            PathCount& known = (*into_)[body_];
            if (known.last != fact_) {
                known.last = fact_;
                known.facts += 1;
            }
        }
    }
}

}  // namespace hri::search
