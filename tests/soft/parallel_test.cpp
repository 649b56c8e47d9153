// SPDX-License-Identifier: Apache-2.0
// Threads inside a step change no bit of what comes out.

#include "hri/train.hpp"

#include "soft/random_case.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace hri {
namespace {

const std::vector<int> kThreads = {2, 3, 4};
const std::vector<int> kConstants = {64, 70, 130};

struct Outcome {
    float loss = 0;
    std::vector<float> target;
    std::vector<float> d_predicates;
    std::vector<float> d_slots;
    bool operator==(const Outcome&) const = default;

    bool has_gradient() const {
        return std::any_of(d_slots.begin(), d_slots.end(), [](float d) { return d != 0; });
    }
};

/// The second of two evaluations, since the first one makes what the second finds.
Outcome outcome(const RandomCase& c, int threads) {
    base::ThreadPool crew(threads);
    training::Objective<float> objective(c.hierarchy, c.protorules, c.dimension, c.options, &crew);
    const soft::DenseInstance<float> instance = c.dense<float>();
    Outcome result;
    result.d_predicates.resize(c.predicates.size());
    result.d_slots.resize(c.slots.size());
    for (int i = 0; i < 2; ++i) {
        result.loss = objective.loss(c.predicates.data(), c.slots.data(),
                                     c.gumbel.empty() ? nullptr : c.gumbel.data(),
                                     static_cast<float>(c.options.temperature), instance, c.steps);
        objective.gradient(result.d_predicates.data(), result.d_slots.data());
    }
    result.target = objective.target();
    EXPECT_EQ(crew.has_started(), threads > 1 && c.options.pool == Pool::sum);
    return result;
}

/// A model of these rules over an instance of so many constants.
RandomCase large_case(const ProtoRules& rules, const Options& options, int constants,
                      Random& random) {
    RandomCase c = random_case(rules, options, random);
    c.steps = 1 + random.below(3);
    c.instance = random_instance(c.inputs, c.hierarchy.target_arity, constants, false, random);
    for (Label& label : c.instance.labels) {
        label = random.chance(0.3) ? Label::positive : Label::negative;
    }
    return c;
}

void expect_the_same_for_any_number_of_threads(const RandomCase& c, int& with_gradient) {
    const Outcome expected = outcome(c, 1);
    with_gradient += expected.has_gradient() ? 1 : 0;
    for (const int threads : kThreads) {
        EXPECT_EQ(outcome(c, threads), expected) << threads << " threads, " << c.describe();
    }
}

TEST(SharedSteps, GiveTheSameLossAndGradientForNamedSetsOfRules) {
    Random random(1);
    int cases = 0;
    int with_gradient = 0;
    for (const char* rules : {"R0", "R0v", "R*", "MIL"}) {
        for (const int constants : kConstants) {
            for (const bool exact : {true, false}) {
                Options options = exact ? exact_options() : Options{};
                options.layers = constants < 100 ? 2 : 1;
                options.temperature = exact ? 1.0 : 0.2;
                const RandomCase c = large_case(shape(rules), options, constants, random);
                expect_the_same_for_any_number_of_threads(c, with_gradient);
                ++cases;
            }
        }
    }
    EXPECT_GT(2 * with_gradient, cases);
}

TEST(SharedSteps, GiveTheSameLossAndGradientForEveryShapeAndOption) {
    Random random(2);
    int with_gradient = 0;
    for (const NamedShape& s : shapes()) {
        Options options = random_options(random);
        options.layers = 1 + random.below(2);
        if (random.chance(0.5)) {
            options.skip_pairs = options.skip_gradients = 1e-3;
        }
        options.pool = random.chance(0.9) ? Pool::sum : Pool::max;
        const RandomCase c = large_case(s.rules, options, 64 + random.below(10), random);
        expect_the_same_for_any_number_of_threads(c, with_gradient);
    }
    EXPECT_GT(2 * with_gradient, static_cast<int>(shapes().size()));
}

TEST(SharedSteps, GiveTheSameWithNegation) {
    Random random(3);
    int with_gradient = 0;
    for (int trial = 0; trial < 4; ++trial) {
        Options options = exact_options();
        options.layers = 2;
        options.negation = true;
        options.equality = trial % 2 == 1;
        const RandomCase c = large_case(shape("R0"), options, 64, random);
        expect_the_same_for_any_number_of_threads(c, with_gradient);
    }
    EXPECT_GT(with_gradient, 0);
}

TEST(SharedSteps, BeginAtSixtyFourConstants) {
    Random random(4);
    const RandomCase c = large_case(shape("R*"), Options{}, 63, random);
    base::ThreadPool crew(2);
    training::Objective<float> objective(c.hierarchy, c.protorules, c.dimension, c.options, &crew);
    objective.loss(c.predicates.data(), c.slots.data(), nullptr, 0.1F, c.dense<float>(), 2);
    EXPECT_FALSE(crew.has_started());
}

TEST(SharedSteps, GiveTheSameAfterInstancesOfOtherSizes) {
    Random random(5);
    const RandomCase c = large_case(shape("R*"), exact_options(), 64, random);
    std::vector<std::vector<float>> slots;
    for (const int threads : {1, 3}) {
        Random sizes(6);
        base::ThreadPool crew(threads);
        training::Objective<float> objective(c.hierarchy, c.protorules, c.dimension, c.options,
                                             &crew);
        RandomCase other = c;
        std::vector<float> d_predicates(c.predicates.size());
        std::vector<float>& d_slots = slots.emplace_back(c.slots.size());
        for (const int constants : {70, 20, 130, 64, 5, 66}) {
            other.instance =
                random_instance(c.inputs, c.hierarchy.target_arity, constants, false, sizes);
            const soft::DenseInstance<float> instance = other.dense<float>();
            objective.loss(c.predicates.data(), c.slots.data(), nullptr, 0.5F, instance, 2);
            std::vector<float> once(c.slots.size());
            objective.gradient(d_predicates.data(), once.data());
            for (std::size_t i = 0; i < once.size(); ++i) {
                d_slots[i] += static_cast<float>(constants) * once[i];
            }
        }
    }
    EXPECT_EQ(slots[0], slots[1]);
}

Problem one_large_instance(int constants, Random& random) {
    Problem problem;
    problem.name = "large";
    problem.schema = make_schema({{"p", 2}, {"q", 2}, {"u", 1}}, {"target", 2});
    Instance instance = random_instance(problem.inputs(), 2, constants, false, random);
    for (Label& label : instance.labels) {
        label = random.chance(0.2) ? Label::positive : Label::negative;
    }
    problem.training.instances = {std::move(instance)};
    return problem;
}

TEST(SharedSteps, TrainTheSameModel) {
    Random random(7);
    for (const char* rules : {"R0", "R*", "MIL"}) {
        for (const int constants : kConstants) {
            const Problem problem = one_large_instance(constants, random);
            for (const bool exact : {true, false}) {
                Options options = exact ? exact_options() : Options{};
                options.rules = rules;
                options.layers = constants == 64 ? 2 : 1;
                options.train_steps = 3;
                options.iterations = constants < 100 ? 4 : 2;
                const TrainResult alone = train(problem, options, {.seed = 1});
                for (const int threads : kThreads) {
                    const TrainResult shared =
                        train(problem, options, {.seed = 1, .threads = threads});
                    EXPECT_EQ(shared.model.parameters.slots, alone.model.parameters.slots);
                    EXPECT_EQ(shared.model.parameters.predicates,
                              alone.model.parameters.predicates);
                    EXPECT_EQ(shared.final_loss, alone.final_loss);
                    const Instance& instance = problem.training.instances.front();
                    EXPECT_EQ(infer(shared.model, instance, 4, threads),
                              infer(alone.model, instance, 4));
                }
            }
        }
    }
}

}  // namespace
}  // namespace hri
