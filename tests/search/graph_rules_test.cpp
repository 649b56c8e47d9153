// SPDX-License-Identifier: Apache-2.0
#include "hri/mine.hpp"

#include "evaluate/graph_walk.hpp"
#include "support/random_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace hri::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

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
