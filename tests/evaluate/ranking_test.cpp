// SPDX-License-Identifier: Apache-2.0

// Filtered ranks, against a ranking that scores every entity by every rule.

#include "hri/ranking.hpp"

#include "hri/mine.hpp"

#include "evaluate/aggregation.hpp"
#include "evaluate/graph_walk.hpp"
#include "evaluate/learned_weights.hpp"
#include "evaluate/redundant_rules.hpp"
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

GraphRule path_rule(StepCode head, StepCode step, double support, double predictions) {
    GraphRule rule;
    rule.head = head;
    rule.length = 1;
    rule.steps[0] = step;
    rule.evidence = {support, predictions, predictions, predictions, false};
    return rule;
}

/// r1 and r2 hold of the same pairs, r3 of others; all are bodies of rules for r0.
TEST(Ranking, OfClustersCountsRedundantRulesOnce) {
    std::vector<Triple> triples;
    for (std::uint32_t i = 0; i < 40; ++i) {
        triples.push_back({i, 0, i + 40});
        triples.push_back({i, 1, i + 80});
        triples.push_back({i, 2, i + 80});
        triples.push_back({i, 3, i + (i == 0 ? 80 : 120)});
    }
    const Graph graph(160, 4, triples);
    const std::vector<GraphRule> rules = {path_rule(forward(0), forward(1), 6, 10),
                                          path_rule(forward(0), forward(2), 8, 10),
                                          path_rule(forward(0), forward(3), 5, 10)};
    const std::vector<std::uint32_t> all = {0, 1, 2};
    const evaluation::RuleIndex index(graph, rules, all, forward(0));
    const std::vector<std::uint32_t> clusters = evaluation::redundancy_clusters(index);
    EXPECT_EQ(clusters[0], clusters[1]);
    EXPECT_NE(clusters[0], clusters[2]);
    const evaluation::Aggregator aggregator(index, {Aggregation::Kind::clusters, false, 0, 0, {}});
    EXPECT_NEAR(aggregator.shown(aggregator.score(80, all)), 1 - (1 - 0.8) * (1 - 0.5), 1e-6);
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

TEST(ChooseAggregations, GivesTheSameForAnyNumberOfThreads) {
    const GraphData data = random_graph(3, 40, 3, 600);
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 50}).rules;
    GraphRules same = rules;
    choose_aggregations(rules, data, graph, {.threads = 1});
    choose_aggregations(same, data, graph, {.threads = 3});
    EXPECT_EQ(to_prolog(rules, data, graph), to_prolog(same, data, graph));
}

TEST(ChooseAggregations, LearnsThatAConfidentRuleIsWrongWhereABetterOneSpeaks) {
    // r follows p; q holds more often, of the entity beside the right one
    GraphData data;
    std::string text;
    std::string valid;
    for (int i = 0; i < 200; ++i) {
        const std::string x = "x" + std::to_string(i) + "\t";
        const std::string y = "\ty" + std::to_string(i) + "\n";
        const std::string beside = "\ty" + std::to_string(i + 1) + "\n";
        text += x + "p" + y + x + "q" + beside;
        (i % 4 == 0 ? valid : text) += x + "r" + y;
        text += i % 3 == 0 ? "" : x + "r" + beside;
    }
    read_graph_text(text, "train.txt", false, data, data.training);
    read_graph_text(valid, "valid.txt", false, data, data.valid);
    const Graph graph(data);
    GraphRules rules =
        mine_rules(graph, {.time_limit = 0, .max_work = 10, .max_length = 1, .constants = false})
            .rules;
    const double before = rank(rules, data, graph, data.valid).all.mrr;
    choose_aggregations(rules, data, graph);
    EXPECT_GE(rank(rules, data, graph, data.valid).all.mrr, before);
}

TEST(ChooseAggregations, ReadsNoTestTriple) {
    GraphData data = random_graph(4, 40, 3, 600);
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 50}).rules;
    GraphRules same = rules;
    choose_aggregations(rules, data, graph);
    data.test.clear();
    choose_aggregations(same, data, graph);
    EXPECT_EQ(to_prolog(rules, data, graph), to_prolog(same, data, graph));
}

