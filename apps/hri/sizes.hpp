// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hri/tasks.hpp"

#include <algorithm>

namespace hri::cli {

/// `training` constants for training; evaluation instances are larger by the task's difference.
inline Sizes sizes_of(const Task& task, int training) {
    return {training, training + std::max(task.eval_constants - task.train_constants, 0)};
}

}  // namespace hri::cli
