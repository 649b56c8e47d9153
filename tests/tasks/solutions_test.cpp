// SPDX-License-Identifier: Apache-2.0

// The solutions that tasks carry, against labels that were found without them.

#include "hri/evaluate.hpp"
#include "hri/tasks.hpp"

#include "data/readers/task_files.hpp"
#include "tasks/task_cases.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace hri {
namespace {

/// The atoms that a program gets wrong, by name.
std::vector<std::string> errors_of(const Program& program, const Problem& problem,
                                   const Instance& instance) {
    const Truth truth = evaluate(program, instance);
    EXPECT_EQ(truth.size(), instance.labels.size());
    std::vector<std::string> errors;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (instance.labels[i] == Label::unlabelled ||
            (truth[i] != 0) == (instance.labels[i] == Label::positive)) {
            continue;
        }
        const int atom = static_cast<int>(i);
        const int n = instance.constants;
        errors.push_back((truth[i] != 0 ? "false positive " : "false negative ") +
                         (problem.target().arity == 2
                              ? instance.name_of(atom / n) + "," + instance.name_of(atom % n)
                          : problem.target().arity == 1 ? instance.name_of(atom)
                                                        : ""));
    }
    return errors;
}

class Solution : public testing::TestWithParam<Task> {};

TEST_P(Solution, DefinesTheTargetFromTheInputs) {
    const Task& task = GetParam();
    const Program program = parse_program(task.solution);
    EXPECT_EQ(program.vocabulary[program.target], task.target);
    EXPECT_EQ(is_recursive(program), task.recursive);
    EXPECT_GE(program.rules.size(), 1U);
}

