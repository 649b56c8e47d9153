// SPDX-License-Identifier: Apache-2.0

// Filtered ranks, relation by relation and direction by direction.

#include "hri/ranking.hpp"

#include "base/fields.hpp"
#include "base/thread_pool.hpp"
#include "evaluate/aggregation.hpp"
#include "evaluate/graph_queries.hpp"
#include "evaluate/rule_index.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

namespace hri {
namespace evaluation {
namespace {

void add(RankScore& score, const Rank& rank) {
    const double mean = rank.mean();
    ++score.queries;
    score.mrr += 1 / mean;
    score.hits_1 += mean <= 1 ? 1 : 0;
    score.hits_3 += mean <= 3 ? 1 : 0;
    score.hits_10 += mean <= 10 ? 1 : 0;
    score.optimistic_mrr += 1 / rank.optimistic();
}

void finish(RankScore& score) {
    const double n = std::max<double>(1, static_cast<double>(score.queries));
    for (double* sum :
         {&score.mrr, &score.hits_1, &score.hits_3, &score.hits_10, &score.optimistic_mrr}) {
        *sum /= n;
    }
}

}  // namespace
}  // namespace evaluation

Ranking rank(const GraphRules& rules, const GraphData& data, const Graph& graph,
             std::span<const Triple> triples, const RankSettings& settings) {
    using namespace evaluation;
    const Graph all = true_triples(data, !settings.hide_test);
    const auto groups = triples_by_relation(triples, data.relations.size());
    const auto of = by_relation(rules.rules, graph.relations());
    base::ThreadPool pool(std::max(1, settings.threads));
    Workers workers(graph);
    Ranking ranking;
    ranking.relations.resize(data.relations.size());
    std::size_t done = 0;
    for (StepCode step = 0; step < graph.steps(); ++step) {
        const std::vector<std::uint32_t>& group = groups[relation_of(step)];
        if (group.empty() || (settings.interrupt != nullptr && settings.interrupt->load())) {
            continue;
        }
        const RuleIndex index(graph, rules.rules, of[relation_of(step)], step);
        const auto chosen = rules.aggregations.find(step);
        const Aggregator aggregator(
            index, chosen == rules.aggregations.end() ? Aggregation{} : chosen->second);
        std::vector<Query> queries;
        for (const std::uint32_t i : group) {
            queries.push_back(query_of(triples[i], step));
        }
        std::vector<Rank> ranks(queries.size());
        each_query(index, queries, pool, workers,
                   [&](std::size_t i, const Query& query, RankWorker& worker) {
                       const auto known = all.neighbours(query.source, step);
                       ranks[i] =
                           settings.extra
                               ? blended_rank_of(query.answer, worker.candidates, aggregator, known,
                                                 all.entities(), settings.extra(step, query.source),
                                                 settings.extra_weight)
                               : rank_of(query.answer, worker.candidates, aggregator, known,
                                         all.entities());
                   });
        for (const Rank& one : ranks) {
            add(ranking.all, one);
            add(is_backward(step) ? ranking.heads : ranking.tails, one);
            add(ranking.relations[relation_of(step)], one);
        }
        done += group.size();
        if (settings.progress) {
            settings.progress(static_cast<double>(done) / (2.0 * double(triples.size())));
        }
    }
    finish(ranking.all);
    finish(ranking.heads);
    finish(ranking.tails);
    std::for_each(ranking.relations.begin(), ranking.relations.end(), finish);
    return ranking;
}

double choose_extra_weight(const GraphRules& rules, const GraphData& data, const Graph& graph,
                           RankSettings settings) {
    settings.hide_test = true;
    std::mutex mutex;
    std::map<std::pair<StepCode, std::uint32_t>, std::vector<EntityScore>> known;
    const ExtraScores asked = std::move(settings.extra);
    settings.extra = [&](StepCode step, std::uint32_t source) {
        {
            const std::lock_guard lock(mutex);
            if (const auto found = known.find({step, source}); found != known.end()) {
                return found->second;
            }
        }
        std::vector<EntityScore> scores = asked(step, source);
        const std::lock_guard lock(mutex);
        return known.try_emplace({step, source}, std::move(scores)).first->second;
    };
    double best_weight = 0;
    double best = -1;
    for (const double weight : {0.0, 0.1, 0.3, 1.0, 3.0, 10.0}) {
        settings.extra_weight = weight;
        const double mrr = rank(rules, data, graph, data.valid, settings).all.mrr;
        if (mrr > best) {
            best = mrr;
            best_weight = weight;
        }
    }
    return best_weight;
}

std::vector<Answer> answers(const GraphRules& rules, const Graph& graph, StepCode query,
                            std::uint32_t source, int top) {
    using namespace evaluation;
    std::vector<std::uint32_t> of;
    for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
        if (relation_of(rules.rules[i].head) == relation_of(query)) {
            of.push_back(i);
        }
    }
    const RuleIndex index(graph, rules.rules, of, query);
    const auto chosen = rules.aggregations.find(query);
    const Aggregator aggregator(
        index, chosen == rules.aggregations.end() ? Aggregation{} : chosen->second);
    RankWorker worker(graph);
    index.hits(source, worker.walk, worker.hits);
    worker.candidates.group(worker.hits);
    const std::span<const std::uint32_t> known = graph.neighbours(source, query);
    std::vector<std::pair<Score8, std::size_t>> order;
    for (std::size_t i = 0; i < worker.candidates.size(); ++i) {
        if (!std::binary_search(known.begin(), known.end(), worker.candidates.entity(i))) {
            order.emplace_back(
                aggregator.score(worker.candidates.entity(i), worker.candidates.rules(i)), i);
        }
    }
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        return a.first != b.first
                   ? a.first > b.first
                   : worker.candidates.entity(a.second) < worker.candidates.entity(b.second);
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(top, 0))));
    std::vector<Answer> best;
    for (const auto& [score, i] : order) {
        const std::span<const std::uint32_t> fired = worker.candidates.rules(i);
        std::vector<std::uint32_t> locals(fired.begin(), fired.end());
        std::stable_sort(locals.begin(), locals.end(), [&](std::uint32_t a, std::uint32_t b) {
            return aggregator.confidence_of(a) > aggregator.confidence_of(b);
        });
        constexpr std::size_t kShown = 5;
        locals.resize(std::min(locals.size(), kShown));
        for (std::uint32_t& local : locals) {
            local = index.number(local);
        }
        best.push_back({worker.candidates.entity(i), aggregator.shown(score), std::move(locals)});
    }
    return best;
}

template <>
const std::vector<Field<RankSettings>>& fields_of<RankSettings>() {
    using S = RankSettings;
    constexpr const char* kGroup = "Ranking";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "threads",
                      .help = "The number of threads; the result does not depend on it.",
                      .group = kGroup,
                      .common = true},
                     &S::threads, 1, 1024),
        base::number({.name = "extra_weight",
                      .help = "The weight of scores from elsewhere, beside those of rules.",
                      .group = kGroup},
                     &S::extra_weight, 0),
        base::boolean({.name = "hide_test",
                       .help = "Test triples do not count as true answers. Choices that are made "
                               "on validation triples need this.",
                       .group = kGroup},
                      &S::hide_test),
        base::number(
            {.name = "choice_seconds",
             .help = "The seconds for the choice how rules are combined; 0 means no limit.",
             .group = kGroup,
             .placeholder = "SECONDS"},
            &S::choice_seconds, 0)};
    return fields;
}

}  // namespace hri
