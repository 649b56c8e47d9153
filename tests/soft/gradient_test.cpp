// SPDX-License-Identifier: Apache-2.0

// The hand-written gradient against finite differences in double precision: for every shape of
// rule, operator and similarity, and for all that a training step adds up.
//
// Facts are fuzzy and all different, so that valuations tie only where the same parameters make
// both; points whose kinks are still too near are drawn again, and enough must be left. What
// happens at ties is tested in ties_test.cpp.

#include "hri/model.hpp"
#include "hri/random.hpp"

#include "reference/naive_model.hpp"
#include "soft/random_case.hpp"
#include "support/gradient_check.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri {
namespace {

constexpr double kTolerance = 1e-6;

/// A case, its labels and its instance as the library reads it.
struct Trial {
    RandomCase c;
    soft::DenseInstance<double> dense;
    std::vector<double> point;  // predicate embeddings, then slot embeddings
    std::vector<double> gumbel;

    std::size_t rows() const { return c.predicates.size(); }
};

double loss_at(training::Objective<double>& objective, const Trial& trial,
               const std::vector<double>& point) {
    return objective.loss(point.data(), point.data() + trial.rows(),
                          trial.gumbel.empty() ? nullptr : trial.gumbel.data(),
                          trial.c.options.temperature, trial.dense, trial.c.steps);
}

Trial make_trial(RandomCase c, Random& random) {
    Trial trial;
    trial.c = std::move(c);
    trial.dense = trial.c.dense<double>();
    trial.point = converted<double>(trial.c.predicates);
    for (const float x : trial.c.slots) {
        trial.point.push_back(static_cast<double>(x));
    }
    trial.gumbel = converted<double>(trial.c.gumbel);
    training::Objective<double> objective(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                          trial.c.options);
    loss_at(objective, trial, trial.point);
    label_at_random(trial.c.instance, objective.target(), random);
    trial.dense.labels = trial.c.instance.labels;
    return trial;
}

/// Which coordinates of the point are learned: not those of True and False, nor their two
/// dimensions.
std::vector<std::size_t> learned(const Trial& trial) {
    const auto d = static_cast<std::size_t>(trial.c.dimension);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < trial.point.size(); ++i) {
        if (i >= trial.rows() || (i >= 2 * d && i % d >= 2)) {
            result.push_back(i);
        }
    }
    return result;
}

std::vector<double> gradient_at(training::Objective<double>& objective, const Trial& trial) {
    loss_at(objective, trial, trial.point);
    std::vector<double> gradient(trial.point.size(), -7.0);  // must be overwritten
    objective.gradient(gradient.data(), gradient.data() + trial.rows());
    return gradient;
}

/// What a test saw over all of its points.
struct Tally {
    int points = 0;
    int refused = 0;
    double norm_error = 0;
    double worst_error = 0;

    void record() const {
        testing::Test::RecordProperty("points", points);
        testing::Test::RecordProperty("refused", refused);
        testing::Test::RecordProperty("norm_error", std::to_string(norm_error * 1e9) + "e-9");
        testing::Test::RecordProperty("worst_error", std::to_string(worst_error * 1e9) + "e-9");
    }
};

/// Compares all coordinates at one point; false where too many of them were next to a kink, or
/// nothing depends on them.
bool compare(const Trial& trial, Tally& tally) {
    training::Objective<double> objective(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                          trial.c.options);
    const std::vector<double> gradient = gradient_at(objective, trial);
    const std::vector<std::size_t> coordinates = learned(trial);
    for (std::size_t i = 0; i < trial.rows(); ++i) {
        if (!std::binary_search(coordinates.begin(), coordinates.end(), i)) {
            EXPECT_EQ(gradient[i], 0.0) << "True, False and their dimensions are fixed";
        }
    }
    const GradientCheck check = check_gradient(
        trial.point, gradient,
        [&](const std::vector<double>& x) { return loss_at(objective, trial, x); }, coordinates);
    if (check.usable * 10 < check.coordinates * 8 || check.norm < 1e-4) {
        ++tally.refused;
        return false;
    }
    ++tally.points;
    tally.norm_error = std::max(tally.norm_error, check.norm_error);
    tally.worst_error = std::max(tally.worst_error, check.worst_error);
    EXPECT_LE(check.norm_error, kTolerance) << trial.c.describe();
    EXPECT_LE(check.worst_error, kTolerance) << trial.c.describe();
    return true;
}

