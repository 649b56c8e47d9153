// SPDX-License-Identifier: Apache-2.0
#include "tasks/pairs.hpp"

#include <gtest/gtest.h>
#include <map>

namespace hri {
namespace {

using test::Drawn;
using test::has;
using test::Pairs;

/// child -> (father, mother), where all relations agree.
std::map<int, std::pair<int, int>> parents_of(const Drawn& drawn) {
    std::map<int, std::pair<int, int>> parents;
    const Pairs fathers = drawn.facts("father");
    const Pairs mothers = drawn.facts("mother");
    EXPECT_EQ(fathers.size(), mothers.size());
    for (const auto& [father, child] : fathers) {
        EXPECT_TRUE(parents.try_emplace(child, father, -1).second) << "two fathers";
    }
    for (const auto& [mother, child] : mothers) {
        EXPECT_EQ(parents.at(child).second, -1) << "two mothers";
        parents.at(child).second = mother;
    }
    return parents;
}

TEST(Families, HaveParentsWhoAreNotCloselyRelated) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Drawn drawn("grandparent", 25, seed);
        const auto parents = parents_of(drawn);
        const auto are_siblings = [&](int x, int y) {
            return x != y && parents.count(x) > 0 && parents.count(y) > 0 &&
                   parents.at(x) == parents.at(y);
        };
        std::map<int, int> spouse;
        for (const auto& [child, couple] : parents) {
            const auto [father, mother] = couple;
            EXPECT_NE(father, mother);
            EXPECT_EQ(spouse.try_emplace(father, mother).first->second, mother) << "married twice";
            EXPECT_EQ(spouse.try_emplace(mother, father).first->second, father) << "married twice";
            EXPECT_FALSE(are_siblings(father, mother));
            if (parents.count(father) > 0 && parents.count(mother) > 0) {
                for (const int f : {parents.at(father).first, parents.at(father).second}) {
                    EXPECT_FALSE(are_siblings(f, mother)) << "aunt and nephew";
                    for (const int m : {parents.at(mother).first, parents.at(mother).second}) {
                        EXPECT_FALSE(are_siblings(father, m)) << "uncle and niece";
                        EXPECT_FALSE(are_siblings(f, m)) << "cousins";
                    }
                }
            }
        }
        for (const auto& [ancestor, descendant] : test::reachable([&] {
                 Pairs both = drawn.facts("father");
                 both.merge(drawn.facts("mother"));
                 return both;
             }())) {
            EXPECT_NE(ancestor, descendant) << "nobody descends from himself";
        }
    }
}

TEST(Families, TellSonsAndDaughtersFromFathersAndMothers) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Drawn drawn("grandparent-nlm", 15, seed);
        Pairs children = drawn.facts("son");
        Pairs daughters = drawn.facts("daughter");
        for (const auto& [daughter, parent] : daughters) {
            for (int x = 0; x < drawn.constants(); ++x) {
                EXPECT_FALSE(has(drawn.facts("father"), daughter, x));
                EXPECT_FALSE(has(children, daughter, x));
            }
        }
        children.merge(daughters);
        Pairs parents = drawn.facts("father");
        parents.merge(drawn.facts("mother"));
        EXPECT_EQ(test::mirrored(children), parents);
        EXPECT_FALSE(parents.empty());
    }
}

TEST(Families, LabelGrandparents) {
    for (const char* task : {"grandparent", "grandparent-nlm"}) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const Drawn drawn(task, 12, seed);
            Pairs parents = drawn.facts("father");
            parents.merge(drawn.facts("mother"));
            Pairs expected;
            for (const auto& [x, y] : parents) {
                for (const auto& [from, to] : parents) {
                    if (from == y) {
                        expected.emplace(x, to);
                    }
                }
            }
            EXPECT_EQ(drawn.positives(), expected);
        }
    }
}

TEST(Families, LabelSonsWhoAreKnownToBeMen) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Drawn drawn("son", 10, seed);
        const Pairs fathers = drawn.facts("father");
        const Pairs brothers = drawn.facts("brother");
        const Pairs sisters = drawn.facts("sister");
        const auto is_father_of_both = [&](int father, int x, int y) {
            return has(fathers, father, x) && has(fathers, father, y);
        };
        Pairs expected;
        for (int x = 0; x < 10; ++x) {
            bool known_man = false;
            for (int y = 0; y < 10; ++y) {
                known_man = known_man || has(fathers, x, y) || has(brothers, x, y);
                bool siblings = false;
                for (int father = 0; father < 10; ++father) {
                    siblings = siblings || (x != y && is_father_of_both(father, x, y));
                }
                EXPECT_EQ(has(brothers, x, y) || has(sisters, x, y), siblings);
                EXPECT_FALSE(has(brothers, x, y) && has(sisters, x, y));
            }
            for (int father = 0; father < 10; ++father) {
                if (known_man && has(fathers, father, x)) {
                    expected.emplace(x, father);
                }
            }
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

TEST(Families, LabelRelativesWhereThereIsAGrandparent) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Drawn drawn("relatedness", 9, seed);
        Pairs steps = drawn.facts("parent");
        bool has_grandparent = false;
        for (const auto& [x, y] : steps) {
            for (const auto& [from, to] : steps) {
                has_grandparent = has_grandparent || from == y;
            }
        }
        EXPECT_TRUE(has_grandparent);
        steps.merge(test::mirrored(steps));
        EXPECT_EQ(drawn.positives(), test::reachable(steps));
    }
}

TEST(Families, LabelThoseWhoHaveAFather) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Drawn drawn("has-father", 12, seed);
        Pairs expected;
        for (const auto& [father, child] : drawn.facts("father")) {
            expected.emplace(child, 0);
        }
        EXPECT_EQ(drawn.positives(), expected);
    }
}

}  // namespace
}  // namespace hri
