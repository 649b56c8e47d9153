// SPDX-License-Identifier: Apache-2.0
#include "hri/mine.hpp"
#include "hri/ranking.hpp"

#include "evaluate/graph_walk.hpp"
#include "support/random_graph.hpp"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace hri::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> texts(const Mined& mined, const GraphData& data) {
    std::vector<std::string> all;
    for (const GraphRule& rule : mined.rules.rules) {
        all.push_back(to_prolog(rule, data));
    }
    return all;
}

/// Grandparents by two generations of random parents.
GraphData families() {
    GraphData data;
    Random random(7);
    std::string text;
    for (int i = 0; i < 120; ++i) {
        const int parent = 200 + random.below(40);
        const int grandparent = 300 + parent % 15;
        text += "p" + std::to_string(parent) + "\tparent\tc" + std::to_string(i) + "\n";
        text += "p" + std::to_string(grandparent) + "\tparent\tp" + std::to_string(parent) + "\n";
        text += "p" + std::to_string(grandparent) + "\tgrandparent\tc" + std::to_string(i) + "\n";
        text += "c" + std::to_string(i) + "\tlives_in\t" + (i % 3 == 0 ? "Rome" : "Oslo") + "\n";
        text += "c" + std::to_string(i) + "\tspeaks\t" + (i % 3 == 0 ? "it" : "no") + "\n";
    }
    read_graph_text(text, "train.txt", false, data, data.training);
    return data;
}

TEST(MineRules, FindsPathsAndConstants) {
    const GraphData data = families();
    const Graph graph(data);
    const Mined mined = mine_rules(graph, {.time_limit = 0, .max_work = 1000});
    const std::vector<std::string> rules = texts(mined, data);
    EXPECT_THAT(rules, Contains("grandparent(X,Y) :- parent(X,Z1), parent(Z1,Y)."));
    EXPECT_THAT(rules, Contains("speaks(X,it) :- lives_in(X,'Rome')."));
    EXPECT_THAT(rules, Contains("lives_in(X,'Oslo')."));
}

TEST(MineRules, CountsAllRulesAsTheyAreDefined) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const GraphData data = random_graph(seed, 20, 3, 160, seed % 2 == 0);
        const Graph graph(data);
        evaluation::GraphWalk walk(graph);
        const Mined mined =
            mine_rules(graph, {.seed = seed, .time_limit = 0, .max_work = 200, .max_rules = 400});
        ASSERT_GT(mined.rules.rules.size(), 100U);
        for (const GraphRule& rule : mined.rules.rules) {
            std::int64_t budget = std::numeric_limits<std::int64_t>::max();
            EXPECT_EQ(rule.evidence, evaluation::count_evidence(rule, walk, budget))
                << seed << ": " << to_prolog(rule, data);
        }
    }
}

TEST(MineRules, FindsEveryShortPath) {
    const GraphData data = random_graph(11, 25, 2, 90, false);
    const Graph graph(data);
    evaluation::GraphWalk walk(graph);
    const Mined mined =
        mine_rules(graph, {.time_limit = 0, .max_work = 100, .max_length = 2, .constants = false});
    std::set<std::string> found;
    for (const std::string& text : texts(mined, data)) {
        found.insert(text);
    }
    int expected = 0;
    for (std::uint32_t r = 0; r < 2; ++r) {
        for (StepCode a = 0; a < graph.steps(); ++a) {
            for (StepCode b = 0; b < graph.steps(); ++b) {
                GraphRule rule;
                rule.head = forward(r);
                rule.length = 2;
                rule.steps[0] = a;
                rule.steps[1] = b;
                std::int64_t budget = 1'000'000;
                rule.evidence = evaluation::count_evidence(rule, walk, budget);
                if (rule.evidence.support >= 3 && confidence(rule.evidence) >= 0.01) {
                    EXPECT_TRUE(found.contains(to_prolog(rule, data))) << to_prolog(rule, data);
                    ++expected;
                }
            }
        }
    }
    EXPECT_GT(expected, 5);
}

