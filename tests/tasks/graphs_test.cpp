// SPDX-License-Identifier: Apache-2.0
#include "tasks/pairs.hpp"

#include <gtest/gtest.h>
#include <map>

namespace hri {
namespace {

using test::Drawn;
using test::has;
using test::Pairs;

constexpr int kNodes = 10;
constexpr std::uint64_t kSeeds = 200;

int out_degree(const Pairs& edges, int x) {
    int degree = 0;
    for (const auto& [from, to] : edges) {
        degree += from == x ? 1 : 0;
    }
    return degree;
}

bool has_loop(const Pairs& edges) {
    for (const auto& [from, to] : edges) {
        if (from == to) {
            return true;
        }
    }
    return false;
}

/// node -> colour; every node has one.
std::map<int, int> colours_of(const Drawn& drawn) {
    std::map<int, int> colours;
    for (const auto& [node, colour] : drawn.facts("colour")) {
        EXPECT_TRUE(colours.emplace(node, colour).second);
        EXPECT_TRUE(colour == 0 || colour == 1);
    }
    EXPECT_EQ(static_cast<int>(colours.size()), drawn.constants());
    return colours;
}

TEST(Graphs, OfNearestNodesHaveOneToThreeTenthsOfTheirNodesAsSuccessors) {
    int largest = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Pairs edges = Drawn("undirected-edge", kNodes, seed).facts("edge");
        EXPECT_FALSE(has_loop(edges));
        for (int x = 0; x < kNodes; ++x) {
            const int degree = out_degree(edges, x);
            EXPECT_TRUE(degree >= 1 && degree <= 3) << degree;
            largest = std::max(largest, degree);
        }
    }
    EXPECT_GE(largest, 2);
}

TEST(Graphs, OfNearestNodesDrawTheirDensityFirst) {
    // n = 10, p uniform in [0, 0.3]: the largest degree is 1 for p < 0.2 and 2 above, so that edges
    // number 10 in 2/3 of all draws and 15 on average in the others
    double edges = 0;
    constexpr int kDraws = 3000;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        edges += static_cast<double>(Drawn("undirected-edge", kNodes, seed).facts("edge").size());
    }
    EXPECT_NEAR(edges / kDraws, 35.0 / 3, 0.2);
}

TEST(Graphs, LabelEdgesInEitherDirection) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("undirected-edge", kNodes, seed);
        Pairs expected = drawn.facts("edge");
        expected.merge(test::mirrored(drawn.facts("edge")));
        EXPECT_EQ(drawn.positives(), expected);
    }
}

TEST(Graphs, LabelPaths) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("connectedness", kNodes, seed);
        EXPECT_FALSE(has_loop(drawn.facts("edge")));
        EXPECT_EQ(drawn.positives(), test::reachable(drawn.facts("edge")));
    }
}

TEST(Graphs, KeepAThirdOfTheMirroredEdges) {
    // of three nodes the nearest two point at each other, and the third at one of them
    int mirrored = 0;
    constexpr int kDraws = 2000;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        const Pairs edges = Drawn("connectedness", 3, seed).facts("edge");
        EXPECT_GE(edges.size(), 2U);
        for (const auto& [x, y] : edges) {
            mirrored += x < y && has(edges, y, x) ? 1 : 0;
        }
    }
    EXPECT_NEAR(static_cast<double>(mirrored) / kDraws, 1.0 / 3, 0.05);
}

TEST(Graphs, LabelNodesOnCycles) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("cyclic", kNodes, seed);
        const Pairs paths = test::reachable(drawn.facts("edge"));
        Pairs expected;
        for (int x = 0; x < kNodes; ++x) {
            if (has(paths, x, x)) {
                expected.emplace(x, 0);
            }
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

TEST(Graphs, LabelNodesWithTwoChildren) {
    double edges_in_all = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("two-children", kNodes, seed);
        const Pairs edges = drawn.facts("edge");
        const Pairs unequal = drawn.facts("neq");
        edges_in_all += static_cast<double>(edges.size());
        Pairs expected;
        for (int x = 0; x < kNodes; ++x) {
            for (int y = 0; y < kNodes; ++y) {
                EXPECT_EQ(has(unequal, x, y), x != y);
            }
            if (out_degree(edges, x) >= 2) {
                expected.emplace(x, 0);
            }
        }
        EXPECT_FALSE(has_loop(edges));
        EXPECT_EQ(drawn.positives(), expected);
    }
    EXPECT_NEAR(edges_in_all / kSeeds, 90 * 0.15, 3) << "sparse draws are drawn again";
}

TEST(Graphs, LabelNeighboursOfRedNodes) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("adjacent-to-red", kNodes, seed);
        const Pairs edges = drawn.facts("edge");
        const auto colours = colours_of(drawn);
        EXPECT_EQ(edges, test::mirrored(edges));
        EXPECT_FALSE(has_loop(edges));
        EXPECT_EQ(drawn.facts("red"), (Pairs{{0, 0}}));
        Pairs expected;
        for (const auto& [x, y] : edges) {
            if (colours.at(y) == 0) {
                expected.emplace(x, 0);
            }
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

TEST(Graphs, LabelRedNodesAndTheirNeighboursInTheVariantOfNlm) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn drawn("adjacent-to-red-nlm", kNodes, seed);
        const Pairs edges = drawn.facts("edge");
        EXPECT_EQ(edges, test::mirrored(edges));
        const Pairs red = drawn.facts("red");
        Pairs expected = red;
        for (const auto& [x, y] : edges) {
            if (has(red, y)) {
                expected.emplace(x, 0);
            }
        }
        EXPECT_EQ(drawn.positives(), expected);
        Pairs coloured;
        std::size_t colours = 0;
        for (const char* name : {"red", "green", "blue", "yellow"}) {
            Pairs nodes = drawn.facts(name);
            colours += nodes.size();
            coloured.merge(nodes);
        }
        EXPECT_EQ(coloured.size(), static_cast<std::size_t>(kNodes));
        EXPECT_EQ(colours, static_cast<std::size_t>(kNodes)) << "one colour each";
    }
}

TEST(Graphs, LabelNodesThatPointAtTheirOwnColour) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Drawn unary("graph-coloring", kNodes, seed);
        const Drawn binary("graph-coloring-binary", kNodes, seed);
        Pairs expected;
        for (const auto& [x, y] : unary.facts("edge")) {
            if (colours_of(unary).at(x) == colours_of(unary).at(y)) {
                expected.emplace(x, 0);
            }
        }
        EXPECT_EQ(unary.positives(), expected);
        expected.clear();
        for (const auto& [x, y] : binary.facts("edge")) {
            if (colours_of(binary).at(x) == colours_of(binary).at(y)) {
                expected.emplace(x, y);
            }
        }
        EXPECT_EQ(binary.positives(), expected);
        EXPECT_FALSE(has_loop(binary.facts("edge")));
    }
}

}  // namespace
}  // namespace hri
