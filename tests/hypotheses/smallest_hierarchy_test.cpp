// SPDX-License-Identifier: Apache-2.0

// Every task's solution is in the hypothesis space that training searches.

#include "hri/smallest_hierarchy.hpp"

#include "hri/evaluate.hpp"
#include "hri/tasks.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

class SolutionOf : public testing::TestWithParam<std::string> {};

TEST_P(SolutionOf, IsWhatTheModelsSlotsSayWhenTheyAreSetToIt) {
    const Task& task = find_task(GetParam());
    const Program program = parse_program(task.solution);
    const auto found = represent(program, task.inputs, Options{});
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->smallest);
    EXPECT_LE(found->model.options.layers, task.layers) << "the paper's n_L is enough";
    const Program extracted = extract(found->model);
    EXPECT_TRUE(same_answers(program, extracted, task.inputs, 300));

    // the symbolic and the soft model give the task's labels
    Model model = found->model;
    model.options.temperature = 1e-3;
    Instance instance;
    Random random(3);
    for (int i = 0; i < 3; ++i) {
        generate(task, task.eval_constants, random, instance);
        Scorer symbolic;
        symbolic.add(instance.labels, evaluate(extracted, instance));
        EXPECT_EQ(symbolic.score().mse, 0);
        Scorer soft;
        soft.add(instance.labels, infer(model, instance, 30));
        EXPECT_LT(soft.score().mse, 1e-9);
    }
}

std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Task& task : all_tasks()) {
        names.push_back(task.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(EachTask, SolutionOf, testing::ValuesIn(names()),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Represent, FindsTheLeastSizes) {
    const auto sizes = [](const std::string& task) {
        const auto found =
            represent(parse_program(find_task(task).solution), find_task(task).inputs, Options{});
        return std::pair(found->model.options.auxiliaries, found->model.options.layers);
    };
    EXPECT_EQ(sizes("less-than"), std::pair(1, 1));
    EXPECT_EQ(sizes("relatedness"), std::pair(1, 2)) << "the disjunct sees lower layers only";
    EXPECT_EQ(sizes("fizz"), std::pair(1, 3)) << "adding three takes two joins and a layer each";
    EXPECT_EQ(sizes("length"), std::pair(2, 2)) << "two joins in the circle share a layer";
}

TEST(Represent, WithoutRecursionLayersAreTheDepth) {
    Options options;
    options.recursivity = Recursivity::none;
    const Program program = parse_program(
        "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
        "parent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).\n");
    const auto found = represent(program, input_predicates(program), options);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->model.options.layers, 2);
    EXPECT_EQ(found->steps, 2);
    EXPECT_EQ(found->used, 2);
    const Task& task = find_task("less-than");
    EXPECT_FALSE(represent(parse_program(task.solution), task.inputs, options));
}

TEST(Represent, DoesNotFindWhatProtoRulesCannotSay) {
    // a variable twice in an atom takes Equal, which a model does not have
    const Program diagonal = parse_program("loop(X) :- edge(X,X).\n");
    EXPECT_FALSE(represent(diagonal, input_predicates(diagonal), Options{}));
    EXPECT_THROW(represent(parse_program("p(X) :- q(X,a).\n"), {{"q", 2}}, Options{}), Error);
}

TEST(SameAnswers, TellsProgramsApart) {
    const Program one = parse_program("p(X,Y) :- q(X,Z), q(Z,Y).\n");
    const Program two = parse_program("p(X,Y) :- q(X,Z), q(Y,Z).\n");
    EXPECT_TRUE(same_answers(one, one, {{"q", 2}}));
    EXPECT_FALSE(same_answers(one, two, {{"q", 2}}));
}

}  // namespace
}  // namespace hri
