// SPDX-License-Identifier: Apache-2.0

// Filtered ranks, against a ranking that scores every entity by every rule.

#include "hri/ranking.hpp"

#include "hri/mine.hpp"

#include "evaluate/aggregation.hpp"
#include "evaluate/graph_walk.hpp"
#include "support/random_graph.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace hri::test {
namespace {

/// The confidences of all rules that predict the pair, falling.
std::vector<float> fired(const GraphRules& rules, const Graph& graph, const Aggregation& how,
                         StepCode query, std::uint32_t source, std::uint32_t answer) {
    constexpr Triple kNothing{kNoEntity, kNoEntity, kNoEntity};
    evaluation::GraphWalk walk(graph);
    std::vector<float> all;
    const std::uint32_t head = is_backward(query) ? answer : source;
    const std::uint32_t tail = is_backward(query) ? source : answer;
    for (const GraphRule& rule : rules.rules) {
        std::int64_t budget = std::numeric_limits<std::int64_t>::max();
        if (relation_of(rule.head) != relation_of(query) ||
            (head == tail && !graph.is_reflexive(relation_of(query)))) {
            continue;
        }
        bool fires = false;
        if (rule.is_path()) {
            fires = walk.connects(head, rule.body(), tail, kNothing, budget) &&
                    (!rule.condition.given ||
                     evaluation::holds(rule.condition, rule.condition.of_answer ? tail : head,
                                       graph, kNothing));
        } else {
            const std::uint32_t x = is_backward(rule.head) ? tail : head;
            const std::uint32_t c = is_backward(rule.head) ? head : tail;
            // a rule without a body ranks its constants only
            fires = c == rule.constant && (rule.length > 0 || rule.head == query) &&
                    evaluation::body_holds(rule, x, walk, kNothing, budget);
        }
        if (fires) {
            all.push_back(static_cast<float>(std::min(
                0.9999, how.pca ? pca_confidence(rule.evidence, is_backward(query), how.pessimism)
                                : confidence(rule.evidence, how.pessimism))));
        }
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    return all;
}

std::vector<double> naive_score(const std::vector<float>& fired, const Aggregation& how) {
    std::vector<double> parts(fired.begin(),
                              fired.begin() + std::min<std::ptrdiff_t>(std::ssize(fired), 8));
    if (how.kind == Aggregation::Kind::maximum) {
        parts.resize(8, 0);
        return parts;
    }
    double sum = 0;
    double factor = 1;
    for (const double one :
         how.decay == 1 ? std::vector<double>(fired.begin(), fired.end()) : parts) {
        sum -= factor * std::log1p(-one);
        factor *= how.decay;
    }
    return {std::round(sum * 1e5)};
}

void expect_same(const Aggregation& how) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const GraphData data = random_graph(seed, 15, 3, 120, seed % 2 == 0);
        const Graph graph(data);
        GraphRules rules = mine_rules(graph, {.seed = seed,
                                              .time_limit = 0,
                                              .max_work = 10,
                                              .min_confidence = 0.2,
                                              .max_rules = 150})
                               .rules;
        std::set<Triple> truths(data.training.begin(), data.training.end());
        truths.insert(data.valid.begin(), data.valid.end());
        truths.insert(data.test.begin(), data.test.end());
        double mrr = 0;
        double optimistic = 0;
        double queries = 0;
        for (StepCode step = 0; step < graph.steps(); ++step) {
            rules.aggregations[step] = how;
        }
        for (const Triple& triple : data.test) {
            for (const bool back : {false, true}) {
                const StepCode query = back ? backward(triple.relation) : forward(triple.relation);
                const std::uint32_t source = back ? triple.tail : triple.head;
                const std::uint32_t answer = back ? triple.head : triple.tail;
                const auto score_of = [&](std::uint32_t entity) {
                    return naive_score(fired(rules, graph, how, query, source, entity), how);
                };
                const std::vector<double> mine = score_of(answer);
                double better = 0;
                double equal = 0;
                for (std::uint32_t e = 0; e < graph.entities(); ++e) {
                    const Triple other = back ? Triple{e, triple.relation, source}
                                              : Triple{source, triple.relation, e};
                    if (e != answer && !truths.contains(other)) {
                        better += score_of(e) > mine ? 1 : 0;
                        equal += score_of(e) == mine ? 1 : 0;
                    }
                }
                mrr += 1 / (1 + better + equal / 2);
                optimistic += 1 / (1 + better);
                ++queries;
            }
        }
        const Ranking ranking = rank(rules, data, graph, data.test);
        EXPECT_EQ(ranking.all.queries, queries);
        EXPECT_NEAR(ranking.all.mrr, mrr / queries, 2e-3) << seed;
        EXPECT_NEAR(ranking.all.optimistic_mrr, optimistic / queries, 2e-3) << seed;
    }
}