TEST(ChooseAggregations, HoldsTrainingTriplesOutWhereNoneAreForValidation) {
    GraphData data = random_graph(8, 40, 3, 900);
    data.valid.clear();
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 50}).rules;
    choose_aggregations(rules, data, graph);
    EXPECT_EQ(rules.aggregations.size(), 6U);
    for (const auto& [step, how] : rules.aggregations) {
        EXPECT_NE(how, Aggregation{});
    }
}

TEST(ChooseAggregations, KeepsATimeLimit) {
    const GraphData data = random_graph(8, 200, 4, 4000);
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 50}).rules;
    choose_aggregations(rules, data, graph, {.choice_seconds = 1e-9});
    EXPECT_TRUE(rules.aggregations.empty());
}

TEST(RuleWeights, LeaveOutRivalsThatTheirHalfHoldsTrue) {
    const GraphData data = random_graph(1, 20, 2, 200);
    const Graph graph(data);
    const GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 10}).rules;
    const std::vector<std::vector<std::uint32_t>> of = evaluation::by_relation(rules.rules, 2);
    const evaluation::RuleIndex index(graph, rules.rules, of[0], forward(0));
    const evaluation::Aggregator aggregator(index, {Aggregation::Kind::learned, true, 5, 0.5, {}});
    evaluation::Contest contest;  // the answer has rule 0, its rival rule 1
    contest.candidates.resize(2);
    contest.rule_begin = {0, 1, 2};
    contest.rules = {0, 1};
    contest.truth = {0, 2};
    contest.sampled = 2;
    const evaluation::Contest* const contests[] = {&contest};
    const auto weight = [&](evaluation::Halves known) {
        return evaluation::fit_rule_weights(contests, true, known, evaluation::kEvenWeights,
                                            aggregator)[1];
    };
    EXPECT_LT(weight(1), 0);
    EXPECT_EQ(weight(2), 0);
    EXPECT_DOUBLE_EQ(evaluation::reciprocal_rank(contest, true, evaluation::kEvenWeights), 1);
}

TEST(RuleWeights, FavourTheRulesOfTheAnswer) {
    const GraphData data = random_graph(1, 20, 2, 200);
    const Graph graph(data);
    const GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 10}).rules;
    std::vector<std::uint32_t> of;
    for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
        of.push_back(i);
    }
    const evaluation::RuleIndex index(graph, rules.rules, of, forward(0));
    const evaluation::Aggregator aggregator(index, {Aggregation::Kind::learned, true, 5, 0.5, {}});
    ASSERT_GE(index.size(), 2);
    evaluation::Contest contest;  // features tell nothing: the answer has rule 0, its rival rule 1
    contest.candidates.resize(2);
    contest.rule_begin = {0, 1, 2};
    contest.rules = {0, 1};
    contest.sampled = 2;
    const evaluation::Contest* const contests[] = {&contest, &contest};
    const std::vector<float> learned = evaluation::fit_rule_weights(
        contests, true, evaluation::kBothHalves, evaluation::kEvenWeights, aggregator);
    EXPECT_GT(learned[0], 0);
    EXPECT_LT(learned[1], 0);
    EXPECT_DOUBLE_EQ(evaluation::reciprocal_rank(contest, true, evaluation::kEvenWeights), 1 / 1.5);
    EXPECT_DOUBLE_EQ(evaluation::reciprocal_rank(contest, true, evaluation::kEvenWeights, learned),
                     1);
}

TEST(Explain, ProvesATripleByFactsOtherThanItself) {
    GraphData data;
    read_graph_text("a\tp\tb\nb\tq\tc\na\tr\tc\n", "train.txt", false, data, data.training);
    const Graph graph(data);
    const GraphRules rules = parse_graph_rules(
        "r(X,Y) :- r(X,Y).  % support 9, predictions 9, known heads 9, known tails 9\n"
        "r(X,Y) :- p(X,Z1), q(Z1,Y).  % support 3, predictions 4, known heads 4, known tails 4\n",
        "rules.pl", data);
    const Explanation known = explain(rules, data, graph, {0, *data.relations.find("r"), 2});
    EXPECT_TRUE(known.holds);
    ASSERT_EQ(known.reason.body.size(), 1);
    EXPECT_EQ(known.reason.body[0].body[0].atom, "p(a,b)");
    EXPECT_EQ(known.reason.body[0].body[1].atom, "q(b,c)");
    EXPECT_DOUBLE_EQ(known.reason.body[0].value, 0.75);
    EXPECT_FALSE(explain(rules, data, graph, {1, *data.relations.find("r"), 0}).holds);
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
