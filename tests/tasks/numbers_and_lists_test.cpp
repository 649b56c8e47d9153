// SPDX-License-Identifier: Apache-2.0
#include "tasks/pairs.hpp"

#include <gtest/gtest.h>
#include <map>

namespace hri {
namespace {

using test::Drawn;
using test::has;
using test::Pairs;

TEST(Numbers, CountUpFromZero) {
    for (const char* task :
         {"predecessor", "less-than", "even-odd", "even-succ2", "buzz", "fizz"}) {
        const Drawn drawn(task, 4, 0);
        EXPECT_EQ(drawn.facts("zero"), (Pairs{{0, 0}})) << task;
        EXPECT_EQ(drawn.facts("succ"), (Pairs{{0, 1}, {1, 2}, {2, 3}})) << task;
    }
}

TEST(Numbers, LabelPredecessors) {
    EXPECT_EQ(Drawn("predecessor", 4, 0).positives(), (Pairs{{1, 0}, {2, 1}, {3, 2}}));
}

TEST(Numbers, LabelWhatIsLess) {
    EXPECT_EQ(Drawn("less-than", 4, 0).positives(),
              (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
}

TEST(Numbers, LabelMultiples) {
    EXPECT_EQ(Drawn("even-odd", 7, 0).positives(), (Pairs{{0, 0}, {2, 0}, {4, 0}, {6, 0}}));
    EXPECT_EQ(Drawn("even-succ2", 6, 0).positives(), (Pairs{{0, 0}, {2, 0}, {4, 0}}));
    EXPECT_EQ(Drawn("fizz", 7, 0).positives(), (Pairs{{0, 0}, {3, 0}, {6, 0}}));
    EXPECT_EQ(Drawn("buzz", 11, 0).positives(), (Pairs{{0, 0}, {5, 0}, {10, 0}}));
}

TEST(Numbers, OfBuzzCountInThreesAndTwos) {
    const Drawn drawn("buzz", 6, 0);
    EXPECT_EQ(drawn.facts("pred1"), (Pairs{{0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(drawn.facts("pred2"), (Pairs{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
}

/// node -> next, after a check that one list runs through all nodes to 0.
std::map<int, int> list_of(const Drawn& drawn) {
    std::map<int, int> next;
    Pairs visited;
    for (const auto& [node, after] : drawn.facts("cons")) {
        EXPECT_TRUE(next.emplace(node, after).second);
        EXPECT_TRUE(visited.emplace(after, 0).second) << "two nodes before one";
    }
    EXPECT_EQ(static_cast<int>(next.size()), drawn.constants() - 1);
    EXPECT_EQ(next.count(0), 0U);
    EXPECT_TRUE(has(visited, 0));
    return next;
}

TEST(Lists, LabelTheValuesFromEachNodeOn) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Drawn drawn("member", 7, seed);
        const std::map<int, int> next = list_of(drawn);
        std::map<int, int> value;
        for (const auto& [node, v] : drawn.facts("value")) {
            EXPECT_TRUE(value.emplace(node, v).second);
        }
        EXPECT_EQ(value.size(), 6U);
        EXPECT_EQ(value.count(0), 0U) << "the null node has none";
        Pairs expected;
        for (int head = 1; head < 7; ++head) {
            for (int node = head; node != 0; node = next.at(node)) {
                expected.emplace(value.at(node), head);
            }
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

TEST(Lists, LabelTheirLengths) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Drawn drawn("length", 7, seed);
        const std::map<int, int> next = list_of(drawn);
        EXPECT_EQ(drawn.facts("zero"), (Pairs{{0, 0}}));
        EXPECT_EQ(drawn.facts("succ").size(), 6U);
        Pairs expected = {{0, 0}};
        for (int head = 1; head < 7; ++head) {
            int nodes = 0;
            for (int node = head; node != 0; node = next.at(node)) {
                ++nodes;
            }
            expected.emplace(head, nodes);
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

}  // namespace
}  // namespace hri
