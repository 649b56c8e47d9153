// SPDX-License-Identifier: Apache-2.0
#include "hri/paper_options.hpp"

namespace hri {

Options paper_options(const Task& task) {
    Options options;
    options.layers = task.layers;
    options.train_steps = task.train_steps;
    options.eval_steps = task.eval_steps;
    options.iterations = task.iterations;
    options.annealing_cycles = task.annealing_cycles;
    return options;
}

Options lri_options(const Task& task) {
    Options options = paper_options(task);
    options.iterations = Options{}.iterations;
    return options;
}

}  // namespace hri
