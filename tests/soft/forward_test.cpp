// SPDX-License-Identifier: Apache-2.0

// Inference against the paper's equations transcribed literally (naive_model.hpp), for every shape
// of rule and every option.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "reference/naive_model.hpp"
#include "soft/random_case.hpp"
#include "soft/stratified.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hri {
namespace {

constexpr double kFloatTolerance = 1e-5;
constexpr double kDoubleTolerance = 1e-12;

template <class Real>
double largest_difference(const std::vector<Real>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - b[i]);
        largest = difference > largest || std::isnan(difference) ? difference : largest;
    }
    return largest;
}

std::vector<double> flat(const reference::Matrix& rows) {
    std::vector<double> result;
    for (const std::vector<double>& row : rows) {
        result.insert(result.end(), row.begin(), row.end());
    }
    return result;
}

/// How far the library was from the naive model, over all cases of a test.
struct Deviations {
    double target = 0;
    double scores = 0;
    double loss = 0;

    void record(const std::string& real) const {
        testing::Test::RecordProperty(real + "_target", std::to_string(target * 1e12) + "e-12");
        testing::Test::RecordProperty(real + "_scores", std::to_string(scores * 1e12) + "e-12");
        testing::Test::RecordProperty(real + "_loss", std::to_string(loss * 1e12) + "e-12");
    }
};

/// One forward pass of the naive model, and labels that suit it.
struct Expected {
    std::vector<double> scores;
    std::vector<double> target;
    double loss = 0;
    double slope = 1;  // of the loss by the target's valuations, summed
};

Expected naive_pass(RandomCase& c, Random& random) {
    const reference::Model model = c.naive_model();
    const reference::Matrix alpha = reference::unify(model, c.naive_point());
    Expected expected;
    expected.scores = flat(alpha);
    expected.target =
        reference::target(model, alpha, reference::infer(model, alpha, c.instance, c.steps));
    label_at_random(c.instance, expected.target, random);
    expected.loss = reference::loss(model, alpha, expected.target, c.instance);
    for (std::size_t i = 0; i < expected.target.size(); ++i) {
        const double v = expected.target[i];
        expected.slope += c.instance.labels[i] == Label::positive   ? 1 / v
                          : c.instance.labels[i] == Label::negative ? 1 / (1 - v)
                                                                    : 0;
    }
    return expected;
}

template <class Real>
void compare(const RandomCase& c, const Expected& expected, double tolerance, Deviations& worst) {
    training::Objective<Real> objective(c.hierarchy, c.protorules, c.dimension, c.options);
    const std::vector<Real> predicates = converted<Real>(c.predicates);
    const std::vector<Real> slots = converted<Real>(c.slots);
    const std::vector<Real> gumbel = converted<Real>(c.gumbel);
    const soft::DenseInstance<Real> dense = c.dense<Real>();
    const Real loss =
        objective.loss(predicates.data(), slots.data(), gumbel.empty() ? nullptr : gumbel.data(),
                       static_cast<Real>(c.options.temperature), dense, c.steps);

    const double target = largest_difference(objective.target(), expected.target);
    const double scores = largest_difference(objective.alpha(), expected.scores);
    const double off = std::abs(static_cast<double>(loss) - expected.loss) / expected.slope;
    EXPECT_LE(scores, tolerance) << c.describe();
    EXPECT_LE(target, tolerance) << c.describe();
    EXPECT_LE(off, 10 * tolerance) << c.describe();
    worst.target = std::max(worst.target, target);
    worst.scores = std::max(worst.scores, scores);
    worst.loss = std::max(worst.loss, off);

    // Without the memory for backward it is the same arithmetic.
    soft::StratifiedInference<Real> inference(c.hierarchy, c.protorules, c.options);
    inference.forward_only(objective.alpha().data(), dense, c.steps);
    EXPECT_EQ(inference.target(), objective.target()) << c.describe();
}

