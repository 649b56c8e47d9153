// SPDX-License-Identifier: Apache-2.0

// The gradient of the facts against finite differences of the equations themselves, for every shape
// of rule, with negations too; and batches against one instance at a time.

#include "hri/random.hpp"
#include "hri/trainable.hpp"

#include "reference/naive_model.hpp"
#include "soft/cuda/layer_work.hpp"
#include "soft/random_case.hpp"
#include "support/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri {
namespace {

constexpr double kInputTolerance = 1e-6;

Model model_of(const RandomCase& c) {
    Model model;
    model.options = c.options;
    model.protorules = c.protorules;
    model.inputs = c.inputs;
    model.target = {"target", c.hierarchy.target_arity};
    model.hierarchy = c.hierarchy;
    model.parameters = {c.dimension, c.predicates, c.slots};
    return model;
}

/// Inputs whose facts are given: not `=`, not negations.
std::vector<std::size_t> given_inputs(const RandomCase& c) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < c.inputs.size(); ++i)
        if (!c.inputs[i].negated && !is_equality(c.inputs[i]))
            result.push_back(i);
    return result;
}

std::size_t atoms(int constants, int arity) {
    const auto n = static_cast<std::size_t>(constants);
    return arity == 0 ? 1 : arity == 1 ? n : n * n;
}

/// The facts of all given inputs one after the other, strictly between 0 and 1.
std::vector<double> random_facts(const RandomCase& c, Random& random) {
    std::vector<double> facts;
    for (const std::size_t i : given_inputs(c))
        for (std::size_t k = 0; k < atoms(c.instance.constants, c.inputs[i].arity); ++k)
            facts.push_back(0.02 + 0.96 * random.uniform());
    return facts;
}

void set_facts(Trainable<double>& net, const RandomCase& c, const std::vector<double>& facts,
               int batch = 1) {
    net.set_facts(c.instance.constants, batch);
    const double* at = facts.data();
    for (const std::size_t i : given_inputs(c)) {
        net.set_input(static_cast<int>(i), at);
        at += static_cast<std::size_t>(batch) * atoms(c.instance.constants, c.inputs[i].arity);
    }
}

/// sum_k weight_k target_k by the naive model.
double naive_value(const RandomCase& c, const std::vector<double>& facts,
                   const std::vector<double>& weights) {
    const reference::Model model = c.naive_model();
    const reference::Matrix alpha = reference::unify(model, c.naive_point());
    Instance empty = c.instance;
    for (auto& table : empty.facts)
        table.clear();
    reference::Valuations v = reference::start(model, empty);
    std::size_t at = 0;
    for (const std::size_t i : given_inputs(c))
        for (double& value : v.atoms[2 + i])
            value = facts[at++];
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        const PredicateSymbol& symbol = c.inputs[i];
        std::vector<double>& values = v.atoms[2 + i];
        if (is_equality(symbol) && !symbol.negated)
            for (int x = 0; x < v.constants; ++x)
                values[static_cast<std::size_t>(x * v.constants + x)] = 1;
        if (!symbol.negated)
            continue;
        const auto of = std::find(c.inputs.begin(), c.inputs.end(),
                                  PredicateSymbol{symbol.name, symbol.arity}) -
                        c.inputs.begin();
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = 1 - v.atoms[2 + static_cast<std::size_t>(of)][k];
    }
    const std::vector<double> target =
        reference::target(model, alpha, reference::infer(model, alpha, std::move(v), c.steps));
    double sum = 0;
    for (std::size_t k = 0; k < target.size(); ++k)
        sum += weights[k] * target[k];
    return sum;
}

