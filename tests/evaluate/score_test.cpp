// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

constexpr Label kNo = Label::negative;
constexpr Label kYes = Label::positive;
constexpr Label kOpen = Label::unlabelled;

TEST(Scorer, CountsLabelledAtomsOverInstances) {
    Scorer scorer;
    scorer.add({kYes, kYes, kNo, kNo, kOpen}, Truth{1, 0, 1, 0, 1});
    scorer.add({kYes, kNo}, Truth{1, 0});
    const Score score = scorer.score();
    EXPECT_EQ(score.positives, 3);
    EXPECT_EQ(score.negatives, 3);
    EXPECT_EQ(score.false_positives, 1);
    EXPECT_EQ(score.false_negatives, 1);
    EXPECT_DOUBLE_EQ(score.mse, 2.0 / 6);
    EXPECT_DOUBLE_EQ(score.accuracy, 4.0 / 6);
    EXPECT_DOUBLE_EQ(score.precision, 2.0 / 3);
    EXPECT_DOUBLE_EQ(score.recall, 2.0 / 3);
}

TEST(Scorer, RoundsValuationsAtOneHalf) {
    Scorer scorer;
    scorer.add({kYes, kNo, kYes}, std::vector<float>{0.5F, 0.25F, 0.0F});
    const Score score = scorer.score();
    EXPECT_DOUBLE_EQ(score.mse, (0.25 + 0.0625 + 1) / 3);
    EXPECT_DOUBLE_EQ(score.accuracy, 2.0 / 3);
    EXPECT_EQ(score.false_negatives, 1);
}

TEST(Scorer, CountsListedLabelsAndAllAtomsThatAreNotListed) {
    Instance instance;
    instance.constants = 1'000'000;
    instance.listed = {{1, 2, kYes}, {1, 3, kNo}, {5, 5, kYes}, {7, 0, kOpen}};
    const std::vector<Fact> atoms{{0, 0}, {1, 2}, {1, 3}, {7, 0}};
    Scorer open;
    open.add(instance, 2, atoms);
    EXPECT_EQ(open.score().positives, 2);
    EXPECT_EQ(open.score().negatives, 1);
    EXPECT_EQ(open.score().false_positives, 1);
    EXPECT_EQ(open.score().false_negatives, 1);
    instance.unlisted = kNo;
    Scorer closed;
    closed.add(instance, 2, atoms);
    EXPECT_EQ(closed.score().positives, 2);
    EXPECT_EQ(closed.score().negatives, 1'000'000'000'000 - 3);
    EXPECT_EQ(closed.score().false_positives, 2);
    EXPECT_EQ(closed.score().false_negatives, 1);
}

TEST(Scorer, IsPerfectWhereThereIsNothingToGetWrong) {
    Scorer nothing;
    nothing.add({kOpen, kOpen}, Truth{0, 1});
    EXPECT_DOUBLE_EQ(nothing.score().mse, 0);
    EXPECT_DOUBLE_EQ(nothing.score().accuracy, 1);
    Scorer negatives;
    negatives.add({kNo}, Truth{0});
    EXPECT_DOUBLE_EQ(negatives.score().precision, 1);
    EXPECT_DOUBLE_EQ(negatives.score().recall, 1);
}

}  // namespace
}  // namespace hri
