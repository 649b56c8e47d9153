// SPDX-License-Identifier: Apache-2.0

// Tasks that need more than the paper's language, each with the option that makes it learnable.

#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include "support/swi_prolog.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

Options options_of(const Task& task) {
    Options options;
    for (const auto& [name, value] : task.options) {
        set_option(options, name, value);
    }
    return options;
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

void expect_learned(const Problem& problem, const Options& options, const LearnSettings& settings) {
    const Report report = learn(problem, options, settings);
    EXPECT_TRUE(report.fits) << to_text(report.program);
    ASSERT_TRUE(report.evaluation);
    EXPECT_EQ(report.evaluation->false_positives + report.evaluation->false_negatives, 0)
        << to_text(report.program);
    EXPECT_TRUE(test::swi_prolog_agrees(report.program, problem));
}

class ByPortfolio : public testing::TestWithParam<std::string> {};

TEST_P(ByPortfolio, ATaskBeyondThePaperIsLearned) {
    const Task& task = find_task(GetParam());
    LearnSettings settings;
    settings.time_limit = 0;
    settings.max_work = 3'000'000;
    settings.seed = 1;
    expect_learned(make_problem(task), options_of(task), settings);
}

class WithoutItsOptions : public testing::TestWithParam<std::string> {};

TEST_P(WithoutItsOptions, ATaskBeyondThePaperIsNotLearned) {
    const Task& task = find_task(GetParam());
    LearnSettings settings;
    settings.strategy = Strategy::search;
    settings.time_limit = 0;
    settings.max_work = 100'000;
    if (task.target.arity == 0) {
        EXPECT_THROW(learn(make_problem(task), Options{}, settings), Error);
    } else {
        EXPECT_FALSE(learn(make_problem(task), Options{}, settings).fits);
    }
}

INSTANTIATE_TEST_SUITE_P(Learn, ByPortfolio,
                         testing::Values("leaf", "isolated", "unreachable", "one-way", "some-loop",
                                         "has-cycle", "alarm", "sibling", "only-child",
                                         "within-reach", "path-of-three", "red-triangle",
                                         "from-start", "beside-start", "multiple-of-three"),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Learn, WithoutItsOptions,
                         testing::Values("leaf", "isolated", "unreachable", "one-way", "some-loop",
                                         "has-cycle", "sibling", "only-child", "within-reach",
                                         "from-start", "beside-start"),
                         name_of);

class ByGradient : public testing::TestWithParam<std::string> {};

TEST_P(ByGradient, ATaskBeyondThePaperIsLearned) {
    const Task& task = find_task(GetParam());
    Options options = options_of(task);
    options.iterations = 2000;
    options.train_steps = 4;
    options.eval_steps = -1;
    LearnSettings settings;
    settings.strategy = Strategy::gradient;
    settings.time_limit = 0;
    settings.seed = 1;
    settings.restarts = 20;
    expect_learned(make_problem(task), options, settings);
}

INSTANTIATE_TEST_SUITE_P(Learn, ByGradient,
                         testing::Values("leaf", "unreachable", "some-loop", "alarm",
                                         "within-reach", "only-child", "path-of-three",
                                         "red-triangle", "from-start", "beside-start"),
                         name_of);

}  // namespace
}  // namespace hri
