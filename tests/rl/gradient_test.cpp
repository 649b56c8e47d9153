// SPDX-License-Identifier: Apache-2.0

// Gradients of policy and critic against finite differences; advantages by hand.

#include "rl/advantage.hpp"
#include "rl/best_moves.hpp"
#include "rl/blocksworld.hpp"
#include "rl/critic.hpp"
#include "rl/policy.hpp"
#include "support/gradient_check.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

TEST(Advantage, IsThatOfThreeStepsByHand) {
    // deltas: 1 + 0.5 * 4 - 2 = 1, 0 + 0.5 * 6 - 4 = -1, 2 + 0 - 6 = -4; gamma lambda = 0.25
    const std::vector<double> found = rl::advantages({1, 0, 2}, {2, 4, 6, 0}, 0.5, 0.5);
    EXPECT_DOUBLE_EQ(found[2], -4);
    EXPECT_DOUBLE_EQ(found[1], -2);
    EXPECT_DOUBLE_EQ(found[0], 0.5);
}

TEST(Advantage, CountsWhatFollowsAnUnfinishedEpisode) {
    EXPECT_DOUBLE_EQ(rl::advantages({1}, {2, 10}, 0.5, 0.9)[0], 4);
}

TEST(Advantage, IsNormalisedToMeanZeroAndDeviationOne) {
    std::vector<double> numbers = {1, 3};
    rl::normalise(numbers);
    EXPECT_NEAR(numbers[0], -std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(numbers[1], std::sqrt(0.5), 1e-6);
}

TEST(Policy, IsASoftmaxOfValuationsAtItsTemperature) {
    std::vector<double> p;
    rl::policy_probabilities(p, {0.5, 0.9, 0.51, 0.5}, {0, 2, 3}, 0.01);
    const double e = std::exp(1 - 2e-5);
    EXPECT_NEAR(p[0], 1 / (2 + e), 1e-12);
    EXPECT_NEAR(p[1], e / (2 + e), 1e-12);
    rl::policy_probabilities(p, {0.0, 1.0}, {0, 1}, 0.01);
    EXPECT_DOUBLE_EQ(p[0], 1e-20) << "never less";
}

TEST(Policy, ClippedSamplesHaveNoGradient) {
    const std::vector<double> p = {0.5, 0.5};
    const rl::PolicySettings settings{0.01, 0.2};
    const auto gradient = [&](double old, double advantage) {
        std::vector<double> d(2, 0.0);
        const rl::Sample sample{0, 0, std::log(old), advantage};
        const double loss = rl::clipped_surrogate(d, p, {0, 1}, sample, settings, 1.0);
        return std::make_pair(loss, d[0]);
    };
    EXPECT_EQ(gradient(0.4, 1), std::make_pair(-1.2, 0.0)) << "ratio 1.25, good: clipped";
    EXPECT_NEAR(gradient(0.4, -1).first, 1.25, 1e-12);
    EXPECT_GT(gradient(0.4, -1).second, 0);
    EXPECT_NEAR(gradient(1.0, -1).first, 0.8, 1e-12) << "ratio 0.5, bad: clipped";
    EXPECT_EQ(gradient(1.0, -1).second, 0);
    EXPECT_LT(gradient(1.0, 1).second, 0);
}

TEST(Policy, GradientOfTheLossAgreesWithDifferences) {
    const RlTask& task = find_rl_task("on");
    Options options = rl_options();
    options.layers = 3;
    options.train_steps = 3;
    options.skip_pairs = 0;  // exact
    options.skip_gradients = 0;
    options.fuzzy_and = And::product;  // smooth: more coordinates without a kink
    const Model model = make_model(task.inputs, task.target, options, 3);
    const int d = model.parameters.dimension;
    rl::SoftPolicy<double> policy(model.hierarchy, model.protorules, d, options);
    const rl::PolicySettings settings{0.5, 0.2};
    const auto columns = soft::columns_of(task.inputs, model.inputs);
    std::vector<soft::DenseInstance<double>> states(2);
    std::vector<int> actions;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto environment = make_environment(task, i == 0 ? "[a b c d]" : "[a][b c][d]");
        soft::make_dense(states[i], environment->facts(), columns, model.inputs, 2);
        actions = environment->actions();
    }
    const std::vector<std::vector<rl::Sample>> samples = {
        {{0, 3, std::log(0.05), 1.3}, {0, 19, std::log(0.06), -0.7}},
        {{1, 8, std::log(0.05), 0.4}}};

    const std::size_t split = model.parameters.predicates.size();
    std::vector<double> point(model.parameters.predicates.begin(),
                              model.parameters.predicates.end());
    point.insert(point.end(), model.parameters.slots.begin(), model.parameters.slots.end());
    Random jitter(9);  // away from equal valuations, where max has a kink
    for (std::size_t i = 2 * static_cast<std::size_t>(d); i < point.size(); ++i) {
        point[i] += 0.1 * jitter.uniform();
    }
    const auto loss = [&](const std::vector<double>& x) {
        policy.set(x.data(), x.data() + split, nullptr, 0.1);
        double sum = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            sum += policy.add(states[i], actions, samples[i], settings, 0.5);
        }
        sum += policy.add_imitation(states[1], actions, {2, 8}, 0.3, 0.7);
        sum += policy.add_labels(states[0], actions, {3, 5}, 2.0, 0.3);
        return sum + policy.add_spread(0.01);
    };
    loss(point);
    std::vector<double> gradient(point.size());
    policy.gradient(gradient.data(), gradient.data() + split);
    std::vector<std::size_t> chosen;  // slots, and predicates that may move
    for (std::size_t i = split; i < point.size(); i += 3) {
        chosen.push_back(i);
    }
    const auto width = static_cast<std::size_t>(d);
    for (std::size_t i = 2 * width; i < split; i += 5) {
        if (i % width >= 2) {
            chosen.push_back(i);
        }
    }
    const GradientCheck check = check_gradient(point, gradient, loss, chosen);
    EXPECT_GT(check.norm, 1e-3);
    EXPECT_LE(check.norm_error, 1e-5);
    EXPECT_GE(check.usable, check.coordinates / 2);
}