/// ImageSampler points until one is usable; `options` are the same at all of them.
bool compare_somewhere(const ProtoRules& rules, const Options& options, std::uint64_t seed,
                       Tally& tally) {
    for (std::uint64_t attempt = 0; attempt < 12; ++attempt) {
        Random random(seed, attempt + 1);
        RandomCase c =
            random_case(rules, options, random,
                        {.max_constants = 4, .max_steps = 4, .max_work = 2e4, .fuzzy = true});
        c.steps = std::max(c.steps, options.layers + (attempt < 6 ? 1 : 0));
        if (compare(make_trial(std::move(c), random), tally)) {
            return true;
        }
    }
    return false;
}

Options small_options() {
    Options options = small_exact_options();
    options.regularisation = 0.01;
    return options;
}

TEST(Gradient, IsRightForEveryShapeOfRule) {
    Tally tally;
    std::uint64_t seed = 0;
    for (const NamedShape& s : shapes()) {
        for (std::uint64_t i = 0; i < 6; ++i) {
            // six points of a shape meet every value of every operator
            ++seed;
            Options options = small_options();
            options.layers = s.rules.size() == 1 && i % 3 == 0 ? 2 : 1;
            options.fuzzy_and = std::vector{And::min, And::product, And::lukasiewicz}[i % 3];
            options.pool = i % 2 == 0 ? Pool::sum : Pool::max;
            options.fuzzy_or =
                std::vector{Or::max, Or::prodminus, Or::lukasiewicz}[(i + seed / 6) % 3];
            options.merge = (i / 2 + seed / 6) % 2 == 0 ? Merge::max : Merge::sum;
            options.target_pool = (i / 3) % 2 == 0 ? Pool::sum : Pool::max;
            options.similarity = std::vector{Similarity::cosine, Similarity::l1, Similarity::l2,
                                             Similarity::scalar_product}[(i + seed / 6) % 4];
            options.disjunct_visibility =
                seed % 2 == 0 ? DisjunctVisibility::lower : DisjunctVisibility::same;
            options.recursivity = seed % 5 == 0 ? Recursivity::iso : Recursivity::full;
            EXPECT_TRUE(compare_somewhere(s.rules, options, seed, tally))
                << "no usable point for " << s.name << ", " << i;
        }
    }
    tally.record();
}

TEST(Gradient, IsRightForEveryCombinationOfOperators) {
    Tally tally;
    std::uint64_t seed = 1000;
    for (const Pool pool : {Pool::sum, Pool::max}) {
        for (const And fuzzy_and : {And::min, And::product, And::lukasiewicz}) {
            for (const Or fuzzy_or : {Or::max, Or::prodminus, Or::lukasiewicz}) {
                for (const Merge merge : {Merge::max, Merge::sum}) {
                    Options options = small_options();
                    options.pool = pool;
                    options.fuzzy_and = fuzzy_and;
                    options.fuzzy_or = fuzzy_or;
                    options.merge = merge;
                    options.target_pool = seed % 2 == 0 ? Pool::sum : Pool::max;
                    EXPECT_TRUE(compare_somewhere(shape("L8"), options, ++seed, tally))
                        << "no usable point for combination " << seed;
                }
            }
        }
    }
    tally.record();
}

TEST(Gradient, IsRightForEverySimilarityOfTwoLayers) {
    Tally tally;
    std::uint64_t seed = 2000;
    for (const Similarity similarity :
         {Similarity::cosine, Similarity::l1, Similarity::l2, Similarity::scalar_product}) {
        for (const char* rules : {"R*", "R0"}) {
            Options options = small_options();
            options.layers = 2;
            options.similarity = similarity;
            EXPECT_TRUE(compare_somewhere(shape(rules), options, ++seed, tally));
        }
    }
    tally.record();
}

TEST(Gradient, IsRightThroughNegationsOfFinishedLayers) {
    Tally tally;
    std::uint64_t seed = 2500;
    for (const char* rules : {"R*", "R0", "B", "A", "O6", "W2", "Z3"}) {
        for (std::uint64_t i = 0; i < 4; ++i) {
            Options options = small_options();
            options.negation = true;
            options.equality = i % 2 == 1;
            options.layers = i == 3 ? 3 : 2;
            options.fuzzy_and = i == 2 ? And::product : And::min;
            options.merge = i == 1 ? Merge::sum : Merge::max;
            options.last_layer = LastLayer::all;
            EXPECT_TRUE(compare_somewhere(shape(rules), options, ++seed, tally))
                << "no usable point for " << rules << ", " << i;
        }
    }
    tally.record();
}

