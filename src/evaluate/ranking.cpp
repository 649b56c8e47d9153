// SPDX-License-Identifier: Apache-2.0

// Filtered ranks, relation by relation and direction by direction.

#include "hri/ranking.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/aggregation.hpp"
#include "evaluate/rule_index.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

namespace hri {
namespace evaluation {
namespace {

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

/// Everything that is known to be true, for the filter.
Graph all_triples(const GraphData& data) {
    std::vector<Triple> all = data.training;
    all.insert(all.end(), data.valid.begin(), data.valid.end());
    all.insert(all.end(), data.test.begin(), data.test.end());
    return {data.entities.size(), data.relations.size(), std::move(all)};
}

std::vector<std::vector<std::uint32_t>> triples_by_relation(std::span<const Triple> triples,
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

Query query_of(const Triple& triple, StepCode step) {
    return is_backward(step) ? Query{triple.tail, triple.head} : Query{triple.head, triple.tail};
}

/// Visits queries of one step on all threads: see(i, query, worker) after the hits are grouped.
template <class See>
void each_query(const RuleIndex& index, std::span<const Query> queries, base::ThreadPool& pool,
                Workers& workers, const See& see) {
    constexpr std::size_t kBlock = 16;
    const std::size_t blocks = (queries.size() + kBlock - 1) / kBlock;
    pool.each(static_cast<int>(blocks), [&](int block) {
        std::unique_ptr<RankWorker> worker = workers.take();
        const std::size_t begin = static_cast<std::size_t>(block) * kBlock;
        for (std::size_t i = begin; i < std::min(begin + kBlock, queries.size()); ++i) {
            index.hits(queries[i].source, worker->walk, worker->hits);
            worker->candidates.group(worker->hits);
            see(i, queries[i], *worker);
        }
        workers.give(std::move(worker));
    });
}

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

/// What is tried for each relation and direction.
std::vector<Aggregation> choices() {
    std::vector<Aggregation> all;
    for (const bool pca : {false, true}) {
        for (const double pessimism : {2.0, 10.0}) {
            all.push_back({Aggregation::Kind::maximum, pca, pessimism, 0, {}});
            for (const double decay : {0.3, 0.6, 0.85, 1.0}) {
                all.push_back({Aggregation::Kind::noisy_or, pca, pessimism, decay, {}});
            }
        }
    }
    return all;
}

}  // namespace
}  // namespace evaluation

Ranking rank(const GraphRules& rules, const GraphData& data, const Graph& graph,
             std::span<const Triple> triples, const RankSettings& settings) {
    using namespace evaluation;
    const Graph all = all_triples(data);
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
                       ranks[i] = rank_of(query.answer, worker.candidates, aggregator,
                                          all.neighbours(query.source, step), all.entities());
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

void choose_aggregations(GraphRules& rules, const GraphData& data, const Graph& graph,
                         const RankSettings& settings) {
    using namespace evaluation;
    constexpr std::size_t kQueries = 200;  // of one relation and direction
    constexpr double kShrinkage = 20;      // queries that the mean of all relations counts for
    const Graph all = all_triples(data);
    const auto groups = triples_by_relation(data.valid, data.relations.size());
    const auto of = by_relation(rules.rules, graph.relations());
    const std::vector<Aggregation> tried = choices();
    base::ThreadPool pool(std::max(1, settings.threads));
    Workers workers(graph);
    std::vector<std::vector<double>> sums(graph.steps());
    std::vector<double> counts(graph.steps(), 0);
    std::vector<double> means(tried.size(), 0);
    double total = 0;
    for (StepCode step = 0; step < graph.steps(); ++step) {
        sums[step].assign(tried.size(), 0);
        const std::vector<std::uint32_t>& group = groups[relation_of(step)];
        if (group.empty() || (settings.interrupt != nullptr && settings.interrupt->load())) {
            continue;
        }
        const RuleIndex index(graph, rules.rules, of[relation_of(step)], step);
        std::vector<Aggregator> aggregators;
        for (const Aggregation& one : tried) {
            aggregators.emplace_back(index, one);
        }
        std::vector<Query> queries;
        const std::size_t count = std::min(group.size(), kQueries);
        for (std::size_t i = 0; i < count; ++i) {
            queries.push_back(query_of(data.valid[group[i * group.size() / count]], step));
        }
        std::vector<std::vector<double>> reciprocal(queries.size());
        each_query(index, queries, pool, workers,
                   [&](std::size_t i, const Query& query, RankWorker& worker) {
                       const auto known = all.neighbours(query.source, step);
                       for (const Aggregator& aggregator : aggregators) {
                           reciprocal[i].push_back(1 / rank_of(query.answer, worker.candidates,
                                                               aggregator, known, all.entities())
                                                           .mean());
                       }
                   });
        for (const std::vector<double>& one : reciprocal) {
            for (std::size_t j = 0; j < tried.size(); ++j) {
                sums[step][j] += one[j];
            }
        }
        counts[step] = static_cast<double>(count);
        const double weight = static_cast<double>(group.size()) / static_cast<double>(count);
        for (std::size_t j = 0; j < tried.size(); ++j) {
            means[j] += weight * sums[step][j];
        }
        total += static_cast<double>(group.size());
        if (settings.progress) {
            settings.progress(static_cast<double>(step) / graph.steps());
        }
    }
    if (total == 0) {
        return;
    }
    for (StepCode step = 0; step < graph.steps(); ++step) {
        std::size_t best = 0;
        double best_value = -1;
        for (std::size_t j = 0; j < tried.size(); ++j) {
            const double value =
                (sums[step][j] + kShrinkage * means[j] / total) / (counts[step] + kShrinkage);
            if (value > best_value) {
                best_value = value;
                best = j;
            }
        }
        rules.aggregations[step] = tried[best];
    }
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
            order.emplace_back(aggregator.score(worker.candidates.rules(i)), i);
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

}  // namespace hri
