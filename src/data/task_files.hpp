// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task folder as texts in memory.

#include "hri/data.hpp"

#include <optional>
#include <string>

namespace hri::data {

struct TextFile {
    std::string path;  ///< for errors
    std::string text;
};

struct TaskFiles {
    TextFile background;
    TextFile examples;
    std::optional<TextFile> bias;
};

/// What read_task_folder makes of its files.
Problem read_task(const TaskFiles& files, const ReadOptions& options = {});

/// What write_task_folder writes: bk.pl, exs.pl, bias.pl.
TaskFiles write_task(const Problem& problem, const Instance& instance);

}  // namespace hri::data