TEST(MineRules, IsTheSameForAnyNumberOfThreads) {
    const GraphData data = random_graph(2, 60, 5, 900);
    const Graph graph(data);
    const MineSettings one{.seed = 3, .time_limit = 0, .max_work = 3000, .threads = 1};
    MineSettings three = one;
    three.threads = 3;
    EXPECT_EQ(to_prolog(mine_rules(graph, one).rules, data, graph),
              to_prolog(mine_rules(graph, three).rules, data, graph));
}

TEST(MineRules, GivesEachRelationItsShareOfAShortTime) {
    // counting all paths of two steps takes longer than that
    const GraphData data = random_graph(6, 400, 16, 110'000);
    const Graph graph(data);
    const Mined mined = mine_rules(graph, {.time_limit = 1});
    std::set<std::uint32_t> with_paths;
    std::set<std::uint32_t> with_constants;
    for (const GraphRule& rule : mined.rules.rules) {
        (rule.is_path() ? with_paths : with_constants).insert(relation_of(rule.head));
    }
    EXPECT_EQ(with_paths.size(), 16U);
    EXPECT_EQ(with_constants.size(), 16U);
}

TEST(MineRules, OfEachRelationAloneAreThoseOfAll) {
    const GraphData data = random_graph(4, 40, 3, 400);
    const Graph graph(data);
    MineSettings settings{.time_limit = 0, .max_work = 1000};
    const Mined all = mine_rules(graph, settings);
    std::vector<std::string> parts;
    for (std::uint32_t r = 0; r < 3; ++r) {
        settings.targets = {r};
        const std::vector<std::string> one = texts(mine_rules(graph, settings), data);
        parts.insert(parts.end(), one.begin(), one.end());
    }
    EXPECT_EQ(texts(all, data), parts);
}

TEST(MineRules, CountPathsOfAllRelationsBeforeConstants) {
    const GraphData data = random_graph(5, 40, 3, 600);
    const Graph graph(data);
    std::atomic<bool> stop = false;
    std::size_t visits = 0;
    MineSettings settings{.time_limit = 0, .max_work = 1000, .interrupt = &stop};
    settings.progress = [&](const MineProgress&) { stop = ++visits == 7; };
    std::set<std::uint32_t> with_paths;
    std::set<std::uint32_t> with_constants;
    std::set<std::uint32_t> with_frequencies;
    for (const GraphRule& rule : mine_rules(graph, settings).rules.rules) {
        (rule.is_path()     ? with_paths
         : rule.length == 0 ? with_frequencies
                            : with_constants)
            .insert(relation_of(rule.head));
    }
    EXPECT_EQ(with_frequencies.size(), 3U);
    EXPECT_EQ(with_paths.size(), 3U);
    EXPECT_EQ(with_constants.size(), 1U);
}

/// Parents of both sexes, and aunts and uncles by them.
GraphData family_of_parents() {
    GraphData data;
    for (const char* name : {"father", "mother", "sister", "brother", "aunt", "uncle"}) {
        data.relations.intern(name);
    }
    for (std::uint32_t i = 0; i < 60; ++i) {
        const std::uint32_t child = 4 * i;
        const std::uint32_t parent = child + 1;
        data.training.push_back({parent, i % 2, child});
        data.training.push_back({child + 2, 2, parent});
        data.training.push_back({child + 3, 3, parent});
        data.training.push_back({child + 2, 4, child});
        data.training.push_back({child + 3, 5, child});
    }
    for (int i = 0; i < 240; ++i) {
        data.entities.intern("e" + std::to_string(i));
    }
    return data;
}

TEST(InventRelations, UnitesStepsThatSeveralRulesShare) {
    GraphData data = family_of_parents();
    const Graph graph(data);
    const MineSettings settings{.time_limit = 0,
                                .max_work = 100,
                                .max_length = 2,
                                .constants = false,
                                .trees = false,
                                .max_inventions = 10};
    GraphRules rules = mine_rules(graph, settings).rules;
    invent_relations(rules, data, graph, settings);
    ASSERT_FALSE(rules.invented.empty());
    const std::string text = to_prolog(rules, data, graph);
    EXPECT_THAT(text, HasSubstr("aux1(X,Y) :- father(X,Y).  % invented\n"
                                "aux1(X,Y) :- mother(X,Y).  % invented\n"));
    EXPECT_THAT(text, HasSubstr("aunt(X,Y) :- sister(X,Z1), aux1(Z1,Y).  % support 60, "
                                "predictions 60"));
    EXPECT_THAT(text, Not(HasSubstr("aunt(X,Y) :- sister(X,Z1), father(Z1,Y).")));

    // what is read back is the same, and counts the same on a graph with the invented facts
    GraphData again = family_of_parents();
    const GraphRules read = parse_graph_rules(text, "rules.pl", again);
    EXPECT_EQ(read.invented, rules.invented);
    const Graph with(again, read.invented);
    EXPECT_EQ(to_prolog(read, again, with), text);
    evaluation::GraphWalk walk(with);
    for (const GraphRule& rule : read.rules) {
        std::int64_t budget = std::numeric_limits<std::int64_t>::max();
        EXPECT_EQ(rule.evidence, evaluation::count_evidence(rule, walk, budget));
    }

    // a proof shows what an invented fact rests on
    const Explanation proof = explain(read, again, with, {2, 4, 0}, 1);
    ASSERT_EQ(proof.reason.body.size(), 1U);
    const std::vector<Reason>& body = proof.reason.body[0].body;
    ASSERT_EQ(body.size(), 2U);
    EXPECT_EQ(body[1].because, "invented");
    ASSERT_EQ(body[1].body.size(), 1U);
    EXPECT_EQ(body[1].body[0].atom, "father(e1,e0)");
}

TEST(InventRelations, LeaveRulesAloneWhereNothingBecomesShorter) {
    GraphData data = family_of_parents();
    std::erase_if(data.training, [](const Triple& triple) { return triple.relation == 1; });
    const Graph graph(data);
    GraphRules rules = mine_rules(graph, {.time_limit = 0, .max_work = 100}).rules;
    const std::string before = to_prolog(rules, data, graph);
    invent_relations(rules, data, graph, {.max_inventions = 10});
    EXPECT_EQ(to_prolog(rules, data, graph), before);
}

TEST(MineRules, GoOnFromACheckpoint) {
    const GraphData data = random_graph(9, 50, 3, 700);
    const Graph graph(data);
    std::vector<std::string> states;
    MineSettings settings{.time_limit = 0, .max_work = 20'000};
    settings.checkpoint = [&](const std::string& state) { states.push_back(state); };
    const Mined whole = mine_rules(graph, settings);
    ASSERT_GT(states.size(), 2U);
    settings.checkpoint = {};
    settings.resume = states[1];
    EXPECT_EQ(texts(mine_rules(graph, settings), data), texts(whole, data));
    settings.seed = 1;
    EXPECT_THROW(mine_rules(graph, settings), Error);
}

TEST(MineRules, CanBeToldWhatTheyMayHold) {
    const GraphData data = random_graph(6, 40, 3, 500);
    const Graph graph(data);
    MineSettings settings{.time_limit = 0, .max_work = 1000, .recursion = false};
    for (const GraphRule& rule : mine_rules(graph, settings).rules.rules) {
        for (const StepCode step : rule.body()) {
            EXPECT_NE(relation_of(step), relation_of(rule.head)) << to_prolog(rule, data);
        }
    }
    settings = {.time_limit = 0, .max_work = 1000, .constants = false};
    for (const GraphRule& rule : mine_rules(graph, settings).rules.rules) {
        EXPECT_TRUE(rule.is_path() || rule.length == 0) << to_prolog(rule, data);
    }
}

}  // namespace
}  // namespace hri::test
