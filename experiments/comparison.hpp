// SPDX-License-Identifier: Apache-2.0
#pragma once

// A table of training runs: tasks, variants of the options, seeds; ours beside the paper's.
//
//   const Comparison operators{.name = "operators", .tasks = {...}, .variants = {...}};
//   Command command = comparison_command(operators);

#include "reproduce.hpp"
#include "runs.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hri::cli {

/// Figures of the paper by measure: "soft", "seconds", ...
using Figures = std::vector<std::pair<std::string, double>>;

/// One column: what differs from the paper's settings.
struct Variant {
    std::string name;
    /// Options by name; a number of steps may be relative: {"train_steps", "+1"}.
    std::vector<std::pair<std::string, std::string>> options = {};
    std::map<std::string, Figures> paper = {};  ///< by task
    std::vector<std::string> tasks = {};        ///< only these; empty: all of the table
    int constants = 0;                          ///< of training; 0: the task's
    std::string templates = {};  ///< of LRI, as lri_task() takes them; empty: the hierarchy
};

struct Comparison {
    std::string name;
    std::string title;  ///< one line for --help
    std::string footer;
    std::vector<std::string> tasks;
    std::vector<Variant> variants;
    /// Measures that are printed, the paper's beside the first; else a line for every task and
    /// variant with all of them.
    std::vector<std::string> measures = {};
    /// Prints more and adds it to the JSON.
    std::function<void(Json&)> more = {};
};

Command comparison_command(const Comparison& table);

}  // namespace hri::cli
