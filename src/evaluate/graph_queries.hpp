// SPDX-License-Identifier: Apache-2.0
#pragma once

// Queries about a graph, answered by an index of rules on all threads.

#include "hri/graph.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/aggregation.hpp"
#include "evaluate/rule_index.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hri::evaluation {

/// The buffers of a thread.
struct RankWorker {
    GraphWalk walk;
    Candidates candidates;
    std::vector<Hit> hits;

    explicit RankWorker(const Graph& graph) : walk(graph), candidates(graph.entities()) {}
};

/// Hands workers to whoever has none.
class Workers {
  public:
    explicit Workers(const Graph& graph) : graph_(graph) {}

    std::unique_ptr<RankWorker> take() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty()) {
            return std::make_unique<RankWorker>(graph_);
        }
        std::unique_ptr<RankWorker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
    }

    void give(std::unique_ptr<RankWorker> worker) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(worker));
    }

  private:
    const Graph& graph_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<RankWorker>> idle_;
};

/// What is true, for the filter of ranks.
inline Graph true_triples(const GraphData& data, bool with_test) {
    std::vector<Triple> all = data.training;
    all.insert(all.end(), data.valid.begin(), data.valid.end());
    if (with_test) {
        all.insert(all.end(), data.test.begin(), data.test.end());
    }
    return {data.entities.size(), data.relations.size(), std::move(all)};
}

inline std::vector<std::vector<std::uint32_t>> triples_by_relation(std::span<const Triple> triples,
                                                                   std::size_t relations) {
    std::vector<std::vector<std::uint32_t>> groups(relations);
    for (std::uint32_t i = 0; i < triples.size(); ++i) {
        groups[triples[i].relation].push_back(i);
    }
    return groups;
}

struct Query {
    std::uint32_t source = 0;
    std::uint32_t answer = 0;
};

inline Query query_of(const Triple& triple, StepCode step) {
    return is_backward(step) ? Query{triple.tail, triple.head} : Query{triple.head, triple.tail};
}

/// Visits queries of one step on all threads: see(i, query, worker) after the hits are grouped;
/// those that are left when stopped() says so are not visited.
template <class See>
void each_query(
    const RuleIndex& index, std::span<const Query> queries, base::ThreadPool& pool,
    Workers& workers, const See& see, const std::function<bool()>& stopped = [] { return false; }) {
    constexpr std::size_t kBlock = 16;
    const std::size_t blocks = (queries.size() + kBlock - 1) / kBlock;
    pool.each(static_cast<int>(blocks), [&](int block) {
        std::unique_ptr<RankWorker> worker = workers.take();
        const std::size_t begin = static_cast<std::size_t>(block) * kBlock;
        const std::size_t end = std::min(begin + kBlock, queries.size());
        for (std::size_t i = begin; i < end && !stopped(); ++i) {
            index.hits(queries[i].source, worker->walk, worker->hits);
            worker->candidates.group(worker->hits);
            see(i, queries[i], *worker);
        }
        workers.give(std::move(worker));
    });
}

}  // namespace hri::evaluation
