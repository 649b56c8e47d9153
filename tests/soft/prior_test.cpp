// SPDX-License-Identifier: Apache-2.0
#include "hri/priors.hpp"

#include "data/scratch_folder.hpp"
#include "paths.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EmbeddingTable table_of(const std::string& text, TableOrder order = TableOrder::listed) {
    const ScratchFolder folder;
    write_file(folder / "table", text);
    return read_embedding_table(folder / "table", order);
}

std::string error_of(const std::string& text) {
    try {
        table_of(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(EmbeddingTable, ReadsNamesWithTabsOrBlanks) {
    const EmbeddingTable table = table_of("cow(type)\t1\t2\nstreet light\t3\t4\n\nin\t-5\t6e-1\n");
    EXPECT_EQ(table.dimension, 2);
    EXPECT_THAT(*table.find("cow"), ElementsAre(1.0F, 2.0F));
    EXPECT_THAT(*table.find("street_light"), ElementsAre(3.0F, 4.0F));
    EXPECT_THAT(*table_of("on 1 2 3\r\nat 4 5 6").find("at"), ElementsAre(4.0F, 5.0F, 6.0F));
}

TEST(EmbeddingTable, FindsThePredicateOfTheMostSimilarVector) {
    const EmbeddingTable table = table_of("truck 1 2\ncar 10 19\ncow 3 -1\nsky -1 0\n");
    const std::vector<PredicateSymbol> predicates = {
        {"truck", 1}, {"car", 1}, {"cow", 1}, {"ghost", 1}};
    const auto nearest = nearest_predicates(table, predicates, {0, 3}, {1, 2});
    EXPECT_EQ(nearest, (std::map<std::uint32_t, std::uint32_t>{{0, 1}}));
}

TEST(EmbeddingTable, RefusesNumbersWhoseSquaresOverflow) {
    EXPECT_THAT(error_of("a 1 2\nb 3e38 1\n"), HasSubstr(":2:3: expected a number from -1e15"));
}

TEST(EmbeddingTable, ReadsALongLineInTime) {
    std::string line = "name";
    for (int i = 0; i < 200'000; ++i) {
        line += " 1";
    }
    EXPECT_EQ(table_of(line).dimension, 200'000);
    EXPECT_THAT(error_of(line + " x"), HasSubstr(":1:400006: expected a number"));
}

TEST(EmbeddingTable, AveragesTheWordsOfACompoundName) {
    const EmbeddingTable table = table_of("sitting 1 2\non 3 6\n");
    EXPECT_THAT(*table.find("sitting_on"), ElementsAre(2.0F, 4.0F));
    EXPECT_THAT(*table.find("hanging_on"), ElementsAre(3.0F, 6.0F));
    EXPECT_FALSE(table.find("car"));
}

TEST(EmbeddingTable, GivesVectorsToSortedNamesWhereAsked) {
    const std::string text = "on 1\ncar 2\nbag 3\n";
    EXPECT_THAT(*table_of(text).find("bag"), ElementsAre(3.0F));
    EXPECT_THAT(*table_of(text, TableOrder::sorted).find("bag"), ElementsAre(1.0F));
    EXPECT_THAT(*table_of(text, TableOrder::sorted).find("on"), ElementsAre(3.0F));
}

TEST(EmbeddingTable, NamesThePlaceOfAMistake) {
    EXPECT_THAT(error_of("a 1 2\nb 1 x"), HasSubstr("2:5"));
    EXPECT_THAT(error_of("a 1 2\nb 1\n"), HasSubstr("expected a name and 2 numbers, found 1"));
    EXPECT_THAT(error_of("a\n"), HasSubstr("found 'a' alone"));
    EXPECT_THAT(error_of("\n"), HasSubstr("no vector"));
    EXPECT_THAT(error_of("a nan\n"), HasSubstr("number"));
}

/// Squared distance of two rows.
double distance(const std::vector<float>& rows, std::size_t a, std::size_t b, std::size_t d) {
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) {
        const double difference = static_cast<double>(rows[a * d + k] - rows[b * d + k]);
        sum += difference * difference;
    }
    return sum;
}

TEST(Prior, KeepsDistancesWhereTheDimensionAllowsIt) {
    // four points of a plane in five dimensions: two principal components hold all of it
    const EmbeddingTable table = table_of("a 1 0 0 2 0\nb 3 0 0 2 0\nc 1 0 0 2 1\nd 3 0 0 2 1.5\n");
    const Prior prior = make_prior(table, {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 2}}, 4, 0);
    EXPECT_EQ(prior.known, 4);
    for (std::size_t r = 0; r < 4; ++r) {
        EXPECT_EQ(prior.rows[r * 4], 0.0F);
        EXPECT_EQ(prior.rows[r * 4 + 1], 0.0F);
    }
    const double scale = distance(prior.rows, 0, 1, 4) / 4;
    EXPECT_GT(scale, 0.01);
    EXPECT_NEAR(distance(prior.rows, 0, 2, 4), 1.0 * scale, 1e-5);
    EXPECT_NEAR(distance(prior.rows, 1, 3, 4), 2.25 * scale, 1e-5);
    EXPECT_NEAR(distance(prior.rows, 0, 3, 4), 6.25 * scale, 1e-5);
}

TEST(Prior, ProjectsOtherVectorsAsItDidThoseOfTheTable) {
    const EmbeddingTable table = table_of("a 1 0 3\nb 3 0 1\nc 1 5 2\ntruck 1 1 1\n");
    const Prior prior = make_prior(table, {{"a", 1}, {"b", 1}, {"c", 1}, {"unknown", 1}}, 4, 7);
    EXPECT_EQ(prior.known, 3);
    EXPECT_THAT(prior.projection(*table.find("b")),
                testing::ElementsAreArray(prior.rows.data() + 4, 4));
    // a start of its own for what the table lacks
    EXPECT_NE(prior.rows[3 * 4 + 2], 0.0F);
    EXPECT_NE(make_prior(table, {{"a", 1}, {"unknown", 1}}, 4, 8).rows,
              make_prior(table, {{"a", 1}, {"unknown", 1}}, 4, 9).rows);
}

TEST(Prior, RefusesATableOfStrangers) {
    EXPECT_THROW(make_prior(table_of("a 1 2\n"), {{"zebra", 1}}, 4, 0), Error);
}

TEST(Prior, TravelsWithTheModel) {
    Options options;
    options.layers = 1;
    options.dimension = 4;
    Model model = make_model({{"a", 1}, {"b", 2}}, {"t", 1}, options, 0);
    model.projection = make_prior(table_of("a 1 0 3\nb 3 0 1\n"), model.inputs, 4, 0).projection;
    const Model read = model_from_bytes(model_to_bytes(model));
    EXPECT_EQ(read.projection.mean, model.projection.mean);
    EXPECT_EQ(read.projection.axes, model.projection.axes);
    EXPECT_EQ(read.projection({1, 2, 3}), model.projection({1, 2, 3}));
}

TEST(ClosestPairs, ComeInOrderOfTheirCosine) {
    const std::vector<float> rows = {1, 0, 0, 2, 3, 0.1F, 1, 1};
    const std::vector<ClosePair> pairs = closest_pairs(rows, 2, 2);
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].first, 0);
    EXPECT_EQ(pairs[0].second, 2);
    EXPECT_NEAR(pairs[0].similarity, 3 / std::sqrt(9.01), 1e-6);
    EXPECT_EQ(pairs[1].first, 2);
    EXPECT_EQ(pairs[1].second, 3);
}

TEST(Prior, TakesTheRealTablesAsTheyAre) {
    const std::filesystem::path data = HRI_SHARED_DATA;
    if (!std::filesystem::exists(data)) {
        GTEST_SKIP() << "no public data in " << data;
    }
    std::vector<PredicateSymbol> predicates;
    const EmbeddingTable listed =
        read_embedding_table(data / "gqa-lists/nlil_car_pred_emb_214x32.tsv");
    for (const auto& row : listed.rows) {
        if (row.first.front() != '<') {
            predicates.push_back({row.first, 1});
        }
    }
    EXPECT_EQ(predicates.size(), 213U);
    EXPECT_EQ(make_prior(listed, predicates, 30, 0).known, 213);
    const EmbeddingTable sorted =
        read_embedding_table(data / "gqa-lists/nlil_car_pred_emb_214x32.tsv", TableOrder::sorted);
    EXPECT_NE(*sorted.find("car"), *listed.find("car"));
    const EmbeddingTable glove = read_embedding_table(data / "embeddings/glove-gqa-names.tsv");
    EXPECT_EQ(glove.dimension, 100);
    EXPECT_GE(make_prior(glove, predicates, 30, 0).known, 200);
}

}  // namespace
}  // namespace hri::test