TEST(Gradient, IsRightForTheTwinsOfSeveralAuxiliaries) {
    Tally tally;
    Options options = small_options();
    options.auxiliaries = 2;
    options.last_layer = LastLayer::all;
    EXPECT_TRUE(compare_somewhere(shape("R*"), options, 3000, tally));
    options.recursivity = Recursivity::none;
    options.layers = 2;
    EXPECT_TRUE(compare_somewhere(shape("B"), options, 3001, tally));
    EXPECT_TRUE(compare_somewhere(shape("A"), options, 3002, tally));
}

/// Two layers of one rule over inputs of every arity, where the second layer's slots are near two
/// given predicates, so that their product decides: of inputs z/0, u/1, p/2 and the first layer's
/// auxiliary, or True.
RandomCase layers_near(const ProtoRules& rules, const Options& options, int left, int right,
                       Random& random) {
    RandomCase c;
    c.protorules = rules;
    c.options = options;
    c.inputs = {{"z", 0}, {"u", 1}, {"p", 2}};
    c.hierarchy = make_hierarchy(rules, c.inputs, rules[0].arity(), options);
    c.dimension = c.hierarchy.predicates();
    c.instance = random_instance(c.inputs, c.hierarchy.target_arity, 3, true, random);
    c.steps = 3;
    const auto d = static_cast<std::size_t>(c.dimension);
    c.predicates.assign(d * d, 0.0F);
    for (std::size_t p = 0; p < d; ++p) {
        c.predicates[p * d + p] = 1;
    }
    constexpr int kBinaryInput = 4;
    std::vector<int> near = {kBinaryInput, kBinaryInput, left, right,
                             c.hierarchy.first_auxiliary() + 1};
    for (const int p : near) {
        for (std::size_t k = 0; k < d; ++k) {
            const double place =
                (k == static_cast<std::size_t>(p) ? 1.0 : 0.0) + 0.15 * random.normal();
            c.slots.push_back(static_cast<float>(place));
        }
    }
    return c;
}

TEST(Gradient, IsRightForProductsOfPredicatesOfEveryArity) {
    Tally tally;
    std::uint64_t seed = 4000;
    for (const char* rule : {"B", "S", "T", "U", "A", "N"}) {
        for (const Pool pool : {Pool::sum, Pool::max}) {
            for (const int left : {0, 2, 3, 5}) {  // True, z, u, the first auxiliary
                for (const int right : {0, 2, 3, 5}) {
                    if (left != 5 && right != 5) {
                        continue;  // products of inputs have no gradient
                    }
                    Options options = small_options();
                    options.layers = 2;
                    options.pool = pool;
                    options.fuzzy_and = seed % 2 == 0 ? And::min : And::product;
                    options.temperature = 0.15;
                    bool usable = false;
                    for (int attempt = 0; attempt < 6 && !usable; ++attempt) {
                        Random random(++seed);
                        usable = compare(
                            make_trial(layers_near(shape(rule), options, left, right, random),
                                       random),
                            tally);
                    }
                    EXPECT_TRUE(usable) << rule << " of " << left << " and " << right;
                }
            }
        }
    }
    tally.record();
}

TEST(Gradient, AgreesWithTheDifferencesOfTheEquationsThemselves) {
    // A whole training step as the paper has it: the loss of the naive model, regulariser and
    // Gumbel noise included.
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 30 && compared < 6; ++seed) {
        Random random(seed);
        Options options = small_options();
        options.temperature = 0.3;
        options.regularisation = 0.5;
        RandomCase c = random_case(shape(seed % 2 == 0 ? "L8" : "R0"), options, random,
                                   {.max_constants = 3, .max_steps = 2, .fuzzy = true});
        c.steps = 2;
        c.gumbel.clear();
        for (std::size_t i = 0; i < c.hierarchy.slots.size() * c.hierarchy.arity.size(); ++i) {
            c.gumbel.push_back(static_cast<float>(0.3 * random.normal()));
        }
        const Trial trial = make_trial(std::move(c), random);
        training::Objective<double> objective(trial.c.hierarchy, trial.c.protorules,
                                              trial.c.dimension, trial.c.options);
        const std::vector<double> gradient = gradient_at(objective, trial);
        const auto naive_loss = [&](const std::vector<double>& x) {
            const auto middle = x.begin() + static_cast<std::ptrdiff_t>(trial.rows());
            const reference::Point point{
                {x.begin(), middle}, {middle, x.end()}, trial.gumbel, trial.c.options.temperature};
            return reference::loss_at(trial.c.naive_model(), point, trial.c.instance,
                                      trial.c.steps);
        };
        const GradientCheck check =
            check_gradient(trial.point, gradient, naive_loss, learned(trial));
        if (check.usable * 10 < check.coordinates * 8 || check.norm < 1e-3) {
            continue;
        }
        ++compared;
        EXPECT_LE(check.norm_error, kTolerance) << trial.c.describe();
        EXPECT_LE(check.worst_error, kTolerance) << trial.c.describe();
    }
    EXPECT_EQ(compared, 6);
}

