// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run of mine_rules(): rounds over all relations, and where it stands between them.

#include "hri/mine.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/graph_walk.hpp"
#include "search/graph_paths.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_set>
#include <vector>

namespace hri::search {

/// What is known of one relation between rounds.
struct RelationSearch {
    std::uint32_t relation = 0;
    std::vector<GraphRule> paths;
    std::vector<GraphRule> constants;
    std::unordered_set<PathBody, PathBodyHash> counted;
    std::int64_t work = 0;    ///< edges met so far
    std::int64_t bodies = 0;  ///< whose evidence was counted
    int idle = 0;             ///< rounds in a row that found no new body
    bool has_trees = false;
    bool has_long_constants = false;
    bool finished = false;
    std::uint32_t cut = 0;  ///< parts of the first round whose time was over, as bits
};

/// The buffers of a thread.
struct MineWorker {
    evaluation::GraphWalk walk;
    PathFinder finder;
    double until = 0;  ///< seconds: when the time of the relation under way is over

    explicit MineWorker(const Graph& graph) : walk(graph), finder(graph) {}
};

class Miner {
  public:
    Miner(const Graph& graph, const MineSettings& settings);

    Mined run();

  private:
    using Clock = std::chrono::steady_clock;

    void short_paths(RelationSearch& search, int length, MineWorker& worker);
    void frequencies(RelationSearch& search);
    void short_constants(RelationSearch& search, MineWorker& worker);
    void first_round(std::vector<RelationSearch*> open);
    void later_round(RelationSearch& search, int round, MineWorker& worker);
    void count_paths(RelationSearch& search, const PathCounts& found, int length,
                     std::uint32_t at_least, MineWorker& worker, std::int64_t budget);
    void cap(std::vector<GraphRule>& rules) const;
    nlohmann::json identity() const;
    std::string checkpoint(int next_round) const;
    int restore(const std::string& bytes);
    bool stopped() const;

    bool share_is_over(const MineWorker& worker) const {
        return stopped() || seconds() > worker.until;
    }

    /// The same, but not before `sure` of the things are done that are counted.
    bool cut(const MineWorker& worker, std::size_t done, std::size_t sure) const {
        return done < sure ? stopped() : share_is_over(worker);
    }

    void each_search(const std::vector<RelationSearch*>& searches, int round, double until,
                     const std::function<void(RelationSearch&, MineWorker&)>& visit);

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    const Graph& graph_;
    const MineSettings& settings_;
    Clock::time_point begin_;
    std::vector<RelationSearch> searches_;
    base::ThreadPool pool_;
    std::vector<std::unique_ptr<MineWorker>> idle_;
};

}  // namespace hri::search
