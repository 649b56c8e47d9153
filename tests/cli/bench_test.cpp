// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Bench, PutsOurTimesBesideTheReferences) {
    const ScratchFolder folder;
    const std::string file = (folder / "bench.json").string();
    const Outcome outcome = hri({"bench", "--tasks", "undirected-edge,cyclic", "--iterations",
                                 "200", "--repetitions", "1", "--json", file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("cyclic"), HasSubstr("geometric mean"), HasSubstr("Gop/s")));
    const nlohmann::json json = read_json(file);
    ASSERT_EQ(json["rows"].size(), 2U);
    double product = 1;
    for (const nlohmann::json& row : json["rows"]) {
        const double reference = row["paper"]["reference_us"];
        for (const std::string mode : {"exact", "default"}) {
            const double us = row["ours"][mode + "_us"];
            EXPECT_GT(us, 0);
            EXPECT_DOUBLE_EQ(row["ours"]["ratio_" + mode].get<double>(), reference / us);
        }
        EXPECT_GT(row["ours"]["naive_us"], 0);
        product *= row["ours"]["ratio_default"].get<double>();
    }
    EXPECT_NEAR(json["geomean_default"].get<double>(), std::sqrt(product), 1e-6 * product);
    EXPECT_GT(json["geomean_exact"], 0);
    EXPECT_GT(json["max_min_gops"], 0);
}

TEST(Bench, TakesTheThresholdsOfTheDefault) {
    const ScratchFolder folder;
    const std::string file = (folder / "bench.json").string();
    const Outcome outcome =
        hri({"bench", "--tasks", "undirected-edge", "--iterations", "200", "--repetitions", "1",
             "--skip-pairs", "1e-4", "--skip-gradients", "1e-5", "--json", file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json ours = read_json(file)["rows"][0]["ours"];
    EXPECT_EQ(ours["skip_pairs"], 1e-4);
    EXPECT_EQ(ours["skip_gradients"], 1e-5);
    EXPECT_EQ(hri({"bench", "--skip-pairs", "-1"}).code, 2);
}

TEST(Bench, RefusesTasksThatTheReferenceWasNotTimedOn) {
    const Outcome outcome = hri({"bench", "--tasks", "has-father"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("has-father"));
}

TEST(ReproduceSkipping, ComparesTheSameSeedsBothWays) {
    const ScratchFolder folder;
    const std::string file = (folder / "t.json").string();
    const Outcome outcome = hri({"reproduce", "skipping", "--tasks", "undirected-edge", "--seeds",
                                 "2", "--iterations", "60", "--json", file});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json row = read_json(file)["rows"][0];
    EXPECT_EQ(row["seeds"], 2);
    EXPECT_TRUE(row["ours"]["exact"]["symbolic"].is_number());
    EXPECT_TRUE(row["ours"]["default"]["symbolic"].is_number());
    EXPECT_LE(row["ours"]["p"], 1);
}

}  // namespace
}  // namespace hri::test
