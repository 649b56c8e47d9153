// SPDX-License-Identifier: Apache-2.0
#pragma once

// Answers to queries (h,r,?) and (?,r,t), ranked by rules.
//
//   choose_aggregations(rules, data, graph);                  // on the validation triples
//   Ranking ranking = rank(rules, data, graph, data.test);
//   for (const Answer& answer : answers(rules, graph, forward(relation), head, 10)) ...

#include "hri/explain.hpp"
#include "hri/fields.hpp"
#include "hri/graph.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hri {

struct EntityScore {
    std::uint32_t entity = 0;
    float score = 0;
};

/// Scores of some entities as answers to a query, from elsewhere than rules.
using ExtraScores = std::function<std::vector<EntityScore>(StepCode step, std::uint32_t source)>;

struct RankSettings {
    int threads = 1;
    ExtraScores extra = {};   ///< none: rules alone
    double extra_weight = 1;  ///< of it, beside what rules say
    bool hide_test = false;   ///< from the filter: for choices that are made on validation triples
    double choice_seconds = 0;  ///< of choose_aggregations(); 0: no limit
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(double fraction)> progress = {};
};

template <>
const std::vector<Field<RankSettings>>& fields_of<RankSettings>();

/// Filtered ranks: other answers that are known to be true do not count. A tie has the mean rank
/// of its members.
struct RankScore {
    std::int64_t queries = 0;
    double mrr = 0;
    double hits_1 = 0;
    double hits_3 = 0;
    double hits_10 = 0;
    double optimistic_mrr = 0;  ///< each tie at its best rank: not a fair figure
};

struct Ranking {
    RankScore all;
    RankScore tails;                   ///< of queries (h,r,?)
    RankScore heads;                   ///< of queries (?,r,t)
    std::vector<RankScore> relations;  ///< both directions, by relation
};

/// The parts of a rank.
struct Rank {
    double better = 0;  ///< candidates with a higher score
    double equal = 0;   ///< with the same, the answer itself not counted

    double mean() const { return 1 + better + equal / 2; }

    double optimistic() const { return 1 + better; }
};

/// Ranks both ends of every triple. Facts are the training triples alone.
Ranking rank(const GraphRules& rules, const GraphData& data, const Graph& graph,
             std::span<const Triple> triples, const RankSettings& settings = {});

/// Chooses for each relation and direction how rules are combined, by the validation triples; by
/// training triples that are held out for a while where a relation has none. Test triples are not
/// read. Where the time is short, fewer queries are asked.
void choose_aggregations(GraphRules& rules, const GraphData& data, const Graph& graph,
                         const RankSettings& settings = {});

/// The weight of `settings.extra` beside the rules that ranks the validation triples best. Test
/// triples are not read.
double choose_extra_weight(const GraphRules& rules, const GraphData& data, const Graph& graph,
                           RankSettings settings);

struct Answer {
    std::uint32_t entity = 0;
    double score = 0;
    std::vector<std::uint32_t> rules;  ///< that predict it, the most confident first; some of them
};

/// A query (h,r,?) or (?,r,t): a step, and where it begins.
struct GraphQuery {
    StepCode step = 0;
    std::uint32_t source = 0;
};

/// 'r(a,?)' or 'r(?,b)'. `from` is where errors say that it stood. Throws Error.
GraphQuery parse_graph_query(const std::string& text, const GraphData& data,
                             const std::string& from);

/// The best answers to a query from `source` by the step, known facts left out.
std::vector<Answer> answers(const GraphRules& rules, const Graph& graph, StepCode query,
                            std::uint32_t source, int top);

/// The most confident rules that predict a triple, each with facts that make its body true. The
/// triple itself is none of them.
Explanation explain(const GraphRules& rules, const GraphData& data, const Graph& graph,
                    const Triple& triple, int most = 3);

}  // namespace hri