TEST(Policy, ImitationIsTheLogarithmOfTheShareOfGoodMoves) {
    const RlTask& task = find_rl_task("unstack");
    Options options = rl_options();
    options.layers = 2;
    const Model model = make_model(task.inputs, task.target, options, 3);
    const std::vector<double> predicates(model.parameters.predicates.begin(),
                                         model.parameters.predicates.end());
    const std::vector<double> slots(model.parameters.slots.begin(), model.parameters.slots.end());
    rl::SoftPolicy<double> policy(model.hierarchy, model.protorules, model.parameters.dimension,
                                  options);
    policy.set(predicates.data(), slots.data(), nullptr, 0.1);
    const auto environment = make_environment(task);
    soft::DenseInstance<double> dense;
    soft::make_dense(dense, environment->facts(), soft::columns_of(task.inputs, model.inputs),
                     model.inputs, 2);
    std::vector<double> p;
    rl::policy_probabilities(p, policy.valuations(dense), environment->actions(), 0.2);
    EXPECT_NEAR(policy.add_imitation(dense, environment->actions(), {1, 5}, 0.2, 0.5),
                -0.5 * std::log(p[1] + p[5]), 1e-9);
}

TEST(Policy, LabelsWantOneGoodMoveTrueAndAllOthersFalse) {
    const RlTask& task = find_rl_task("unstack");
    Options options = rl_options();
    options.layers = 2;
    const Model model = make_model(task.inputs, task.target, options, 3);
    const std::vector<double> predicates(model.parameters.predicates.begin(),
                                         model.parameters.predicates.end());
    const std::vector<double> slots(model.parameters.slots.begin(), model.parameters.slots.end());
    rl::SoftPolicy<double> policy(model.hierarchy, model.protorules, model.parameters.dimension,
                                  options);
    policy.set(predicates.data(), slots.data(), nullptr, 0.1);
    const auto environment = make_environment(task);
    soft::DenseInstance<double> dense;
    soft::make_dense(dense, environment->facts(), soft::columns_of(task.inputs, model.inputs),
                     model.inputs, 2);
    const std::vector<int>& actions = environment->actions();
    const std::vector<double> valuations = policy.valuations(dense);
    const auto value = [&](std::size_t k) {
        return std::clamp(valuations[static_cast<std::size_t>(actions[k])], 1e-3, 1 - 1e-3);
    };
    double others = 0;
    for (std::size_t k = 0; k < actions.size(); ++k) {
        others += k == 1 || k == 5 ? 0 : std::log(1 - value(k));
    }
    const double some = 1 - (1 - value(1)) * (1 - value(5));
    const double mean = others / static_cast<double>(actions.size() - 2);
    EXPECT_NEAR(policy.add_labels(dense, actions, {1, 5}, 3.0, 0.5),
                -0.5 * (std::log(some) + 3 * mean), 1e-9);
}

