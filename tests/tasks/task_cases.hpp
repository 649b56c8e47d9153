// SPDX-License-Identifier: Apache-2.0
#pragma once

// One test case per task.

#include "hri/tasks.hpp"

#include <algorithm>
#include <ostream>
#include <string>

namespace hri {

/// How gtest shows a case.
inline void PrintTo(const Task& task, std::ostream* out) { *out << task.name; }

namespace test {

/// How gtest names a case.
inline std::string case_name(std::string task) {
    std::replace(task.begin(), task.end(), '-', '_');
    return task;
}

}  // namespace test
}  // namespace hri
