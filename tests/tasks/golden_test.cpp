// SPDX-License-Identifier: Apache-2.0

// tests/golden holds a folder per task: one training instance (seed 0), and a program that explains
// it. `HRI_UPDATE_GOLDEN=1 test_tasks --gtest_filter='*Golden*'` writes the folders afresh.

#include "hri/symbolic.hpp"
#include "hri/tasks.hpp"

#include "tasks/task_cases.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace hri {
namespace {

std::filesystem::path golden(const Task& task) {
    return std::filesystem::path(HRI_SOURCE_DIR) / "tests/golden" / task.name;
}

class Golden : public testing::TestWithParam<Task> {
  protected:
    static void SetUpTestSuite() {
        if (std::getenv("HRI_UPDATE_GOLDEN") == nullptr) {
            return;
        }
        for (const Task& task : all_tasks()) {
            Random random(0, Random::kData);
            Instance instance;
            generate(task, task.train_constants, random, instance);
            write_task_folder(golden(task), make_problem(task), instance);
            write_file(golden(task) / "expected.pl", task.solution);
        }
    }
};

TEST_P(Golden, FolderIsExplainedByItsProgram) {
    const Task& task = GetParam();
    const Problem problem = read_task_folder(golden(task));
    const Program program = parse_program(read_file(golden(task) / "expected.pl"));
    const Instance& instance = problem.training.instances.at(0);
    EXPECT_EQ(problem.name, task.name);
    EXPECT_EQ(problem.inputs, task.inputs);
    EXPECT_EQ(problem.target, task.target);
    EXPECT_EQ(program.vocabulary[program.target], task.target);
    Scorer scorer;
    scorer.add(instance.labels, evaluate(program, problem.inputs, instance));
    EXPECT_EQ(scorer.score().accuracy, 1);
    EXPECT_GT(scorer.score().positives, 0);
    EXPECT_GT(scorer.score().negatives, 0);
}

TEST_P(Golden, FolderIsWhatTheGeneratorDrawsOnEveryMachine) {
    const Task& task = GetParam();
    Random random(0, Random::kData);
    Instance instance;
    generate(task, task.train_constants, random, instance);
    EXPECT_EQ(read_task_folder(golden(task)).training.instances.at(0), instance);
    EXPECT_EQ(read_file(golden(task) / "expected.pl"), task.solution);
}

INSTANTIATE_TEST_SUITE_P(Tasks, Golden, testing::ValuesIn(all_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

}  // namespace
}  // namespace hri