TEST(BestMoves, KeepsTheMovesWithTheMostRewardOfEachState) {
    const rl::Blocksworld tower(rl::Blocksworld::Goal::on, rl::Blocksworld::tower(4));
    const rl::Blocksworld singles(rl::Blocksworld::Goal::on, rl::Blocksworld::singles(4));
    rl::BestMoves moves;
    moves.add({tower.facts(), tower.actions()}, {}, 3, 0.5);
    moves.add({tower.facts(), tower.actions()}, {}, 4, 0.9);
    moves.add({tower.facts(), tower.actions()}, {}, 5, 0.9);
    moves.add({tower.facts(), tower.actions()}, {}, 5, 0.9);
    moves.add({tower.facts(), tower.actions()}, {}, 6, 0.7);
    ASSERT_EQ(moves.size(), 1);
    Random random(1);
    EXPECT_EQ(moves.any(random).good, (std::vector<int>{4, 5}));
    moves.add({singles.facts(), singles.actions()}, {}, 2, -0.1);
    EXPECT_EQ(moves.size(), 2);
}

TEST(Critic, GradientAgreesWithDifferences) {
    const auto inputs = rl::Blocksworld::schema(rl::Blocksworld::Goal::on)->inputs;
    rl::Critic<double> critic(inputs, 5, 1);
    std::vector<rl::State> states;
    for (const std::string text : {"[a b c d]", "[a][b c][d]", "[d c][b a]"}) {
        const rl::Blocksworld world(rl::Blocksworld::Goal::on, rl::Blocksworld::parse(text));
        states.push_back({world.facts(), world.actions()});
    }
    const std::vector<double> weights = {0.7, -1.1, 0.4};
    const auto weighted = [&](const std::vector<double>& x) {
        critic.parameters() = x;
        Random random(5);  // the same orders of objects each time
        const std::vector<double>& values = critic.forward(states, random);
        return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2];
    };
    const std::vector<double> point = critic.parameters();
    weighted(point);
    critic.backward(weights);
    const std::vector<double> gradient = critic.gradient();
    const GradientCheck check = check_gradient(point, gradient, weighted);
    EXPECT_GT(check.norm, 1e-2);
    EXPECT_LE(check.norm_error, 1e-6);
    EXPECT_GE(check.usable, check.coordinates / 2);
}

TEST(Critic, HasTheWidthsOfThePapersCritic) {
    // GRUs 3 h (in + h + 2); object width 128 + 6 c2 + c1 = 142; layers (3 * 142 + 64 + 1) 64 and
    // 65
    const auto inputs = rl::Blocksworld::schema(rl::Blocksworld::Goal::on)->inputs;
    rl::Critic<float> critic(inputs, 64, 1);
    const std::size_t grus = 3 * 64 * (2 + 64 + 2) + 3 * 64 * (142 + 64 + 2);
    EXPECT_EQ(critic.parameters().size(), grus + (3 * 142 + 64 + 1) * 64 + 65);
}

TEST(Critic, TakesAnyNumberOfObjects) {
    const auto inputs = rl::Blocksworld::schema(rl::Blocksworld::Goal::stack)->inputs;
    rl::Critic<float> critic(inputs, 8, 1);
    Random random(1);
    for (const int blocks : {2, 9}) {
        const rl::Blocksworld world(rl::Blocksworld::Goal::stack, rl::Blocksworld::tower(blocks));
        EXPECT_TRUE(std::isfinite(critic.forward({{world.facts(), world.actions()}}, random)[0]));
    }
}

}  // namespace
}  // namespace hri