TEST_P(Solution, AgreesWithTheLabelsAtManySizes) {
    const Task& task = GetParam();
    const Problem problem = make_problem(task);
    const Program program = parse_program(task.solution);
    Instance instance;
    for (const int n : {task.min_constants, task.train_constants, task.eval_constants, 25}) {
        Random random(17, Random::kData);
        for (int i = 0; i < (n < 20 ? 50 : 5); ++i) {
            generate(task, n, random, instance);
            EXPECT_EQ(errors_of(program, problem, instance), std::vector<std::string>{}) << n;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Development, Solution, testing::ValuesIn(development_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

INSTANTIATE_TEST_SUITE_P(Extensions, Solution, testing::ValuesIn(extension_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

INSTANTIATE_TEST_SUITE_P(Tasks, Solution, testing::ValuesIn(all_tasks()),
                         [](const auto& the) { return test::case_name(the.param.name); });

/// A world worked out by hand: the facts, and every positive atom.
struct Case {
    const char* task;
    std::string facts;
    std::string positives;
};

void PrintTo(const Case& by_hand, std::ostream* out) { *out << by_hand.task; }

class ByHand : public testing::TestWithParam<Case> {};

TEST_P(ByHand, TheSolutionGivesThePositivesAlone) {
    const Case& by_hand = GetParam();
    const Task& task = find_task(by_hand.task);
    data::TaskFiles files;
    files.background = {"bk.pl", by_hand.facts};
    files.examples = {"exs.pl", by_hand.positives};
    files.bias = {"bias.pl", ""};
    for (const PredicateSymbol& input : task.inputs) {
        files.bias->text += "body_pred(" + input.name + "," + std::to_string(input.arity) + ").\n";
    }
    const Problem problem = data::read_task(files, {.closed_world = true});
    EXPECT_EQ(problem.inputs(), task.inputs);
    EXPECT_EQ(problem.target(), task.target);
    EXPECT_EQ(errors_of(parse_program(task.solution), problem, problem.training.instances.front()),
              std::vector<std::string>{});
}

const char* const kSucc = "zero(0). succ(0,1). succ(1,2). succ(2,3). succ(3,4). succ(4,5). ";

INSTANTIATE_TEST_SUITE_P(
    Tasks, ByHand,
    testing::Values(
        Case{"predecessor", "zero(0). succ(0,1). succ(1,2). succ(2,3).",
             "pos(predecessor(1,0)). pos(predecessor(2,1)). pos(predecessor(3,2))."},
        Case{"undirected-edge", "edge(a,b). edge(b,c).",
             "pos(undirected_edge(a,b)). pos(undirected_edge(b,a)). pos(undirected_edge(b,c)). "
             "pos(undirected_edge(c,b))."},
        Case{"less-than", "zero(0). succ(0,1). succ(1,2).",
             "pos(less_than(0,1)). pos(less_than(0,2)). pos(less_than(1,2))."},
        // the list 3 -> 1 -> 2 -> 0 with the values 2, 2, 0
        Case{"member", "cons(3,1). cons(1,2). cons(2,0). value(3,2). value(1,2). value(2,0).",
             "pos(member(2,3)). pos(member(0,3)). pos(member(2,1)). pos(member(0,1)). "
             "pos(member(0,2))."},
        Case{"connectedness", "edge(a,b). edge(b,c). edge(c,d).",
             "pos(connected(a,b)). pos(connected(b,c)). pos(connected(c,d)). pos(connected(a,c)). "
             "pos(connected(a,d)). pos(connected(b,d))."},
        Case{"son",
             "father(a,b). father(a,c). father(a,d). brother(b,c). brother(d,c). sister(c,b). "
             "father(e,f). father(f,g).",
             "pos(son(b,a)). pos(son(d,a)). pos(son(f,e))."},
        Case{"grandparent", "father(c,b). father(b,a). mother(d,b). mother(e,a).",
             "pos(grandparent(c,a)). pos(grandparent(d,a))."},
        Case{"adjacent-to-red",
             "edge(a,b). edge(b,a). edge(d,e). edge(e,d). edge(b,c). edge(c,b). red(p). "
             "colour(a,p). colour(b,q). colour(c,q). colour(d,p). colour(e,p).",
             "pos(adjacent_to_red(b)). pos(adjacent_to_red(d)). pos(adjacent_to_red(e))."},
        Case{"two-children",
             "edge(a,b). edge(a,c). edge(c,d). neq(a,b). neq(a,c). neq(a,d). neq(b,a). neq(b,c). "
             "neq(b,d). neq(c,a). neq(c,b). neq(c,d). neq(d,a). neq(d,b). neq(d,c).",
             "pos(two_children(a))."},
        Case{"relatedness", "parent(a,b). parent(c,b). parent(d,e).",
             "pos(related(a,a)). pos(related(a,b)). pos(related(a,c)). pos(related(b,a)). "
             "pos(related(b,b)). pos(related(b,c)). pos(related(c,a)). pos(related(c,b)). "
             "pos(related(c,c)). pos(related(d,d)). pos(related(d,e)). pos(related(e,d)). "
             "pos(related(e,e))."},
        Case{"cyclic", "edge(a,b). edge(b,a). edge(d,c). edge(d,b).",
             "pos(cyclic(a)). pos(cyclic(b))."},
        Case{"graph-coloring",
             "edge(a,b). edge(b,c). edge(a,d). colour(a,p). colour(b,p). colour(c,q). colour(d,q).",
             "pos(adjacent_to_same(a))."},
        // the list 2 -> 3 -> 1 -> 0
        Case{"length", "zero(0). succ(0,1). succ(1,2). succ(2,3). cons(2,3). cons(3,1). cons(1,0).",
             "pos(length(2,3)). pos(length(3,2)). pos(length(1,1)). pos(length(0,0))."},
        Case{"even-odd", kSucc, "pos(even(0)). pos(even(2)). pos(even(4))."},
        Case{"even-succ2", kSucc, "pos(even(0)). pos(even(2)). pos(even(4))."},
        Case{"buzz",
             kSucc + std::string("pred1(0,3). pred1(1,4). pred1(2,5). pred2(0,2). pred2(1,3). "
                                 "pred2(2,4). pred2(3,5)."),
             "pos(buzz(0)). pos(buzz(5))."},
        Case{"fizz", kSucc, "pos(fizz(0)). pos(fizz(3))."},
        Case{"graph-coloring-binary",
             "edge(a,b). edge(b,a). edge(b,c). edge(a,d). colour(a,p). colour(b,p). colour(c,q). "
             "colour(d,q).",
             "pos(adjacent_to_same(a,b)). pos(adjacent_to_same(b,a))."},
        Case{"adjacent-to-red-nlm",
             "edge(a,b). edge(b,a). edge(b,c). edge(c,b). red(a). green(b). blue(c). yellow(d).",
             "pos(adjacent_to_red(a)). pos(adjacent_to_red(b))."},
        Case{"grandparent-nlm",
             "father(c,b). mother(d,b). son(b,c). son(b,d). father(b,a). mother(e,a). "
             "daughter(a,b). daughter(a,e).",
             "pos(grandparent(c,a)). pos(grandparent(d,a))."},
        Case{"has-father", "father(c,b). mother(d,b). son(b,c). son(b,d).", "pos(has_father(b))."}),
    [](const auto& the) { return test::case_name(the.param.task); });

}  // namespace
}  // namespace hri
