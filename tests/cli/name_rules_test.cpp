// SPDX-License-Identifier: Apache-2.0

// hri learn SCENES --targets: many names of scene graphs at once.

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LearnTargets : public testing::Test {
  protected:
    void SetUp() override {
        write_file(folder_ / "planted.pl", "wheel(X) :- of(X,Y), car(Y).\n");
        ASSERT_EQ(hri({"scenes", "generate", "--images", "400", "--planted", file("planted.pl"),
                       "--out", scenes_})
                      .code,
                  0);
    }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    ScratchFolder folder_;
    std::string scenes_ = file("s.scenes");
};

TEST_F(LearnTargets, GivesRulesWithConfidences) {
    const Outcome outcome = hri({"learn", scenes_, "--targets", "wheel,car", "--folds", "4",
                                 "--program", file("p.pl"), "--json", file("r.json")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("4 folds of images, R@k"), HasSubstr("rules by confidence"),
                      HasSubstr("wheel(X) :- of(X,Y), car(Y)."), HasSubstr("of 2 names over 400")));
    EXPECT_THAT(read_file(file("p.pl")), HasSubstr("% confidence "));
    const nlohmann::json json = read_json(file("r.json"));
    EXPECT_EQ(json["targets"].size(), 2U);
    EXPECT_EQ(json["targets"][0]["target"], "wheel");
    EXPECT_EQ(json["folds"]["rules"]["per_object"]["at1"]["folds"].size(), 4U);
}

TEST_F(LearnTargets, TrainsThemTogetherAsMultitaskDoes) {
    const Outcome learned = hri({"learn", scenes_, "--targets", "wheel,car", "--strategy",
                                 "gradient", "--rounds", "4", "--out", file("a")});
    ASSERT_EQ(learned.code, 0) << learned.err;
    const Outcome alias =
        hri({"multitask", scenes_, "--targets", "wheel,car", "--rounds", "4", "--out", file("b")});
    ASSERT_EQ(alias.code, 0) << alias.err;
    EXPECT_EQ(read_file(file("a/shared.safetensors")), read_file(file("b/shared.safetensors")));
    const Outcome paper = hri({"multitask", scenes_, "--targets", "wheel,car", "--rounds", "4",
                               "--preset", "paper", "--out", file("c")});
    ASSERT_EQ(paper.code, 0) << paper.err;
    EXPECT_EQ(read_json(folder_ / "c/report.json")["joint"], 0);
    EXPECT_GT(read_json(folder_ / "b/report.json")["joint"], 0.5);
}

TEST_F(LearnTargets, RefusesWhatItCannotDo) {
    const auto err = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"learn", scenes_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = hri(arguments);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_EQ(outcome.out, "");
        return outcome.err;
    };
    EXPECT_THAT(err({"--targets", "zebra7"}), AllOf(HasSubstr("zebra7"), HasSubstr("commas")));
    EXPECT_THAT(err({"--targets", "all", "--target", "wheel"}), HasSubstr("--targets"));
    EXPECT_THAT(err({"--targets", "all", "--strategy", "gradient", "--folds", "3"}),
                HasSubstr("--out DIR"));
    EXPECT_THAT(err({"--targets", "all", "--folds", "500"}), HasSubstr("fewer images than folds"));
}

}  // namespace
}  // namespace hri::test
