// SPDX-License-Identifier: Apache-2.0

// The evidence of rules, against a count of all pairs that knows nothing of adjacency.

#include "evaluate/graph_walk.hpp"

#include "support/random_graph.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace hri::test {
namespace {

using evaluation::GraphWalk;

class NaiveCounter {
  public:
    explicit NaiveCounter(const GraphData& data)
        : facts_(data.training.begin(), data.training.end()),
          entities_(static_cast<std::uint32_t>(data.entities.size())) {}

    Evidence count(const GraphRule& rule) const {
        const std::uint32_t relation = relation_of(rule.head);
        bool reflexive = false;
        std::set<std::uint32_t> heads;
        std::set<std::uint32_t> tails;
        for (const Triple& fact : facts_) {
            if (fact.relation == relation) {
                heads.insert(fact.head);
                tails.insert(fact.tail);
                reflexive = reflexive || fact.head == fact.tail;
            }
        }
        Evidence evidence;
        for (std::uint32_t x = 0; x < entities_; ++x) {
            for (std::uint32_t y = 0; y < entities_; ++y) {
                if ((!rule.is_path() && y != rule.constant) || (x == y && !reflexive)) {
                    continue;
                }
                const Triple triple =
                    is_backward(rule.head) ? Triple{y, relation, x} : Triple{x, relation, y};
                auto without = facts_;
                const bool fact = without.erase(triple) > 0;
                if (!holds(rule, x, y, without)) {
                    continue;
                }
                evidence.support += fact ? 1 : 0;
                evidence.predictions += 1;
                evidence.of_known_head += heads.contains(triple.head) ? 1 : 0;
                evidence.of_known_tail += tails.contains(triple.tail) ? 1 : 0;
            }
        }
        return evidence;
    }

  private:
    static bool has(std::uint32_t from, StepCode step, std::uint32_t to,
                    const std::set<Triple>& facts) {
        return facts.contains(is_backward(step) ? Triple{to, relation_of(step), from}
                                                : Triple{from, relation_of(step), to});
    }

    bool walks(std::uint32_t at, std::span<const StepCode> steps, std::uint32_t end,
               const std::set<Triple>& facts) const {
        if (steps.empty()) {
            return end == kNoEntity || at == end;
        }
        for (std::uint32_t next = 0; next < entities_; ++next) {
            if (has(at, steps[0], next, facts) && walks(next, steps.subspan(1), end, facts)) {
                return true;
            }
        }
        return false;
    }

    bool holds(const GraphRule& rule, std::uint32_t x, std::uint32_t y,
               const std::set<Triple>& facts) const {
        if (!walks(x, rule.body(), rule.is_path() ? y : rule.end, facts)) {
            return false;
        }
        if (!rule.condition.given) {
            return true;
        }
        const std::uint32_t of = rule.condition.of_answer ? y : x;
        for (std::uint32_t other = 0; other < entities_; ++other) {
            if ((rule.condition.constant == kNoEntity || rule.condition.constant == other) &&
                has(of, rule.condition.step, other, facts)) {
                return true;
            }
        }
        return false;
    }

    std::set<Triple> facts_;
    std::uint32_t entities_;
};

GraphRule random_rule(Random& random, std::uint32_t entities, std::uint32_t steps) {
    const auto entity = [&] {
        return static_cast<std::uint32_t>(random.below(static_cast<int>(entities)));
    };
    const auto step = [&] { return static_cast<StepCode>(random.below(static_cast<int>(steps))); };
    GraphRule rule;
    rule.head = step();
    const bool path = random.chance(0.5);
    rule.length = 1 + random.below(path ? 3 : 2);
    for (int i = 0; i < rule.length; ++i) {
        rule.steps[static_cast<std::size_t>(i)] = step();
    }
    if (path) {
        rule.head = forward(relation_of(rule.head));
    } else {
        rule.constant = entity();
        rule.end = random.chance(0.5) ? entity() : kNoEntity;
    }
    if (random.chance(0.4)) {
        rule.condition = {step(), random.chance(0.5) ? entity() : kNoEntity,
                          path && random.chance(0.5), true};
    }
    return rule;
}

TEST(CountEvidence, AgreesWithACountOfAllPairs) {
    int supported = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const GraphData data = random_graph(seed, 9, 3, 40, seed % 2 == 0);
        const Graph graph(data);
        const NaiveCounter naive(data);
        GraphWalk walk(graph);
        Random random(seed, Random::kCheck);
        for (int i = 0; i < 40; ++i) {
            const GraphRule rule = random_rule(random, graph.entities(), graph.steps());
            std::int64_t budget = std::numeric_limits<std::int64_t>::max();
            const Evidence fast = evaluation::count_evidence(rule, walk, budget);
            EXPECT_EQ(fast, naive.count(rule)) << "seed " << seed << ": " << to_prolog(rule, data);
            supported += fast.support > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(supported, 200);
}

TEST(CountEvidence, IsAnEstimateWhereTheBudgetEnds) {
    const GraphData data = random_graph(3, 200, 2, 4000);
    const Graph graph(data);
    GraphWalk walk(graph);
    GraphRule rule;
    rule.length = 2;
    rule.steps[0] = forward(0);
    rule.steps[1] = forward(1);
    std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    std::int64_t small = 5000;
    const Evidence exact = evaluation::count_evidence(rule, walk, unlimited);
    const Evidence estimate = evaluation::count_evidence(rule, walk, small);
    EXPECT_FALSE(exact.sampled);
    EXPECT_TRUE(estimate.sampled);
    EXPECT_NEAR(estimate.predictions, exact.predictions, 0.2 * exact.predictions);
}

}  // namespace
}  // namespace hri::test