/// Whether the point was far enough from kinks to be compared.
bool compare(const ProtoRules& rules, const Options& options, std::uint64_t seed,
             std::uint64_t attempt) {
    Random random(seed, attempt + 1);
    RandomCase c =
        random_case(rules, options, random, {.max_constants = 4, .max_steps = 4, .max_work = 1e4});
    c.gumbel.clear();
    c.steps = std::max(c.steps, options.layers);
    const std::vector<double> facts = random_facts(c, random);
    std::vector<double> weights(atoms(c.instance.constants, c.hierarchy.target_arity));
    for (double& weight : weights)
        weight = random.normal();

    Trainable<double> net(model_of(c), {.input_gradients = true});
    set_facts(net, c, facts);
    net.unify();
    net.infer(c.steps);
    net.backward(weights.data());
    std::vector<double> gradient;
    for (const std::size_t i : given_inputs(c)) {
        const std::vector<double> of = net.d_input(static_cast<int>(i));
        gradient.insert(gradient.end(), of.begin(), of.end());
    }
    const GradientCheck check = check_gradient(
        facts, gradient, [&](const std::vector<double>& x) { return naive_value(c, x, weights); });
    if (check.usable * 10 < check.coordinates * 8 || check.norm < 1e-4)
        return false;
    EXPECT_LE(check.norm_error, kInputTolerance) << c.describe();
    EXPECT_LE(check.worst_error, kInputTolerance) << c.describe();
    return true;
}

bool compare_somewhere(const ProtoRules& rules, const Options& options, std::uint64_t seed) {
    for (std::uint64_t attempt = 0; attempt < 60; ++attempt)
        if (compare(rules, options, seed, attempt))
            return true;
    return false;
}

TEST(InputGradient, AgreesWithTheDifferencesOfTheEquationsForEveryShapeOfRule) {
    std::uint64_t seed = 0;
    for (const NamedShape& s : shapes()) {
        for (std::uint64_t i = 0; i < 6; ++i) {
            ++seed;
            Options options = small_exact_options();
            options.layers = s.rules.size() == 1 && i % 3 == 0 ? 2 : 1;
            options.fuzzy_and = std::vector{And::min, And::product, And::lukasiewicz}[i % 3];
            options.pool = i % 2 == 0 ? Pool::sum : Pool::max;
            options.fuzzy_or =
                std::vector{Or::max, Or::prodminus, Or::lukasiewicz}[(i + seed / 6) % 3];
            options.merge = (i / 2 + seed / 6) % 2 == 0 ? Merge::max : Merge::sum;
            options.target_pool = (i / 3) % 2 == 0 ? Pool::sum : Pool::max;
            EXPECT_TRUE(compare_somewhere(s.rules, options, seed))
                << "no usable point for " << s.name << ", " << i;
        }
    }
}

TEST(InputGradient, IsRightThroughNegationsOfInputsAndOfFinishedLayers) {
    std::uint64_t seed = 2500;
    for (const char* rules : {"R*", "R0", "B", "A", "O6", "W2"}) {
        for (std::uint64_t i = 0; i < 3; ++i) {
            Options options = small_exact_options();
            options.negation = true;
            options.equality = i == 1;
            options.layers = 2;
            options.fuzzy_and = i == 2 ? And::product : And::min;
            options.last_layer = LastLayer::all;
            EXPECT_TRUE(compare_somewhere(shape(rules), options, ++seed))
                << "no usable point for " << rules << ", " << i;
        }
    }
}

/// Targets, gradients of facts and of parameters.
struct Results {
    std::vector<double> target, d_facts, d_predicates, d_slots;
    bool operator==(const Results&) const = default;
};

Results results_of(Trainable<double>& net, const RandomCase& c,
                   const std::vector<double>& weights) {
    Results results;
    net.unify();
    results.target = net.infer(c.steps);
    net.backward(weights.data());
    for (const std::size_t i : given_inputs(c)) {
        const std::vector<double> of = net.d_input(static_cast<int>(i));
        results.d_facts.insert(results.d_facts.end(), of.begin(), of.end());
    }
    results.d_predicates = net.d_predicates();
    results.d_slots = net.d_slots();
    return results;
}

