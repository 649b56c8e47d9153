// SPDX-License-Identifier: Apache-2.0

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Plot : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    ScratchFolder folder_;
};

TEST_F(Plot, DrawsLossSharpnessAndAccuracyOfARun) {
    ASSERT_LE(hri({"learn", "undirected-edge", "--strategy", "gradient", "--layers", "2",
                   "--restarts", "1", "--iterations", "60", "--log", file("run.json"), "--out",
                   file("model.safetensors")})
                  .code,
              1);
    const nlohmann::json log = read_json(file("run.json"));
    EXPECT_EQ(log["model"], "hri");
    EXPECT_GT(log["curve"].back()["accuracy"], 0);
    const Outcome outcome = hri({"plot", file("run.json"), "--out", file("run.svg")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read_file(file("run.svg")),
                AllOf(HasSubstr("undirected-edge, seed 0"), HasSubstr("layer 2"),
                      HasSubstr("target"), HasSubstr("accuracy"), HasSubstr("</svg>")));

    ASSERT_EQ(hri({"plot", file("model.safetensors"), "--out", file("model.svg")}).code, 0);
    EXPECT_THAT(read_file(file("model.svg")),
                AllOf(HasSubstr("unification scores of undirected_edge"), HasSubstr("B*_1, slot 3"),
                      HasSubstr("False")));
}

TEST_F(Plot, CallsLriSharpnessByItsParts) {
    ASSERT_EQ(hri({"learn", "predecessor", "--model", "lri", "--log", file("run.json")}).code, 0);
    ASSERT_EQ(hri({"plot", file("run.json"), "--out", file("run.svg")}).code, 0);
    EXPECT_THAT(read_file(file("run.svg")), AllOf(HasSubstr("heads"), HasSubstr("bodies")));
}

TEST_F(Plot, SaysWhatItCannotDraw) {
    write_file(file("other.json"), "{\"rows\": []}\n");
    const Outcome other = hri({"plot", file("other.json"), "--out", file("x.svg")});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, AllOf(HasSubstr("other.json"), HasSubstr("no training run")));

    write_file(file("empty.json"), "{\"curve\": []}\n");
    const Outcome empty = hri({"plot", file("empty.json"), "--out", file("x.svg")});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("no curve"));
}

}  // namespace
}  // namespace hri::test
