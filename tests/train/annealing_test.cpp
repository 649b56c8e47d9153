// SPDX-License-Identifier: Apache-2.0

// A run goes on, with the noise raised again, until it succeeds on fresh training instances.

#include "train/annealing.hpp"

#include "hri/smallest_hierarchy.hpp"
#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "soft/unification.hpp"
#include "support/swi_prolog.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace hri {
namespace {

Model model_of(const std::string& program, const Task& task) {
    const auto found = represent(parse_program(program), task.inputs, Options{});
    EXPECT_TRUE(found);
    Model model = found->model;
    model.options.train_steps = 6;
    return model;
}

bool is_right(Model model, const Task& task, int instances) {
    model.options.check_instances = instances;
    Random random(3, Random::kCheck);
    return training::succeeds_on_fresh(model, make_problem(task), random);
}

TEST(Annealing, EndsWithWhatIsRight) {
    for (const char* name : {"undirected-edge", "adjacent-to-red", "predecessor"}) {
        const Task& task = find_task(name);
        EXPECT_TRUE(is_right(model_of(task.solution, task), task, 300)) << name;
    }
}

TEST(Annealing, GoesOnWithWhatIsWrong) {
    const Task& edge = find_task("undirected-edge");
    EXPECT_FALSE(is_right(model_of("undirected_edge(X,Y) :- edge(X,Y).\n", edge), edge, 300));
    const Task& fixed = find_task("predecessor");
    EXPECT_FALSE(is_right(model_of("predecessor(X,Y) :- succ(X,Y).\n", fixed), fixed, 1));
}

// Cycles of two or three edges are nearly all that graphs of six nodes have.
TEST(Annealing, SeesWhatFewInstancesContradict) {
    const Task& task = find_task("cyclic");
    const Model model = model_of(
        "cyclic(X) :- edge(X,Y), edge(Y,X).\n"
        "cyclic(X) :- edge(X,Y), two(Y,X).\n"
        "two(X,Y) :- edge(X,Z), edge(Z,Y).\n",
        task);
    EXPECT_TRUE(is_right(model, task, 1));
    EXPECT_FALSE(is_right(model, task, 1000));
}

TEST(Annealing, WantsASoftModelThatIsRightToo) {
    const Task& task = find_task("adjacent-to-red");
    Model model = model_of(task.solution, task);
    for (float& value : model.parameters.slots) {
        value += 0.5F;  // the largest scores stay the largest, and are less large
    }
    ASSERT_EQ(to_text(simplified(extract(model))),
              to_text(simplified(extract(model_of(task.solution, task)))));
    EXPECT_FALSE(is_right(model, task, 300));
}

TEST(UnitLength, ChangesNoCosine) {
    const Task& task = find_task("two-children");
    Model model = make_model(task.inputs, task.target, Options{}, 5);
    for (std::size_t i = 0; i < model.parameters.slots.size(); ++i) {
        model.parameters.slots[i] *= 1 + static_cast<float>(i % 3);
    }
    const auto scores = [&] {
        soft::Unification<float> unification(model.hierarchy, model.parameters.dimension,
                                             Similarity::cosine);
        unification.forward(model.parameters.predicates.data(), model.parameters.slots.data(),
                            nullptr, 0.1F);
        return unification.alpha();
    };
    const std::vector<float> before = scores();
    training::to_unit_length(model.parameters, true);
    const std::vector<float> after = scores();
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NEAR(before[i], after[i], 1e-5);
    }
    const int d = model.parameters.dimension;
    for (std::size_t first = 0; first < model.parameters.slots.size();
         first += static_cast<std::size_t>(d)) {
        float sum = 0;
        for (int k = 0; k < d; ++k) {
            const float value = model.parameters.slots[first + static_cast<std::size_t>(k)];
            sum += value * value;
        }
        EXPECT_NEAR(sum, 1, 1e-5);
    }
}

TrainResult trained(const char* task, int iterations, int annealing_cycles, std::uint64_t seed) {
    Options options;
    options.iterations = iterations;
    options.annealing_cycles = annealing_cycles;
    options.check_instances = 200;
    const Problem problem = make_problem(find_task(task));
    const TrainResult run = train(problem, options, {.seed = seed});
    EXPECT_TRUE(test::swi_prolog_agrees(simplified(extract(run.model)), problem));
    return run;
}

TEST(Train, AnnealsOnceUnlessToldOtherwise) {
    EXPECT_EQ(Options{}.annealing_cycles, 1);
    const TrainResult run = trained("undirected-edge", 1000, 1, 0);
    EXPECT_EQ(run.iterations, 1000);
    EXPECT_EQ(run.stop_reason, StopReason::finished);
}

TEST(Train, EndsAfterTheFirstAnnealingThatSucceeds) {
    const TrainResult run = trained("undirected-edge", 1000, 5, 0);
    EXPECT_EQ(run.iterations % 1000, 0);
    EXPECT_LT(run.iterations, 5000);
    EXPECT_EQ(run.stop_reason, StopReason::fits);
}

TEST(Train, TakesAllAnnealingsWhereNoneSucceeds) {
    const TrainResult run = trained("two-children", 20, 3, 0);
    EXPECT_EQ(run.iterations, 60);
    EXPECT_EQ(run.stop_reason, StopReason::finished);
}

}  // namespace
}  // namespace hri