TEST(Gradient, InSinglePrecisionIsNearTheOneInDoublePrecision) {
    double worst = 0;
    std::uint64_t seed = 5000;
    for (const NamedShape& s : shapes()) {
        Random random(++seed);
        Options options = random_options(random);
        options.temperature = 0.4;
        RandomCase c = random_case(s.rules, options, random, {.max_constants = 6, .fuzzy = true});
        c.steps = 3;
        const Trial trial = make_trial(std::move(c), random);
        training::Objective<double> twice(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                          trial.c.options);
        const std::vector<double> expected = gradient_at(twice, trial);

        training::Objective<float> single(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                          trial.c.options);
        const soft::DenseInstance<float> dense = trial.c.dense<float>();
        single.loss(trial.c.predicates.data(), trial.c.slots.data(),
                    trial.c.gumbel.empty() ? nullptr : trial.c.gumbel.data(),
                    static_cast<float>(options.temperature), dense, trial.c.steps);
        std::vector<float> gradient(trial.point.size());
        single.gradient(gradient.data(), gradient.data() + trial.rows());
        double difference = 0;
        double norm = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            difference += std::pow(static_cast<double>(gradient[i]) - expected[i], 2);
            norm += expected[i] * expected[i];
        }
        const double error = std::sqrt(difference) / (std::sqrt(norm) + 0.01);
        EXPECT_LE(error, 1e-3) << trial.c.describe();
        worst = std::max(worst, error);
    }
    RecordProperty("norm_error", std::to_string(worst * 1e9) + "e-9");
}

TEST(Gradient, OfUnlabelledAtomsIsTheRegularisersAlone) {
    Random random(11);
    Options options = small_options();
    options.regularisation = 0;
    RandomCase c = random_case(shape("R*"), options, random, {.max_constants = 4, .fuzzy = true});
    c.steps = 3;
    Trial trial = make_trial(std::move(c), random);
    trial.dense.labels.assign(trial.dense.labels.size(), Label::unlabelled);
    training::Objective<double> objective(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                          trial.c.options);
    EXPECT_EQ(loss_at(objective, trial, trial.point), 0.0);
    EXPECT_EQ(gradient_at(objective, trial), std::vector<double>(trial.point.size(), 0.0));
}

TEST(Gradient, NearCertaintyIsBoundedByTheLogFloor) {
    // A positive atom's valuation v below the floor has the slope 1/floor instead of 1/v.
    Random random(12);
    Options options = small_options();
    options.regularisation = 0;
    RandomCase c = random_case(shape("R*"), options, random, {.max_constants = 4, .fuzzy = true});
    c.steps = 2;
    Trial trial = make_trial(std::move(c), random);
    trial.dense.labels.assign(trial.dense.labels.size(), Label::unlabelled);
    trial.dense.labels[0] = Label::positive;
    training::Objective<double> exact(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                      trial.c.options);
    const std::vector<double> slope = gradient_at(exact, trial);
    const double v = exact.target()[0];
    ASSERT_GT(v, 1e-3);
    trial.c.options.log_floor = 4 * v;
    training::Objective<double> bounded(trial.c.hierarchy, trial.c.protorules, trial.c.dimension,
                                        trial.c.options);
    const std::vector<double> less = gradient_at(bounded, trial);
    for (std::size_t i = 0; i < slope.size(); ++i) {
        EXPECT_NEAR(less[i], slope[i] / 4, 1e-12 * std::abs(slope[i]));
    }
}

}  // namespace
}  // namespace hri
