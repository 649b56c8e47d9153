// SPDX-License-Identifier: Apache-2.0
#pragma once

// The paper's tasks as generators: families, graphs, numbers, lists.
//
//   const Task& task = find_task("grandparent");
//   Problem problem = make_problem(task);                  // the paper's sizes
//   Problem large = make_problem(task, {.training = 9, .evaluation = 40});

#include "hri/data.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hri {

/// The figures of the paper for a task, in percent of 10 runs; negative: not reported.
struct PaperFigures {
    double ilp = -1;  ///< dILP
    double lri = -1;
    double train = -1;
    double soft = -1;
    double symbolic = -1;
    double reference_ms =
        -1;  ///< the authors' code, milliseconds per training iteration, one CPU thread
};

struct Task {
    std::string name;         ///< as on the command line: "adjacent-to-red"
    std::string title;        ///< as in the paper: "Adjacent to Red"
    std::string explanation;  ///< what is given and what is to be learned
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    bool recursive = false;  ///< whether a solution needs recursion
    bool fixed = false;      ///< one fixed instance per size instead of random ones
    bool in_table = true;    ///< one of the 17 tasks of the paper's big table
    int layers = 4;
    int train_steps = 4;
    int eval_steps = 4;
    int train_constants = 9;
    int eval_constants = 11;
    int min_constants = 2;      ///< fewer cannot hold a positive and a negative example
    int iterations = 4'000;     ///< of one annealing
    int annealing_cycles = 20;  ///< of a single run, at most
    PaperFigures paper = {};
    std::string solution;  ///< a correct program in Prolog syntax, checked by the tests
    /// Facts in the order of `inputs`, and a label for every atom of the target. Expects an
    /// instance with the task's schema and at least min_constants; draws nothing at random where
    /// `fixed`.
    std::function<void(int constants, Random&, Instance&)> generate;
    /// Options without which no solution is in reach, by name: {"negation", "true"}.
    std::vector<std::pair<std::string, std::string>> options = {};
};

/// The paper's tasks.
const std::vector<Task>& all_tasks();
/// Tasks of our own, on which settings are chosen before they are measured on the paper's.
const std::vector<Task>& development_tasks();
/// Tasks that need an extension of the model beyond the paper, which Task::options names.
const std::vector<Task>& extension_tasks();
/// Among all three. Throws Error naming the nearest task.
const Task& find_task(std::string_view name);

/// More are refused: labels are dense.
constexpr int kMaxConstants = 7'000;

/// Checks the number of constants, then draws an instance and gives it the schema of the task.
/// Throws Error.
void generate(const Task& task, int constants, Random& random, Instance& instance);

struct Sizes {
    int training = 0;  ///< constants; 0: the paper's
    int evaluation = 0;
};

Problem make_problem(const Task& task, const Sizes& sizes = {});

/// The problem with `count` irrelevant input predicates, irrelevant1, irrelevant2, ..., every
/// second one unary, whose facts are random.
Problem with_distractors(Problem problem, int count, std::uint64_t seed);

/// The problem with one fixed training set of at most `instances`, each of whose labels is flipped
/// with the given probability. The evaluation stays as it is.
Problem with_flipped_labels(Problem problem, int instances, double probability, std::uint64_t seed);

}  // namespace hri
