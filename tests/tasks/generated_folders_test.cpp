// SPDX-License-Identifier: Apache-2.0

// The facts of each task in tests/golden are what `hri tasks generate NAME` writes. That pins the
// generators, and so the golden runs that learn a task by its name.

#include "hri/tasks.hpp"

#include "paths.hpp"
#include "tasks/task_cases.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

class GeneratedFolder : public testing::TestWithParam<Task> {};

TEST_P(GeneratedFolder, IsTheSameOnEveryMachine) {
    const Task& task = GetParam();
    const Problem problem =
        read_task_folder(std::filesystem::path(HRI_SOURCE_DIR) / "tests/golden" / task.name);
    EXPECT_EQ(problem.name, task.name);
    EXPECT_EQ(problem.inputs(), task.inputs);
    EXPECT_EQ(problem.target(), task.target);
    Random random(0, Random::kData);
    Instance instance;
    generate(task, task.train_constants, random, instance);
    EXPECT_EQ(problem.training.instances.at(0), instance);
}

INSTANTIATE_TEST_SUITE_P(Tasks, GeneratedFolder, testing::ValuesIn(all_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

}  // namespace
}  // namespace hri