TEST(InputGradient, OfABatchIsThatOfItsInstancesOneByOneForAnyNumberOfThreads) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random(seed);
        Options options = small_exact_options();
        options.layers = 2;
        RandomCase c = random_case(shape(seed % 2 == 0 ? "R*" : "R0"), options, random,
                                   {.max_constants = 5, .max_steps = 4});
        c.steps = 3;
        constexpr int kBatch = 5;
        const std::size_t outputs = atoms(c.instance.constants, c.hierarchy.target_arity);
        std::vector<std::vector<double>> facts;
        std::vector<double> weights, batched;
        for (int b = 0; b < kBatch; ++b)
            facts.push_back(random_facts(c, random));
        std::size_t from = 0;
        for (const std::size_t i : given_inputs(c)) {
            const std::size_t count = atoms(c.instance.constants, c.inputs[i].arity);
            for (const auto& one : facts)
                batched.insert(batched.end(), one.begin() + static_cast<std::ptrdiff_t>(from),
                               one.begin() + static_cast<std::ptrdiff_t>(from + count));
            from += count;
        }
        for (std::size_t k = 0; k < kBatch * outputs; ++k)
            weights.push_back(random.normal());

        Trainable<double> net(model_of(c), {.input_gradients = true});
        set_facts(net, c, batched, kBatch);
        EXPECT_EQ(net.batch(), kBatch);
        const Results together = results_of(net, c, weights);
        for (const int threads : {2, 3, 8}) {
            Trainable<double> shared(model_of(c), {.input_gradients = true, .threads = threads});
            set_facts(shared, c, batched, kBatch);
            EXPECT_EQ(results_of(shared, c, weights), together) << threads << " threads";
        }
        std::vector<double> slots(net.d_slots().size(), 0.0);
        for (std::size_t b = 0; b < kBatch; ++b) {
            Trainable<double> alone(model_of(c), {.input_gradients = true});
            set_facts(alone, c, facts[b]);
            const Results one = results_of(
                alone, c,
                {weights.begin() + static_cast<std::ptrdiff_t>(b * outputs), weights.end()});
            for (std::size_t k = 0; k < outputs; ++k)
                EXPECT_EQ(one.target[k], together.target[b * outputs + k]);
            for (std::size_t k = 0; k < slots.size(); ++k)
                slots[k] += one.d_slots[k];
            std::size_t at = 0;
            for (const std::size_t i : given_inputs(c)) {
                const std::size_t count = atoms(c.instance.constants, c.inputs[i].arity);
                const std::vector<double> of = net.d_input(static_cast<int>(i));
                for (std::size_t k = 0; k < count; ++k)
                    EXPECT_EQ(one.d_facts[at + k], of[b * count + k]);
                at += count;
            }
        }
        for (std::size_t k = 0; k < slots.size(); ++k)
            EXPECT_NEAR(slots[k], together.d_slots[k], 1e-9);
    }
}

/// What a GPU does for a layer, in loops over instances.
Results layer_results_of(const RandomCase& c, const std::vector<double>& facts, int batch,
                         const std::vector<double>& weights, const soft::DenseSizes& sizes) {
    const Model model = model_of(c);
    const auto tables = soft::make_layer_tables<double>(model, sizes);
    const std::vector<double> predicates = converted<double>(c.predicates);
    const std::vector<double> slots = converted<double>(c.slots);
    const std::size_t outputs = weights.size() / static_cast<std::size_t>(batch);
    Results results;
    results.target.assign(weights.size(), -7);
    results.d_facts.assign(facts.size(), -7);
    results.d_predicates.assign(predicates.size(), -7);
    results.d_slots.assign(slots.size(), -7);
    soft::LayerView<double> v{};
    v.plan = tables.plan.view();
    v.now.temperature = c.options.temperature;
    v.batch = batch;
    v.predicates = predicates.data();
    v.slots = slots.data();
    std::vector<soft::LayerSource<double>> sources = tables.sources;
    std::vector<soft::LayerSink<double>> sinks;
    std::size_t at = 0;
    for (const std::size_t i : given_inputs(c)) {
        for (std::size_t p = 0; p < c.inputs.size(); ++p)
            if (c.inputs[p].name == c.inputs[i].name && c.inputs[p].arity == c.inputs[i].arity)
                sources[2 + p].values = facts.data() + at;
        sinks.push_back(tables.sinks[i]);
        sinks.back().gradient = results.d_facts.data() + at;
        at += static_cast<std::size_t>(batch) * atoms(c.instance.constants, c.inputs[i].arity);
    }
    std::vector<double> inputs(static_cast<std::size_t>(batch * v.plan.inputs_end * v.plan.area));
    std::vector<double> alphas(static_cast<std::size_t>(v.plan.slots * v.plan.predicates));
    v.stride = soft::layer_stride<double>(v.plan);
    std::vector<std::byte> buffers(v.stride * static_cast<std::size_t>(batch), std::byte{0xA5});
    v.source = sources.data();
    v.zero = tables.zero.data();
    v.constant = tables.constants.data();
    v.inputs = inputs.data();
    v.buffers = buffers.data();
    v.target = results.target.data();
    v.alphas = alphas.data();
    v.d_target = weights.data();
    v.d_predicates = results.d_predicates.data();
    v.d_slots = results.d_slots.data();
    v.sink = sinks.data();
    v.sinks = static_cast<int>(sinks.size());
    EXPECT_EQ(outputs, static_cast<std::size_t>(v.plan.atoms));
    for (int i = 0; i < batch; ++i) {
        soft::LayerWork<double> w{};
        soft::place_layer(w, v, i);
        soft::infer_layer(soft::HostExecutor{}, w);
    }
    for (int i = 0; i < batch; ++i) {  // placed again, as a second kernel does
        soft::LayerWork<double> w{};
        soft::place_layer(w, v, i);
        soft::differentiate_layer(soft::HostExecutor{}, w);
    }
    for (std::size_t k = 0; k < predicates.size() + slots.size(); ++k)
        soft::sum_parameters(v, static_cast<int>(k));
    return results;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t k = 0; k < found.size(); ++k)
        ASSERT_NEAR(found[k], expected[k], 1e-9 * (1 + std::abs(expected[k]))) << what << " " << k;
}

