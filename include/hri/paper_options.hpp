// SPDX-License-Identifier: Apache-2.0
#pragma once

// The paper's settings of its tasks.
//
//   train(make_problem(task), paper_options(task));

#include "hri/options.hpp"
#include "hri/tasks.hpp"

namespace hri {

/// The paper's settings for a task over the defaults.
Options paper_options(const Task& task);

/// Those of LRI: the same steps, 4,000 iterations.
Options lri_options(const Task& task);

}  // namespace hri
