// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(ReproduceEmbeddings, SetsEveryGivenStartBesideThePapers) {
    const ScratchFolder folder;
    const std::string table = (folder / "words.tsv").string();
    write_file(table, "car\t1\t0\t0\nwheel\t1\t0.1\t0\nof\t0\t1\t0\non\t0\t1\t0.2\n");
    const std::string json_file = (folder / "t.json").string();
    const Outcome outcome =
        hri({"reproduce", "embeddings", "--images", "400", "--glove", table, "--runs", "2",
             "--iterations", "30", "--min-facts", "2", "--rounds", "1", "--json", json_file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("400 images (synthetic"), HasSubstr("paper: NLIL"),
                      HasSubstr("not run"), HasSubstr("bag backpack"), HasSubstr("after:")));
    const nlohmann::json json = read_json(json_file);
    ASSERT_EQ(json["rows"].size(), 5U);
    EXPECT_EQ(json["rows"][0]["paper"]["soft"]["accuracy"], 63);
    EXPECT_EQ(json["rows"][0]["programs"].size(), 2U);
    EXPECT_EQ(json["rows"][1]["run"], false);  // NLIL
    EXPECT_EQ(json["rows"][4]["start"], "GloVe");
    EXPECT_TRUE(json["rows"][4]["ours"]["symbolic"]["recall"].contains("mean"));
    ASSERT_EQ(json["pairs"].size(), 2U);
    EXPECT_EQ(json["pairs"][1]["before"].size(), 10U);
}

TEST(ReproduceEmbeddings, SaysWhereThereIsNothingToLearnFrom) {
    const Outcome few = hri({"reproduce", "embeddings", "--images", "20", "--min-facts", "50",
                             "--max-facts", "60", "--rounds", "0"});
    EXPECT_EQ(few.code, 0);
    EXPECT_THAT(few.out, HasSubstr("0 images of 50 to 60 facts around a car: too few"));
    const Outcome unknown = hri({"reproduce", "embeddings", "--images", "20", "--target", "kar"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("kar"));
    const Outcome no_table =
        hri({"reproduce", "embeddings", "--images", "20", "--glove", "nowhere.tsv"});
    EXPECT_EQ(no_table.code, 2);
    EXPECT_THAT(no_table.err, HasSubstr("nowhere.tsv: cannot read"));
    EXPECT_EQ(no_table.out, "");
}

}  // namespace
}  // namespace hri::test