TEST(Ranking, OfTheMaximumAgreesWithTheNaiveOne) {
    expect_same({Aggregation::Kind::maximum, false, 5, 0, {}});
}

TEST(Ranking, OfNoisyOrAgreesWithTheNaiveOne) {
    expect_same({Aggregation::Kind::noisy_or, false, 5, 1, {}});
    expect_same({Aggregation::Kind::noisy_or, true, 2, 0.5, {}});
}

TEST(Ranking, GivesATieTheMeanRankOfItsMembers) {
    GraphData data;
    std::vector<Triple> ignored;
    read_graph_text("a\tp\tb\na\tp\tc\na\tp\td\nx\tp\ty\nx\tr\ty\n", "train.txt", false, data,
                    data.training);
    read_graph_text("a\tr\tb\n", "test.txt", false, data, data.test);
    const Graph graph(data);
    GraphRules rules;
    GraphRule rule;
    rule.head = forward(*data.relations.find("r"));
    rule.length = 1;
    rule.steps[0] = forward(*data.relations.find("p"));
    rule.evidence = {1, 4, 1, 1, false};
    rules.rules = {rule};
    // b, c and d tie for (a,r,?): rank 2. For (?,r,b), a alone is predicted: rank 1.
    const Ranking ranking = rank(rules, data, graph, data.test);
    EXPECT_DOUBLE_EQ(ranking.tails.mrr, 0.5);
    EXPECT_DOUBLE_EQ(ranking.tails.optimistic_mrr, 1);
    EXPECT_DOUBLE_EQ(ranking.heads.mrr, 1);
    EXPECT_DOUBLE_EQ(ranking.tails.hits_1, 0);
    EXPECT_DOUBLE_EQ(ranking.tails.hits_3, 1);
}

TEST(Ranking, WithoutRulesIsThatOfChance) {
    const GraphData data = random_graph(1, 10, 1, 20);
    const Ranking ranking = rank({}, data, Graph(data), data.test);
    EXPECT_LT(ranking.all.mrr, 0.5);
    EXPECT_DOUBLE_EQ(ranking.all.optimistic_mrr, 1);
}

TEST(Ranking, IsTheSameForAnyNumberOfThreads) {
    const GraphData data = random_graph(5, 60, 4, 800);
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 50}).rules;
    GraphRules others = rules;
    choose_aggregations(rules, data, graph, {.threads = 1});
    choose_aggregations(others, data, graph, {.threads = 3});
    EXPECT_EQ(rules.aggregations, others.aggregations);
    EXPECT_EQ(rank(rules, data, graph, data.test, {.threads = 1}).all.mrr,
              rank(rules, data, graph, data.test, {.threads = 3}).all.mrr);
}

TEST(Answers, ComeWithTheRulesBehindThemAndWithoutKnownFacts) {
    GraphData data;
    read_graph_text("a\tp\tb\na\tp\tc\na\tr\tc\n", "train.txt", false, data, data.training);
    const Graph graph(data);
    GraphRules rules;
    GraphRule rule;
    rule.head = forward(*data.relations.find("r"));
    rule.length = 1;
    rule.steps[0] = forward(*data.relations.find("p"));
    rule.evidence = {1, 2, 2, 2, false};
    rules.rules = {rule};
    const std::vector<Answer> found = answers(rules, graph, rule.head, *data.entities.find("a"), 5);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(data.entities[found[0].entity], "b");
    EXPECT_THAT(found[0].rules, testing::ElementsAre(0U));
    const GraphQuery query = parse_graph_query("r(a,?)", data, "--query");
    EXPECT_EQ(query.step, rule.head);
    EXPECT_EQ(query.source, *data.entities.find("a"));
    EXPECT_EQ(parse_graph_query("r( ?, c).", data, "--query").step, opposite(rule.head));
    for (const char* wrong : {"r(a,b)", "r(a)", "q(a,?)", "r(z,?)", "r(?,?)"})
        EXPECT_THROW(parse_graph_query(wrong, data, "--query"), Error) << wrong;
}

}  // namespace
}  // namespace hri::test
