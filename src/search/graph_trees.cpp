// SPDX-License-Identifier: Apache-2.0
#include "search/graph_trees.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace hri::search {
namespace {

constexpr std::size_t kPaths = 40;      // that conditions are looked for
constexpr std::size_t kConditions = 8;  // for one path
constexpr std::size_t kPairs = 4000;    // predictions looked at for one path
constexpr std::size_t kEdges = 60;      // of one entity
constexpr double kMinSupport = 5;
constexpr double kMinGain = 1.3;  // of the confidence

struct Count {
    std::uint32_t right = 0;
    std::uint32_t all = 0;
};

using ConditionCounts = std::map<GraphRule::Condition, Count>;

void add_features(const Graph& graph, std::uint32_t entity, bool of_answer, bool right,
                  std::uint32_t relation, ConditionCounts& counts) {
    const std::span<const Edge> edges = graph.edges(entity);
    const std::size_t count = std::min(edges.size(), kEdges);
    for (std::size_t i = 0; i < count; ++i) {
        const Edge& edge = edges[i * edges.size() / count];
        if (relation_of(edge.step) == relation) {
            continue;  // the fact itself would count
        }
        Count& one = counts[{edge.step, edge.target, of_answer, true}];
        one.all += 1;
        one.right += right ? 1 : 0;
    }
}

/// How often conditions hold of right and of all predictions.
ConditionCounts conditions_of(const GraphRule& path, evaluation::GraphWalk& walk,
                              std::int64_t& budget) {
    const Graph& graph = walk.graph();
    const std::uint32_t relation = relation_of(path.head);
    ConditionCounts counts;
    std::vector<std::uint32_t> reached;
    std::size_t pairs = 0;
    const std::span<const std::uint32_t> subjects = graph.subjects(path.steps[0]);
    const std::size_t tries = std::min<std::size_t>(subjects.size(), kPairs);
    for (std::size_t i = 0; i < tries && pairs < kPairs && budget > 0; ++i) {
        const std::uint32_t x = subjects[i * subjects.size() / tries];
        if (!walk.reach(x, path.body(), reached, budget)) {
            break;
        }
        const std::span<const std::uint32_t> facts = graph.neighbours(x, path.head);
        for (std::size_t j = 0; j < std::min<std::size_t>(reached.size(), 20); ++j) {
            const std::uint32_t y = reached[j];
            const bool right = std::binary_search(facts.begin(), facts.end(), y);
            add_features(graph, x, false, right, relation, counts);
            add_features(graph, y, true, right, relation, counts);
            budget -= static_cast<std::int64_t>(2 * kEdges);
            ++pairs;
        }
    }
    return counts;
}

}  // namespace

void tree_rules(std::vector<GraphRule>& rules, const MineSettings& settings,
                evaluation::GraphWalk& walk, std::int64_t& budget) {
    std::vector<GraphRule> best;
    for (const GraphRule& rule : rules) {
        if (rule.is_path() && !rule.condition.given && confidence(rule.evidence) < 0.9 &&
            rule.evidence.support >= 2 * kMinSupport) {
            best.push_back(rule);
        }
    }
    std::stable_sort(best.begin(), best.end(), [](const GraphRule& a, const GraphRule& b) {
        return a.evidence.support * confidence(a.evidence) >
               b.evidence.support * confidence(b.evidence);
    });
    best.resize(std::min(best.size(), kPaths));
    for (const GraphRule& path : best) {
        if (budget < 0) {
            return;
        }
        std::vector<std::pair<double, GraphRule::Condition>> found;
        for (const auto& [condition, count] : conditions_of(path, walk, budget)) {
            const double now = count.right / (count.all + 5.0);
            if (count.right >= kMinSupport && now >= kMinGain * confidence(path.evidence)) {
                found.emplace_back(now * std::sqrt(double(count.right)), condition);
            }
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        found.resize(std::min(found.size(), kConditions));
        for (const auto& [value, condition] : found) {
            constexpr std::int64_t kPerBody = 300'000;
            GraphRule tree = path;
            tree.condition = condition;
            std::int64_t left = kPerBody;
            tree.evidence = evaluation::count_evidence(tree, walk, left);
            budget -= kPerBody - left;
            if (tree.evidence.support >= std::max(settings.min_support, kMinSupport) &&
                confidence(tree.evidence, 5) >= kMinGain * confidence(path.evidence)) {
                rules.push_back(tree);
            }
        }
    }
}

}  // namespace hri::search