TEST(Forward, MatchesTheEquationsLayerByLayerWithNegation) {
    Deviations single;
    Deviations twice;
    std::uint64_t seed = 5000;
    int varied = 0;
    for (const NamedShape& s : shapes()) {
        for (int i = 0; i < (s.rules.size() > 2 ? 20 : 4); ++i) {
            Random random(++seed);
            Options options = random_options(random);
            options.negation = true;
            options.equality = random.chance(0.5);
            options.layers = 1 + random.below(3);
            RandomCase c = random_case(s.rules, options, random);
            const Expected expected = naive_pass(c, random);
            compare<float>(c, expected, kFloatTolerance, single);
            compare<double>(c, expected, kDoubleTolerance, twice);
            if (HasFailure()) {
                return;  // one is enough
            }
            const auto [least, most] =
                std::minmax_element(expected.target.begin(), expected.target.end());
            varied += expected.target.size() > 1 && *most - *least > 0.01 ? 1 : 0;
        }
    }
    EXPECT_GT(varied, 50);
}

TEST(Forward, MatchesTheEquationsForEveryShapeAndOption) {
    Deviations single;
    Deviations twice;
    std::map<std::string, std::set<std::string>> seen;
    std::set<int> arities;
    std::set<int> sizes;
    std::set<int> steps;
    int cases = 0;
    int varied = 0;  // the target has several valuations
    std::uint64_t seed = 0;
    for (const NamedShape& s : shapes()) {
        for (int i = 0; i < (s.rules.size() > 1 ? 40 : 8); ++i) {
            Random random(++seed);
            RandomCase c = random_case(s.rules, random_options(random), random);
            const Expected expected = naive_pass(c, random);
            compare<float>(c, expected, kFloatTolerance, single);
            compare<double>(c, expected, kDoubleTolerance, twice);
            if (HasFailure()) {
                return;  // one is enough
            }
            for (const OptionField& field : fields_of<Options>()) {
                seen[field.name].insert(field.get(c.options));
            }
            ++cases;
            varied +=
                *std::max_element(expected.target.begin(), expected.target.end()) -
                            *std::min_element(expected.target.begin(), expected.target.end()) >
                        1e-3
                    ? 1
                    : 0;
            sizes.insert(c.instance.constants);
            steps.insert(c.steps);
            for (const PredicateSymbol& input : c.inputs) {
                arities.insert(input.arity);
            }
        }
    }
    single.record("float");
    twice.record("double");
    EXPECT_GE(varied, cases / 3) << "of " << cases;
    RecordProperty("cases", cases);
    RecordProperty("varied", varied);
    for (const OptionField& field : fields_of<Options>()) {
        if (field.kind == OptionField::Kind::choice) {
            EXPECT_EQ(seen[field.name].size(), field.choices.size()) << field.name;
        }
    }
    EXPECT_EQ(arities, (std::set<int>{0, 1, 2}));
    EXPECT_EQ(sizes, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    EXPECT_EQ(steps, (std::set<int>{0, 1, 2, 3, 4, 5}));
}

TEST(Forward, MatchesTheEquationsUnderEveryCombinationOfOperators) {
    Deviations single;
    Deviations twice;
    std::uint64_t seed = 1000;
    for (const Pool pool : {Pool::sum, Pool::max}) {
        for (const And fuzzy_and : {And::min, And::product, And::lukasiewicz}) {
            for (const Or fuzzy_or : {Or::max, Or::prodminus, Or::lukasiewicz}) {
                for (const Merge merge : {Merge::max, Merge::sum}) {
                    for (const Pool target_pool : {Pool::sum, Pool::max}) {
                        Random random(++seed);
                        Options options = exact_options();
                        options.layers = 2;
                        options.pool = pool;
                        options.fuzzy_and = fuzzy_and;
                        options.fuzzy_or = fuzzy_or;
                        options.merge = merge;
                        options.target_pool = target_pool;
                        options.temperature = 0.2;
                        RandomCase c =
                            random_case(shape("R*"), options, random, {.max_constants = 5});
                        const Expected expected = naive_pass(c, random);
                        compare<float>(c, expected, kFloatTolerance, single);
                        compare<double>(c, expected, kDoubleTolerance, twice);
                    }
                }
            }
        }
    }
    single.record("float");
    twice.record("double");
}

TEST(Forward, MatchesTheEquationsOnLargerInstances) {
    Deviations single;
    Deviations twice;
    for (const int n : {17, 20}) {
        for (const char* rules : {"R*", "T", "A", "L"}) {
            Random random(static_cast<std::uint64_t>(n));
            Options options = exact_options();
            options.layers = 1;
            options.last_layer = LastLayer::all;
            RandomCase c = random_case(shape(rules), options, random, {.max_work = 0});
            c.instance = random_instance(c.inputs, c.hierarchy.target_arity, n, false, random);
            c.steps = 2;
            const Expected expected = naive_pass(c, random);
            compare<float>(c, expected, kFloatTolerance, single);
            compare<double>(c, expected, kDoubleTolerance, twice);
        }
    }
    single.record("float");
    twice.record("double");
}

TEST(Forward, RunsUntilNothingChanges) {
    constexpr int kMaxSteps = 400;
    Deviations single;
    Deviations twice;
    int compared = 0;
    int longest = 0;
    const std::vector<std::string> rules = {"R*", "R0", "B", "A", "L", "D", "S", "L7"};
    for (std::uint64_t seed = 1; seed <= 48; ++seed) {
        Random random(seed);
        const Options options = random_options(random);
        const RandomCase c = random_case(shape(rules[seed % rules.size()]), options, random,
                                         {.max_constants = 5, .max_steps = 1, .max_work = 2e4});
        const reference::Model model = c.naive_model();
        const reference::Matrix alpha = reference::unify(model, c.naive_point());
        int took = 0;
        const std::vector<double> expected = reference::target(
            model, alpha, reference::infer_to_fixpoint(model, alpha, c.instance, kMaxSteps, took));
        if (took == kMaxSteps) {
            continue;  // MERGE = sum creeps up by what a step derives, however little
        }
        ++compared;
        longest = std::max(longest, took);

        const soft::DenseInstance<double> dense = c.dense<double>();
        const std::vector<double> scores = flat(alpha);
        soft::Inference<double> inference(c.hierarchy, c.protorules, c.options);
        inference.forward_only(scores.data(), dense, -1);
        EXPECT_EQ(inference.steps_done(), took) << c.describe();
        const double off = largest_difference(inference.target(), expected);
        EXPECT_LE(off, kDoubleTolerance) << c.describe();
        twice.target = std::max(twice.target, off);

        const soft::DenseInstance<float> dense_float = c.dense<float>();
        const std::vector<float> scores_float = converted<float>(scores);
        soft::Inference<float> inference_float(c.hierarchy, c.protorules, c.options);
        inference_float.forward_only(scores_float.data(), dense_float, -1);
        const double off_float = largest_difference(inference_float.target(), expected);
        EXPECT_LE(off_float, 2 * kFloatTolerance) << c.describe();  // may stop a step apart
        single.target = std::max(single.target, off_float);

        inference.forward_only(scores.data(), dense, 2);  // and back to counted steps
        EXPECT_LE(
            largest_difference(
                inference.target(),
                reference::target(model, alpha, reference::infer(model, alpha, c.instance, 2))),
            kDoubleTolerance)
            << c.describe();
    }
    EXPECT_GE(compared, 40);
    EXPECT_GE(longest, 100);  // far more than n^2 steps: soft valuations creep
    single.record("float");
    twice.record("double");
}

TEST(Forward, MergingTheTargetAfterEveryStepChangesNothingUnderMax) {
    // The paper merges the target's valuation with its previous one; computing it once at the end
    // is the same.
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random(seed);
        Options options = random_options(random);
        options.merge = Merge::max;
        const RandomCase c = random_case(shape("R*"), options, random, {.max_constants = 4});
        const reference::Model model = c.naive_model();
        const reference::Matrix alpha = reference::unify(model, c.naive_point());
        std::vector<double> merged =
            reference::target(model, alpha, reference::infer(model, alpha, c.instance, 0));
        for (int s = 1; s <= 3; ++s) {
            const std::vector<double> now =
                reference::target(model, alpha, reference::infer(model, alpha, c.instance, s));
            for (std::size_t i = 0; i < now.size(); ++i) {
                merged[i] = std::max(merged[i], now[i]);
            }
            EXPECT_EQ(merged, now) << c.describe();
        }
    }
}

