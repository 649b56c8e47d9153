// SPDX-License-Identifier: Apache-2.0
#include "learn/checkpoint.hpp"

#include "hri/error.hpp"
#include "hri/tasks.hpp"

#include "learn/report_json.hpp"
#include "support/swi_prolog.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hri {
namespace {

/// All that a run says but its time.
std::string told(const Report& report) {
    auto json = learning::report_json(report);
    json.erase("seconds");
    return json.dump();
}

class Resumed : public testing::TestWithParam<const char*> {};

TEST_P(Resumed, ARunEndsAsItWouldHaveWithoutABreak) {
    const Problem problem = make_problem(find_task(GetParam()));
    LearnSettings settings{.seed = 3, .time_limit = 0, .max_work = 2'000'000};
    const Report whole = learn(problem, {}, settings);
    std::string last;
    LearnSettings cut = settings;
    cut.max_work = 300'000;
    cut.checkpoint = [&](const std::string& text) { last = text; };
    learn(problem, {}, cut);
    ASSERT_FALSE(last.empty());
    settings.resume = last;
    EXPECT_EQ(told(learn(problem, {}, settings)), told(whole));
    EXPECT_TRUE(test::swi_prolog_agrees(whole.program, problem));
}

TEST_P(Resumed, ARunThatWasCutInItsFirstRoundBeginsAnew) {
    const Problem problem = make_problem(find_task(GetParam()));
    LearnSettings settings{.seed = 3, .time_limit = 0, .max_work = 100'000};
    const Report whole = learn(problem, {}, settings);
    std::vector<std::string> texts;
    settings.checkpoint = [&](const std::string& text) { texts.push_back(text); };
    const std::atomic<bool> interrupt = true;
    settings.interrupt = &interrupt;
    learn(problem, {}, settings);
    ASSERT_EQ(texts.size(), 1U);
    settings.interrupt = nullptr;
    settings.checkpoint = {};
    settings.resume = texts[0];
    EXPECT_EQ(told(learn(problem, {}, settings)), told(whole));
}

INSTANTIATE_TEST_SUITE_P(Tasks, Resumed, testing::Values("buzz", "length"),
                         [](const auto& task) { return std::string(task.param); });

TEST(Checkpoint, OfTrainingRestartsGoesOnAfterThoseThatAreDone) {
    const Problem problem = make_problem(find_task("fizz"));
    Options options;
    options.iterations = 100;
    LearnSettings settings{.strategy = Strategy::gradient, .seed = 1, .time_limit = 0};
    settings.restarts = 4;
    const Report whole = learn(problem, options, settings);
    ASSERT_FALSE(whole.fits);
    std::vector<std::string> texts;
    LearnSettings cut = settings;
    cut.checkpoint = [&](const std::string& text) { texts.push_back(text); };
    learn(problem, options, cut);
    ASSERT_EQ(texts.size(), 5U) << "one before the first, so that there always is one";
    for (const std::string& text : texts) {
        settings.resume = text;
        EXPECT_EQ(told(learn(problem, options, settings)), told(whole));
    }
}

TEST(Checkpoint, IsRefusedByAnotherRun) {
    const Problem problem = make_problem(find_task("buzz"));
    LearnSettings settings{.time_limit = 0, .max_work = 200'000};
    std::string last;
    settings.checkpoint = [&](const std::string& text) { last = text; };
    learn(problem, {}, settings);
    ASSERT_FALSE(last.empty());
    LearnSettings other = settings;
    other.resume = last;
    other.seed = 1;
    EXPECT_THROW(learn(problem, {}, other), Error);
    other.seed = 0;
    EXPECT_THROW(learn(make_problem(find_task("fizz")), {}, other), Error);
    other.resume = last.substr(0, last.size() / 2);
    EXPECT_THROW(learn(problem, {}, other), Error);
    const std::size_t trials = last.find("\"trials\":") + 9;
    for (const char* number : {"1e20", "0.5", "99999999999999999999", "-1", "null"}) {
        other.resume = last;
        other.resume.replace(trials, last.find(',', trials) - trials, number);
        EXPECT_THROW(learn(problem, {}, other), Error) << number;
    }
    Problem relabelled = make_problem(find_task("buzz"));
    other.resume.clear();
    other.checkpoint = [&](const std::string& text) { last = text; };
    learn(relabelled, {}, other);
    other.resume = last;
    EXPECT_NO_THROW(learn(relabelled, {}, other));
    Label& label = relabelled.training.instances[0].labels[0];
    label = label == Label::positive ? Label::negative : Label::positive;
    EXPECT_THROW(learn(relabelled, {}, other), Error) << "the labels are not those of the run";
    other.resume = "{\"hri_record\":" + std::string(100'000, '[');
    EXPECT_THROW(learn(problem, {}, other), Error) << "deep nesting is refused";
    other.resume = "[1]";
    try {
        learn(problem, {}, other);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, learning::kCheckpointPlace);
    }
}

TEST(StopReason, TellsThatRestartsWereLeftOut) {
    Options options;
    options.iterations = 30;
    LearnSettings settings{.strategy = Strategy::gradient, .seed = 1, .time_limit = 0};
    settings.restarts = 4;
    std::atomic<bool> interrupt = false;
    settings.interrupt = &interrupt;
    int checkpoints = 0;
    settings.checkpoint = [&](const std::string&) { interrupt = ++checkpoints == 2; };
    const Report report = learn(make_problem(find_task("fizz")), options, settings);
    ASSERT_FALSE(report.fits);
    EXPECT_EQ(report.restarts, 1);
    EXPECT_EQ(report.stop_reason, StopReason::interrupted);
}

}  // namespace
}  // namespace hri