TEST(InputGradient, OfTheLayerForGpusIsThatOfTheProcessorForEveryShapeAndOption) {
    Random random(77);
    constexpr int kBatch = 3;
    for (const NamedShape& s : shapes())
        for (int i = 0; i < 6; ++i) {
            Options options = random_options(random);
            options.negation = i % 3 == 0;
            options.equality = random.chance(0.3);
            options.mask_absent = false;
            RandomCase c =
                random_case(s.rules, options, random, {.max_constants = 5, .max_work = 1e4});
            c.gumbel.clear();
            c.steps = std::max(c.steps, options.layers);
            std::vector<double> facts, weights;
            for (const std::size_t k : given_inputs(c))
                for (std::size_t j = 0; j < kBatch * atoms(c.instance.constants, c.inputs[k].arity);
                     ++j)
                    facts.push_back(random.uniform());
            for (std::size_t k = 0;
                 k < kBatch * atoms(c.instance.constants, c.hierarchy.target_arity); ++k)
                weights.push_back(random.normal());
            Trainable<double> net(model_of(c), {.input_gradients = true});
            set_facts(net, c, facts, kBatch);
            const Results expected = results_of(net, c, weights);
            const Results found = layer_results_of(c, facts, kBatch, weights,
                                                   {.n = c.instance.constants,
                                                    .steps = c.steps,
                                                    .chunk = 1 + random.below(40),
                                                    .parts = 1 + random.below(3),
                                                    .input_gradients = true});
            const std::string where = std::string(s.name) + ": " + c.describe();
            expect_near(found.target, expected.target, "target of " + where);
            expect_near(found.d_slots, expected.d_slots, "slots of " + where);
            expect_near(found.d_predicates, expected.d_predicates, "predicates of " + where);
            expect_near(found.d_facts, expected.d_facts, "facts of " + where);
            if (HasFatalFailure())
                return;
        }
}

TEST(InputGradient, OfFactsThatAreAllZeroIsThereToo) {
    Options options = small_exact_options();
    const Model model = make_model({{"p", 2}}, {"t", 2}, options, 3);
    Trainable<double> net(model, {.input_gradients = true});
    net.set_facts(2);
    net.unify();
    net.infer(1);
    const std::vector<double> ones(4, 1.0);
    net.backward(ones.data());
    const std::vector<double> gradient = net.d_input(0);
    EXPECT_GT(*std::max_element(gradient.begin(), gradient.end()), 0);
    Trainable<double> plain(model);
    plain.set_facts(2);
    plain.unify();
    plain.infer(1);
    plain.backward(ones.data());
    EXPECT_THROW(plain.d_input(0), Error);
}

}  // namespace
}  // namespace hri
