// SPDX-License-Identifier: Apache-2.0

#include "datalog/relation.hpp"

#include "hri/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri::datalog {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using Row = std::vector<std::int32_t>;

Batch batch_of(int arity, const std::vector<Row>& rows) {
    Batch batch(arity);
    for (const Row& row : rows) {
        batch.add(Tuple(row));
    }
    return batch;
}

std::vector<Row> rows_like(const Relation& relation, const Row& pattern) {
    std::vector<Row> rows;
    relation.any(pattern, [&](Tuple tuple) {
        rows.emplace_back(tuple.begin(), tuple.end());
        return false;
    });
    std::sort(rows.begin(), rows.end());
    return rows;
}

TEST(Relation, KeepsWhatIsNewAsTheDelta) {
    for (const int arity : {2, 3}) {
        const auto row = [arity](int a, int b) { return arity == 2 ? Row{a, b} : Row{a, b, 5}; };
        Relation relation(arity, 10);
        Batch derived = batch_of(arity, {row(3, 1), row(1, 2), row(3, 1)});
        EXPECT_TRUE(relation.advance(derived));
        EXPECT_THAT(derived.keys, IsEmpty());
        EXPECT_TRUE(derived.cells.empty());
        EXPECT_EQ(relation.size(Part::delta), 2);
        derived = batch_of(arity, {row(1, 2), row(0, 1)});
        EXPECT_TRUE(relation.advance(derived));
        EXPECT_EQ(relation.size(Part::delta), 1);
        EXPECT_EQ(relation.size(Part::old), 2);
        derived = batch_of(arity, {row(0, 1)});
        EXPECT_FALSE(relation.advance(derived));
        EXPECT_EQ(relation.size(Part::delta), 0);
        EXPECT_EQ(relation.size(), 3);
        relation.settle();
        std::vector<Row> all;
        relation.each([&](Tuple tuple) { all.emplace_back(tuple.begin(), tuple.end()); });
        EXPECT_THAT(all, ElementsAre(row(0, 1), row(1, 2), row(3, 1)));
    }
}

TEST(Relation, FindsRowsByEitherArgumentWithAndWithoutAnIndex) {
    for (const std::size_t constants : {10UL, 100'000UL}) {
        const KeyRun run({key_of(1, 2), key_of(1, 7), key_of(4, 2)}, constants);
        EXPECT_THAT(run.by_first().row(1), ElementsAre(key_of(1, 2), key_of(1, 7)));
        EXPECT_THAT(run.by_first().row(2), IsEmpty());
        EXPECT_THAT(run.by_second().row(2), ElementsAre(key_of(2, 1), key_of(2, 4)));
        EXPECT_TRUE(run.contains(key_of(4, 2)));
        EXPECT_FALSE(run.contains(key_of(2, 4)));
        EXPECT_EQ(run.groups(1), 2);
        EXPECT_EQ(run.groups(2), 2);
    }
}

TEST(Relation, AnswersEveryPatternAsAScanDoes) {
    Random random(5);
    for (int arity = 0; arity <= 4; ++arity) {
        Relation relation(arity, 6);
        std::set<Row> known;
        for (int round = 0; round < 6; ++round) {
            Batch batch(arity);
            for (int i = 0; i < 30; ++i) {
                Row row;
                for (int a = 0; a < arity; ++a) {
                    row.push_back(random.below(6));
                }
                known.insert(row);
                batch.add(Tuple(row));
            }
            relation.advance(batch);
        }
        ASSERT_EQ(relation.size(), known.size());
        for (int trial = 0; trial < 200; ++trial) {
            Row pattern;
            for (int a = 0; a < arity; ++a) {
                pattern.push_back(random.chance(0.5) ? kOpen : random.below(6));
            }
            std::vector<Row> expected;
            for (const Row& row : known) {
                bool fits = true;
                for (std::size_t a = 0; a < row.size(); ++a) {
                    fits = fits && (pattern[a] == kOpen || pattern[a] == row[a]);
                }
                if (fits) {
                    expected.push_back(row);
                }
            }
            ASSERT_THAT(rows_like(relation, pattern), ElementsAreArray(expected));
            const bool ground = std::count(pattern.begin(), pattern.end(), kOpen) == 0;
            ASSERT_EQ(ground && relation.contains(pattern), ground && !expected.empty());
        }
    }
}

}  // namespace
}  // namespace hri::datalog
