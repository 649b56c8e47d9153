// SPDX-License-Identifier: Apache-2.0

// A few iterations of training against the same by hand: naive loss, finite differences, textbook
// Adam.

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/train.hpp"

#include "reference/naive_model.hpp"
#include "soft/random_case.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hri {
namespace {

/// One fixed instance with fuzzy facts, all different, so that nothing ties.
Problem fuzzy_problem() {
    Problem problem;
    problem.schema = make_schema({{"p", 2}, {"q", 1}}, {"t", 2});
    Instance instance = make_instance(problem.schema, 3, Label::negative);
    Random random(17);
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            instance.facts[0].push_back({x, y, static_cast<float>(random.uniform(0.1, 0.9))});
        }
        instance.facts[1].push_back({x, 0, static_cast<float>(random.uniform(0.1, 0.9))});
    }
    instance.labels[1] = Label::positive;
    instance.labels[5] = Label::positive;
    instance.labels[6] = Label::unlabelled;
    problem.training.instances = {instance};
    return problem;
}

Options quiet_options() {
    Options options = exact_options();
    options.rules = "R0";
    options.layers = 1;
    options.train_steps = 2;
    options.start = Init::uniform;
    options.temperature = 0.5;
    options.final_temperature = 0.3;
    options.temperature_schedule = Schedule::linear;
    options.regularisation = 0.2;
    options.gumbel = 0;
    options.predicate_noise = 0;
    options.slot_noise = 0;
    options.iterations = 3;
    return options;
}

TrainSettings seeded(std::uint64_t seed) {
    TrainSettings settings;
    settings.seed = seed;
    return settings;
}

std::vector<double> as_double(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

/// The parameters after training by hand, and how sure they are: the smallest share of the largest
/// gradient that a coordinate had in any iteration.
struct StepByHand {
    std::vector<double> predicates;
    std::vector<double> slots;
    std::vector<double> predicate_share;
    std::vector<double> slot_share;
};

void adam_step(std::vector<double>& values, std::vector<double>& share, std::vector<double>& mean,
               std::vector<double>& square, const std::vector<double>& gradient, double rate,
               int time) {
    double largest = 0;
    for (const double g : gradient) {
        largest = std::max(largest, std::abs(g));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
        square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
        const double step = mean[i] / (1 - std::pow(0.9, time));
        const double scale = std::sqrt(square[i] / (1 - std::pow(0.999, time)));
        values[i] -= rate * step / (scale + 1e-8);
        share[i] = std::min(share[i], std::abs(gradient[i]) / largest);
    }
}

StepByHand train_by_hand(const Model& model, const Instance& instance) {
    const Options& options = model.options;
    const reference::Model naive{model.protorules, model.hierarchy, options,
                                 model.parameters.dimension};
    const auto d = static_cast<std::size_t>(model.parameters.dimension);
    StepByHand hand{
        as_double(model.parameters.predicates), as_double(model.parameters.slots), {}, {}};
    hand.predicate_share.assign(hand.predicates.size(), 1.0);
    hand.slot_share.assign(hand.slots.size(), 1.0);
    std::vector<double> predicate_mean(hand.predicates.size(), 0.0);
    std::vector<double> predicate_square = predicate_mean;
    std::vector<double> slot_mean(hand.slots.size(), 0.0);
    std::vector<double> slot_square = slot_mean;
    for (int t = 0; t < options.iterations; ++t) {
        reference::Point point{hand.predicates, hand.slots, {}, 0.5 - 0.1 * t};  // 0.5, 0.4, 0.3
        const auto difference = [&](double& coordinate) {
            constexpr double h = 1e-5;
            const double here = coordinate;
            coordinate = here + h;
            const double right = reference::loss_at(naive, point, instance, options.train_steps);
            coordinate = here - h;
            const double left = reference::loss_at(naive, point, instance, options.train_steps);
            coordinate = here;
            return (right - left) / (2 * h);
        };
        std::vector<double> d_predicates(hand.predicates.size(), 0.0);
        std::vector<double> d_slots(hand.slots.size(), 0.0);
        for (std::size_t i = 2 * d; i < d_predicates.size(); ++i) {
            d_predicates[i] = i % d < 2 ? 0.0 : difference(point.predicates[i]);
        }
        for (std::size_t i = 0; i < d_slots.size(); ++i) {
            d_slots[i] = difference(point.slots[i]);
        }
        if (options.train_predicates) {
            adam_step(hand.predicates, hand.predicate_share, predicate_mean, predicate_square,
                      d_predicates, options.learning_rate, t + 1);
        }
        adam_step(hand.slots, hand.slot_share, slot_mean, slot_square, d_slots,
                  options.learning_rate_rules, t + 1);
    }
    return hand;
}

/// Coordinates whose gradient was never negligible moved alike; the others by no more than Adam
/// can.
int expect_alike(const std::vector<float>& trained, const std::vector<double>& hand,
                 const std::vector<double>& share, const std::vector<float>& start, double rate) {
    int sure = 0;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        if (share[i] > 1e-3) {
            EXPECT_NEAR(static_cast<double>(trained[i]), hand[i], 0.01 * rate) << i;
            ++sure;
        } else {
            EXPECT_LE(std::abs(trained[i] - start[i]), 3.1 * rate) << i;
        }
    }
    return sure;
}