TEST(Forward, OneObjectServesInstancesOfAnySizeInAnyOrder) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Random random(seed);
        const Options options = random_options(random);
        RandomCase c = random_case(shapes()[seed % shapes().size()].rules, options, random,
                                   {.max_constants = 1});
        training::Objective<float> reused(c.hierarchy, c.protorules, c.dimension, c.options);
        const auto loss = [&](training::Objective<float>& objective,
                              const soft::DenseInstance<float>& dense) {
            return objective.loss(c.predicates.data(), c.slots.data(), nullptr, 0.3F, dense,
                                  c.steps);
        };
        std::vector<float> d_predicates(c.predicates.size());
        std::vector<float> d_slots(c.slots.size());
        std::vector<float> d_predicates_fresh(c.predicates.size());
        std::vector<float> d_slots_fresh(c.slots.size());
        for (const int n : {5, 9, 2, 9, 1, 12, 8, 5}) {
            c.instance = random_instance(c.inputs, c.hierarchy.target_arity, n, false, random);
            c.instance.labels.assign(c.instance.labels.size(), Label::negative);
            c.instance.labels[0] = Label::positive;
            c.steps = random.below(5);
            const soft::DenseInstance<float> dense = c.dense<float>();
            training::Objective<float> fresh(c.hierarchy, c.protorules, c.dimension, c.options);
            EXPECT_EQ(loss(reused, dense), loss(fresh, dense)) << c.describe();
            EXPECT_EQ(reused.target(), fresh.target()) << c.describe();
            reused.gradient(d_predicates.data(), d_slots.data());
            fresh.gradient(d_predicates_fresh.data(), d_slots_fresh.data());
            EXPECT_EQ(d_predicates, d_predicates_fresh) << c.describe();
            EXPECT_EQ(d_slots, d_slots_fresh) << c.describe();
        }
    }
}

