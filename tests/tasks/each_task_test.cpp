// SPDX-License-Identifier: Apache-2.0

// What holds for every task.

#include "hri/tasks.hpp"

#include "data/readers/task_files.hpp"
#include "support/allocations.hpp"
#include "tasks/task_cases.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

namespace hri {
namespace {

class EachTask : public testing::TestWithParam<Task> {};

std::vector<int> sizes_of(const Task& task) {
    return {task.min_constants,
            task.min_constants + 1,
            task.train_constants,
            task.eval_constants,
            20,
            70};
}

Instance drawn(const Task& task, int constants, std::uint64_t seed) {
    Random random(seed, Random::kData);
    Instance instance;
    generate(task, constants, random, instance);
    return instance;
}

TEST_P(EachTask, GivesTheSameInstanceForTheSameSeed) {
    const Task& task = GetParam();
    for (const int n : sizes_of(task)) {
        const Instance first = drawn(task, n, 5);
        EXPECT_EQ(first, drawn(task, n, 5));
        Instance elsewhere;
        std::thread([&] { elsewhere = drawn(task, n, 5); }).join();
        EXPECT_EQ(first, elsewhere);
    }
    const Instance first = drawn(task, 20, 5);
    EXPECT_EQ(task.fixed, first == drawn(task, 20, 6));
}

TEST_P(EachTask, DoesNotDependOnWhatTheInstanceHeldBefore) {
    const Task& task = GetParam();
    Instance instance = drawn(task, 30, 1);
    instance.names = {"left", "over"};
    Random random(2, Random::kData);
    generate(task, task.train_constants, random, instance);
    EXPECT_EQ(instance, drawn(task, task.train_constants, 2));
}

TEST_P(EachTask, GivesSortedFactsInRangeAndLabelsOfBothKinds) {
    const Task& task = GetParam();
    for (const int n : sizes_of(task)) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Instance instance = drawn(task, n, seed);
            ASSERT_EQ(instance.constants, n);
            ASSERT_EQ(instance.facts.size(), task.inputs.size());
            for (std::size_t i = 0; i < task.inputs.size(); ++i) {
                const std::vector<Fact>& facts = instance.facts[i];
                EXPECT_TRUE(std::is_sorted(facts.begin(), facts.end()));
                EXPECT_EQ(std::adjacent_find(facts.begin(), facts.end()), facts.end());
                for (const Fact& fact : facts) {
                    EXPECT_TRUE(fact.first >= 0 && fact.first < n);
                    EXPECT_TRUE(fact.second >= 0 && fact.second < n);
                    EXPECT_TRUE(task.inputs[i].arity == 2 || fact.second == 0);
                    EXPECT_EQ(fact.value, 1);
                }
            }
            EXPECT_EQ(instance.labels.size(),
                      static_cast<std::size_t>(task.target.arity == 2 ? n * n : n));
            EXPECT_GT(instance.count(Label::positive), 0);
            EXPECT_GT(instance.count(Label::negative), 0);
            EXPECT_EQ(instance.count(Label::unlabelled), 0);
        }
    }
}

TEST_P(EachTask, DrawsTwoHundredConstants) {
    const Instance instance = drawn(GetParam(), 200, 3);
    EXPECT_GT(instance.count(Label::positive), 0);
    EXPECT_GT(instance.count(Label::negative), 0);
}

TEST_P(EachTask, RefusesTooFewConstants) {
    const Task& task = GetParam();
    const int n = task.min_constants - 1;
    try {
        drawn(task, n, 0);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), "task " + task.name + " with " + std::to_string(n) +
                                    " constants: expected at least " + std::to_string(n + 1) +
                                    " (fewer cannot hold a positive and a negative example)");
    }
    EXPECT_THROW(make_problem(task, {.training = n}), Error);
    EXPECT_THROW(make_problem(task, {.training = 7, .evaluation = 1}), Error);
    EXPECT_THROW(make_problem(task, {.training = -3}), Error);
    EXPECT_THROW(make_problem(task, {.training = kMaxConstants + 1}), Error);
}

TEST_P(EachTask, DoesNotAllocateOnceItHasGrown) {
    const Task& task = GetParam();
    Random random(4, Random::kData);
    Instance instance;
    for (int i = 0; i < 2000; ++i) {
        generate(task, task.train_constants, random, instance);
    }
    Random again(4, Random::kData);  // the same draws: none larger than any before
    const long before = test::allocations;
    for (int i = 0; i < 2000; ++i) {
        generate(task, task.train_constants, again, instance);
    }
    EXPECT_EQ(test::allocations, before);
}

TEST_P(EachTask, IsReadBackFromItsFolder) {
    const Task& task = GetParam();
    const Problem problem = make_problem(task);
    for (const int n : sizes_of(task)) {
        const Instance instance = drawn(task, n, 9);
        const Problem again = data::read_task(data::write_task(problem, instance));
        EXPECT_EQ(again.inputs(), problem.inputs());
        EXPECT_EQ(again.target(), problem.target());
        for (const std::string& warning : again.warnings) {
            // an instance may lack a predicate, and facts of some constants
            EXPECT_TRUE(warning.find("there are no facts of ") != std::string::npos ||
                        warning.find("no fact has th") != std::string::npos)
                << warning;
        }
        ASSERT_EQ(again.training.instances.size(), 1U);
        EXPECT_EQ(again.training.instances.front(), instance);
    }
}

TEST_P(EachTask, PosesItsProblemAtThePapersSizesOrOthers) {
    const Task& task = GetParam();
    const Problem problem = make_problem(task);
    EXPECT_EQ(problem.name, task.name);
    EXPECT_EQ(problem.inputs(), task.inputs);
    EXPECT_EQ(problem.target(), task.target);
    EXPECT_EQ(problem.training.fixed(), task.fixed);
    EXPECT_EQ(problem.evaluation.fixed(), task.fixed);
    Random random(0);
    Instance scratch;
    EXPECT_EQ(problem.training.draw(0, random, scratch).constants, task.train_constants);
    EXPECT_EQ(problem.evaluation.draw(0, random, scratch).constants, task.eval_constants);
    const Problem other = make_problem(task, {.training = 13, .evaluation = 17});
    EXPECT_EQ(other.training.draw(0, random, scratch).constants, 13);
    EXPECT_EQ(other.evaluation.draw(0, random, scratch).constants, 17);
}

INSTANTIATE_TEST_SUITE_P(Tasks, EachTask, testing::ValuesIn(all_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

}  // namespace
}  // namespace hri
