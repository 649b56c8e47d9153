// SPDX-License-Identifier: Apache-2.0
#include "hri/tasks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

using testing::ElementsAre;

TEST(Tasks, AreThoseOfThePaperInItsOrderThenOthers) {
    std::vector<std::string> in_table;
    std::vector<std::string> others;
    for (const Task& task : all_tasks()) {
        (task.in_table ? in_table : others).push_back(task.name);
        EXPECT_TRUE(others.empty() || !task.in_table) << task.name;
    }
    EXPECT_THAT(in_table, ElementsAre("predecessor", "undirected-edge", "less-than", "member",
                                      "connectedness", "son", "grandparent", "adjacent-to-red",
                                      "two-children", "relatedness", "cyclic", "graph-coloring",
                                      "length", "even-odd", "even-succ2", "buzz", "fizz"));
    EXPECT_THAT(others, ElementsAre("graph-coloring-binary", "adjacent-to-red-nlm",
                                    "grandparent-nlm", "has-father"));
}

TEST(Tasks, CarryThePapersHyperParameters) {
    // train steps, eval steps, train constants, eval constants
    const std::map<std::string, std::vector<int>> expected = {
        {"predecessor", {2, 4, 10, 14}},    {"undirected-edge", {2, 2, 4, 6}},
        {"less-than", {12, 12, 10, 12}},    {"member", {12, 12, 5, 7}},
        {"connectedness", {4, 4, 5, 5}},    {"son", {4, 4, 9, 10}},
        {"grandparent", {4, 4, 9, 11}},     {"adjacent-to-red", {4, 4, 7, 9}},
        {"two-children", {4, 5, 5, 7}},     {"relatedness", {10, 12, 8, 10}},
        {"cyclic", {4, 4, 6, 7}},           {"graph-coloring", {4, 4, 8, 10}},
        {"length", {8, 10, 4, 5}},          {"even-odd", {6, 8, 11, 15}},
        {"even-succ2", {6, 8, 11, 15}},     {"buzz", {8, 10, 11, 16}},
        {"fizz", {8, 10, 7, 10}},           {"graph-coloring-binary", {4, 4, 8, 10}},
        {"grandparent-nlm", {4, 4, 9, 11}}, {"adjacent-to-red-nlm", {4, 4, 7, 9}},
        {"has-father", {1, 2, 12, 10}}};
    for (const Task& task : all_tasks()) {
        EXPECT_THAT((std::vector<int>{task.train_steps, task.eval_steps, task.train_constants,
                                      task.eval_constants}),
                    testing::ElementsAreArray(expected.at(task.name)))
            << task.name;
        EXPECT_EQ(task.layers, 4);
    }
}

TEST(Tasks, CarryThePapersResults) {
    // dILP, LRI, train, soft, symbolic, milliseconds
    const std::map<std::string, std::vector<double>> expected = {
        {"predecessor", {100, 100, 100, 100, 100, 36}},
        {"undirected-edge", {100, 100, 100, 100, 100, 7}},
        {"less-than", {100, 100, 100, 100, 100, 118}},
        {"member", {100, 100, 100, 100, 100, 69}},
        {"connectedness", {100, 100, 100, 100, 100, 13}},
        {"son", {100, 100, 100, 100, 100, 47}},
        {"grandparent", {96.5, 100, 100, 100, 100, 45}},
        {"adjacent-to-red", {50.5, 100, 100, 100, 100, 17}},
        {"two-children", {95, 0, 100, 100, 100, 11}},
        {"relatedness", {100, 100, 100, 100, 100, 64}},
        {"cyclic", {100, 100, 100, 100, 100, 14}},
        {"graph-coloring", {94.5, 0, 100, 100, 100, 19}},
        {"length", {92.5, 100, 20, 0, 0, 25}},
        {"even-odd", {100, 100, 40, 40, 40, 66}},
        {"even-succ2", {48.5, 100, 40, 40, 40, 58}},
        {"buzz", {35, 70, 100, 40, 40, 135}},
        {"fizz", {10, 10, 0, 0, 0, 30}}};
    for (const auto& [name, figures] : expected) {
        const PaperFigures& paper = find_task(name).paper;
        EXPECT_THAT((std::vector<double>{paper.ilp, paper.lri, paper.train, paper.soft,
                                         paper.symbolic, paper.reference_ms}),
                    testing::ElementsAreArray(figures))
            << name;
    }
    EXPECT_EQ(find_task("has-father").paper.symbolic, -1);
}

TEST(Tasks, HaveNamesTitlesAndExplanationsOfTheirOwn) {
    std::set<std::string> names;
    std::set<std::string> titles;
    for (const Task& task : all_tasks()) {
        EXPECT_TRUE(names.insert(task.name).second) << task.name;
        EXPECT_TRUE(titles.insert(task.title).second) << task.title;
        EXPECT_NE(task.explanation.find(task.target.name + "("), std::string::npos) << task.name;
        for (const PredicateSymbol& input : task.inputs) {
            EXPECT_NE(task.explanation.find(input.name), std::string::npos)
                << task.name << ": " << input.name;
        }
    }
}

TEST(FindTask, FindsATaskByItsName) {
    EXPECT_EQ(find_task("two-children").title, "Two Children");
    EXPECT_EQ(&find_task("fizz"), &find_task("fizz"));
}

TEST(FindTask, NamesTheNearestForAnUnknownOne) {
    const auto error_of = [](const char* name) -> std::string {
        try {
            find_task(name);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(error_of("granparent"),
              "there is no task 'granparent' (did you mean 'grandparent'?)");
    EXPECT_EQ(error_of("Cyclic"), "there is no task 'Cyclic' (did you mean 'cyclic'?)");
    EXPECT_EQ(error_of("even_odd"), "there is no task 'even_odd' (did you mean 'even-odd'?)");
    EXPECT_EQ(error_of(""), "there is no task '' (did you mean 'son'?)");
}

}  // namespace
}  // namespace hri