TEST(Forward, LogarithmsInTheLossStopAtMinusHundred) {
    // Without a step the target is 0: one positive atom costs 100, one negative atom nothing.
    Random random(3);
    Options options = exact_options();
    options.layers = 1;
    options.regularisation = 0;
    RandomCase c = random_case(shape("R*"), options, random, {.max_constants = 1});
    c.steps = 0;
    c.instance = random_instance(c.inputs, c.hierarchy.target_arity, 3, false, random);
    c.instance.labels[0] = Label::positive;
    c.instance.labels[1] = Label::negative;
    const soft::DenseInstance<double> dense = c.dense<double>();
    training::Objective<double> objective(c.hierarchy, c.protorules, c.dimension, c.options);
    const std::vector<double> predicates = converted<double>(c.predicates);
    const std::vector<double> slots = converted<double>(c.slots);
    EXPECT_EQ(objective.loss(predicates.data(), slots.data(), nullptr, 0.1, dense, 0), 100.0);
    EXPECT_EQ(objective.mean_square_error(), 0.5);
}

/// The default thresholds against none, on models of the paper's sizes as training meets them.
TEST(Forward, SkippingWhatIsNegligibleMovesTargetAndGradientByLittle) {
    double off = 0;
    double min_cosine = 1;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        const std::vector<PredicateSymbol> inputs = {{"p", 2}, {"q", 2}, {"r", 1}};
        Model model = make_model(inputs, {"t", 2}, Options{}, seed);
        for (float& x : model.parameters.slots) {
            x += static_cast<float>(0.5 * random.normal());
        }
        Instance instance = random_instance(inputs, 2, 6, false, random);
        for (std::size_t i = 0; i < instance.labels.size(); ++i) {
            instance.labels[i] = i % 3 == 0 ? Label::positive : Label::negative;
        }
        soft::DenseInstance<float> dense;
        soft::make_dense(dense, instance, soft::columns_of(inputs, inputs), inputs, 2);

        std::vector<std::vector<float>> targets;
        std::vector<std::vector<float>> gradients;
        for (const bool exact : {true, false}) {
            Options options;
            if (exact) {
                options = exact_options();
            }
            training::Objective<float> objective(model.hierarchy, model.protorules,
                                                 model.parameters.dimension, options);
            objective.loss(model.parameters.predicates.data(), model.parameters.slots.data(),
                           nullptr, 0.1F, dense, options.train_steps);
            const std::size_t rows = model.parameters.predicates.size();
            targets.push_back(objective.target());
            gradients.emplace_back(rows + model.parameters.slots.size());
            objective.gradient(gradients.back().data(), gradients.back().data() + rows);
        }
        off = std::max(off, largest_difference(targets[1], converted<double>(targets[0])));
        double both = 0;
        double first = 0;
        double second = 0;
        for (std::size_t i = 0; i < gradients[0].size(); ++i) {
            const auto a = static_cast<double>(gradients[0][i]);
            const auto b = static_cast<double>(gradients[1][i]);
            both += a * b;
            first += a * a;
            second += b * b;
        }
        min_cosine = std::min(min_cosine, both / std::sqrt(first * second));
    }
    EXPECT_LE(off, 0.03);
    EXPECT_GE(min_cosine, 0.95);
    RecordProperty("target", std::to_string(off));
    RecordProperty("cosine", std::to_string(min_cosine));
}

