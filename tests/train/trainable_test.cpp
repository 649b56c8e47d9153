// SPDX-License-Identifier: Apache-2.0

// A training loop by hand does what train() does, and valuations are right of every predicate.

#include "hri/trainable.hpp"

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "reference/naive_model.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::HasSubstr;

Options quiet_options() {
    Options options;
    options.layers = 2;
    options.start = Init::uniform;
    options.gumbel = 0;
    options.predicate_noise = 0;
    options.slot_noise = 0;
    options.skip_pairs = 0;
    options.skip_gradients = 0;
    options.iterations = 5;
    return options;
}

TEST(Trainable, DoesWhatTrainingDoesBitForBit) {
    const Problem problem = make_problem(find_task("grandparent"));
    const Options options = quiet_options();
    const Model start = make_model(problem.inputs(), problem.target(), options, 7);
    TrainSettings settings;
    settings.seed = 7;
    const TrainResult expected = train_from(start, problem, settings);

    Trainable<float> net(start);
    Random data(7, Random::kData);
    Instance scratch;
    const auto lambda = static_cast<float>(options.regularisation);
    for (int i = 0; i < options.iterations; ++i) {
        const Instance& instance = problem.training.draw(i, data, scratch);
        net.set_facts(instance);
        std::vector<float> d_alpha = net.unify();
        for (float& a : d_alpha)
            a = lambda * (1 - 2 * a);
        std::vector<float> d_target = net.infer(options.train_steps);
        for (std::size_t k = 0; k < d_target.size(); ++k) {
            const bool positive = instance.labels[k] == Label::positive;
            const float right = positive ? d_target[k] : 1 - d_target[k];
            const float slope = 1 / std::max(right, static_cast<float>(options.log_floor));
            d_target[k] = positive ? -slope : slope;
        }
        net.backward(d_target.data(), d_alpha.data());
        net.step();
    }
    EXPECT_EQ(net.model().parameters.predicates, expected.model.parameters.predicates);
    EXPECT_EQ(net.model().parameters.slots, expected.model.parameters.slots);
    EXPECT_NE(net.model().parameters.slots, start.parameters.slots);
}

TEST(Trainable, KnowsTheValuationsOfEveryPredicateIfAsked) {
    const Problem problem = make_problem(find_task("grandparent"), {.training = 5});
    const Options options = quiet_options();
    const Model model = make_model(problem.inputs(), problem.target(), options, 3);
    Random data(1, Random::kData);
    Instance instance;
    problem.training.draw(0, data, instance);

    Trainable<double> net(model);
    net.set_facts(instance);
    net.unify();
    const std::vector<double> target = net.infer(3);
    EXPECT_THROW(net.valuation(model.hierarchy.first_auxiliary()), Error);
    EXPECT_EQ(net.infer(3, true), target);

    const reference::Model reference{model.protorules, model.hierarchy, options,
                                     model.parameters.dimension};
    reference::Point point;
    point.predicates.assign(model.parameters.predicates.begin(), model.parameters.predicates.end());
    point.slots.assign(model.parameters.slots.begin(), model.parameters.slots.end());
    point.temperature = options.temperature;
    const reference::Valuations expected =
        reference::infer(reference, reference::unify(reference, point), instance, 3);
    for (int p = 0; p < model.hierarchy.predicates(); ++p) {
        const auto matrix = net.valuation(p);
        for (int x = 0; x < 5; ++x)
            for (int y = 0; y < 5; ++y) {
                const int arguments[] = {x, y};
                EXPECT_NEAR(matrix.values[x * matrix.stride + y], expected(p, arguments), 1e-9)
                    << "predicate " << p << " of " << x << ", " << y;
            }
    }
}

TEST(Trainable, TakesInputsAsValuations) {
    const std::vector<PredicateSymbol> inputs = {{"p", 2}, {"q", 1}, {"rain", 0}};
    const Model model = make_model(inputs, {"t", 2}, quiet_options(), 3);
    Instance instance = make_instance(make_schema(inputs, {"t", 2}), 2);
    instance.facts = {{{0, 1, 0.5F}, {1, 0, 1.0F}}, {{1, 0, 0.25F}}, {{0, 0, 0.75F}}};
    Trainable<float> facts(model);
    facts.set_facts(instance);
    Trainable<float> arrays(model);
    arrays.set_facts(2);
    const float p[] = {0, 0.5F, 1, 0};
    const float q[] = {0, 0.25F};
    const float rain[] = {0.75F};
    arrays.set_input(0, p);
    arrays.set_input(1, q);
    arrays.set_input(2, rain);
    facts.unify();
    arrays.unify();
    EXPECT_EQ(facts.infer(2), arrays.infer(2));
    const float wrong[] = {0, 2};
    EXPECT_THROW(arrays.set_input(1, wrong), Error);
    EXPECT_THROW(arrays.set_input(3, wrong), Error);
}

TEST(Trainable, SaysWhatMustComeFirst) {
    Trainable<float> net(make_model({{"p", 2}}, {"t", 2}, quiet_options(), 1));
    const auto message = [](auto call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(message([&] { net.infer(1); }), HasSubstr("set_facts() and unify() first"));
    EXPECT_THAT(message([&] { net.step(); }), HasSubstr("backward() first"));
    EXPECT_THAT(message([&] { net.backward(nullptr); }), HasSubstr("unify() and infer() first"));
    EXPECT_THAT(message([&] { net.set_facts(0); }), HasSubstr("without constants"));
    net.set_facts(3);
    net.unify();
    EXPECT_THAT(message([&] { net.infer(0); }), HasSubstr("at least one step"));
}

}  // namespace
}  // namespace hri