TEST(TrainingStep, MovesEmbeddingsAsDifferencesAndAdamSay) {
    const Problem problem = fuzzy_problem();
    const Model start = make_model(problem.inputs(), problem.target(), quiet_options(), 3);
    const Model trained = train_from(start, problem, seeded(3)).model;
    const StepByHand hand = train_by_hand(start, problem.training.instances[0]);
    const int predicates =
        expect_alike(trained.parameters.predicates, hand.predicates, hand.predicate_share,
                     start.parameters.predicates, start.options.learning_rate);
    const int slots = expect_alike(trained.parameters.slots, hand.slots, hand.slot_share,
                                   start.parameters.slots, start.options.learning_rate_rules);
    EXPECT_GE(predicates, static_cast<int>(hand.predicates.size()) / 3);
    EXPECT_GE(slots, static_cast<int>(hand.slots.size()) * 2 / 3);
}

TEST(TrainingStep, LeavesTrueAndFalseAndTheirDimensionsAlone) {
    const Problem problem = fuzzy_problem();
    Options options = quiet_options();
    options.predicate_noise = 1;
    options.slot_noise = 1;
    options.gumbel = 0.3;
    options.iterations = 20;
    const Model start = make_model(problem.inputs(), problem.target(), options, 3);
    const Model trained = train_from(start, problem, seeded(3)).model;
    const auto d = static_cast<std::size_t>(start.parameters.dimension);
    for (std::size_t i = 0; i < start.parameters.predicates.size(); ++i) {
        if (i < 2 * d || i % d < 2) {
            EXPECT_EQ(trained.parameters.predicates[i], start.parameters.predicates[i]);
        } else {
            EXPECT_NE(trained.parameters.predicates[i], start.parameters.predicates[i]);
        }
    }
}

TEST(TrainingStep, LeavesFrozenPredicatesAlone) {
    const Problem problem = fuzzy_problem();
    Options options = quiet_options();
    options.train_predicates = false;
    options.predicate_noise = 1;  // frozen embeddings get no noise either
    const Model start = make_model(problem.inputs(), problem.target(), options, 3);
    const Model trained = train_from(start, problem, seeded(3)).model;
    EXPECT_EQ(trained.parameters.predicates, start.parameters.predicates);
    const StepByHand hand = train_by_hand(start, problem.training.instances[0]);
    const int slots = expect_alike(trained.parameters.slots, hand.slots, hand.slot_share,
                                   start.parameters.slots, options.learning_rate_rules);
    EXPECT_GE(slots, static_cast<int>(hand.slots.size()) * 2 / 3);
}

TEST(TrainingStep, IsTheSameForTheSameSeed) {
    const Problem problem = fuzzy_problem();
    Options options = quiet_options();
    options.predicate_noise = 1;
    options.slot_noise = 1;
    options.gumbel = 0.3;
    options.iterations = 50;
    const TrainResult once = train(problem, options, seeded(9));
    const TrainResult again = train(problem, options, seeded(9));
    const TrainResult other = train(problem, options, seeded(10));
    EXPECT_EQ(once.model.parameters.predicates, again.model.parameters.predicates);
    EXPECT_EQ(once.model.parameters.slots, again.model.parameters.slots);
    EXPECT_EQ(once.final_loss, again.final_loss);
    EXPECT_NE(once.model.parameters.slots, other.model.parameters.slots);
}

}  // namespace
}  // namespace hri