TEST(Infer, MatchesTheEquationsFromEveryStart) {
    double worst = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        Options options = random_options(random);
        const std::vector<std::string> sets = {"R0", "R0v", "R*", "MIL"};
        options.rules = sets[seed % sets.size()];
        const PredicateSymbol target{"t", 1 + static_cast<int>(seed / 4 % 2)};
        const std::vector<PredicateSymbol> inputs = {{"p", 2}, {"q", 1}};
        const Model model = make_model(inputs, target, options, seed);
        const Instance instance =
            random_instance(inputs, target.arity, options.auxiliaries == 1 ? 4 : 3, false, random);
        const int steps = random.below(5);

        const reference::Model naive{model.protorules, model.hierarchy, model.options,
                                     model.parameters.dimension};
        reference::Point point{converted<double>(model.parameters.predicates),
                               converted<double>(model.parameters.slots),
                               {},
                               options.temperature_schedule == Schedule::constant
                                   ? options.temperature
                                   : options.final_temperature};
        const reference::Matrix alpha = reference::unify(naive, point);
        EXPECT_LE(largest_difference(unification(model), flat(alpha)), kFloatTolerance);
        const double off = largest_difference(
            infer(model, instance, steps),
            reference::target(naive, alpha, reference::infer(naive, alpha, instance, steps)));
        EXPECT_LE(off, kFloatTolerance) << "seed " << seed;
        worst = std::max(worst, off);
    }
    testing::Test::RecordProperty("float_target", std::to_string(worst * 1e12) + "e-12");
}

TEST(Infer, FindsInputsByNameAndTakesMissingOnesForFalse) {
    const std::vector<PredicateSymbol> inputs = {{"p", 2}, {"q", 1}, {"r", 0}};
    const Model model = make_model(inputs, {"t", 2}, {.layers = 2}, 5);
    Random random(5);
    const Instance instance = random_instance(inputs, 2, 6, true, random);
    const std::vector<float> all = infer(model, instance, 3);

    Instance moved = instance;  // r, an unknown predicate, p, q
    moved.facts = {instance.facts[2], {{0, 1}, {3, 3}}, instance.facts[0], instance.facts[1]};
    moved.schema = make_schema({inputs[2], {"p", 1}, inputs[0], inputs[1]}, {"t", 2});
    EXPECT_EQ(infer(model, moved, 3), all);

    Instance emptied = instance;
    emptied.facts[1].clear();
    Instance missing = instance;
    missing.schema = make_schema({inputs[0], inputs[2]}, {"t", 2});
    missing.facts = {instance.facts[0], instance.facts[2]};
    EXPECT_NE(infer(model, emptied, 3), all);
    EXPECT_EQ(infer(model, missing, 3), infer(model, emptied, 3));
}

}  // namespace
}  // namespace hri
