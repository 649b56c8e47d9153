// SPDX-License-Identifier: Apache-2.0

// Batches on a GPU against the processor's exact mode. Skipped where there is no GPU.

#include "hri/device.hpp"
#include "hri/paper_options.hpp"
#include "hri/random.hpp"
#include "hri/tasks.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/host_batch.hpp"
#include "soft/cuda/infer_on_gpu.hpp"
#include "soft/random_case.hpp"
#include "train/objective.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hri {
namespace {

class Cuda : public testing::Test {
  protected:
    void SetUp() override {
        if (!soft::why_no_cuda().empty())
            GTEST_SKIP() << soft::why_no_cuda();
    }
};

Parameters parameters_of(const RandomCase& c) { return {c.dimension, c.predicates, c.slots}; }

/// A round that differentiates at the case's parameters.
soft::BatchRound round_of(const RandomCase& c, const soft::PackedInstances& packed, int models) {
    soft::BatchRound round;
    round.does = soft::BatchRound::Does::differentiate;
    soft::DenseIteration now;
    now.temperature = c.options.temperature;
    round.iterations = {now};
    for (int m = 0; m < models; ++m) {
        round.models.push_back(m);
        round.instance.push_back(0);
    }
    round.instances = &packed;
    round.gumbel = c.gumbel;
    return round;
}

struct Gradient {
    double loss = 0;
    std::vector<double> of;
};

/// How far a gradient is from the expected one, relative to its norm.
double distance(const std::vector<float>& found, const Gradient& expected) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference += std::pow(static_cast<double>(found[i]) - expected.of[i], 2);
        norm += std::pow(expected.of[i], 2);
    }
    return std::sqrt(difference) / (0.1 + std::sqrt(norm));
}

/// By the processor's exact mode.
template <class Real>
Gradient expected_of(const RandomCase& c, std::vector<double>* target = nullptr) {
    training::Objective<Real> objective(c.hierarchy, c.protorules, c.dimension, c.options);
    const soft::DenseInstance<Real> dense = c.dense<Real>();
    const std::vector<Real> predicates = converted<Real>(c.predicates);
    const std::vector<Real> slots = converted<Real>(c.slots);
    const std::vector<Real> gumbel = converted<Real>(c.gumbel);
    Gradient result;
    result.loss = static_cast<double>(
        objective.loss(predicates.data(), slots.data(), gumbel.empty() ? nullptr : gumbel.data(),
                       static_cast<Real>(c.options.temperature), dense, c.steps));
    std::vector<Real> gradient(predicates.size() + slots.size());
    objective.gradient(gradient.data(), gradient.data() + predicates.size());
    result.of = converted<double>(gradient);
    if (target != nullptr)
        *target = converted<double>(objective.target());
    return result;
}

/// Compares in the given form of batch; the number of comparisons.
int compare(RandomCase c, Random& random, const soft::CudaShape& shape) {
    std::vector<double> target;
    expected_of<double>(c, &target);
    label_at_random(c.instance, target, random);
    const Gradient expected = expected_of<double>(c);
    if (!std::isfinite(expected.loss))
        return 0;  // all candidates of a slot are absent: there is no softmax
    // 1e-5, and what single precision itself is off on the processor, whose sums have other orders.
    const Gradient single = expected_of<float>(c);
    const double loss_error =
        1e-5 + 4 * std::abs(single.loss - expected.loss) / (1 + std::abs(expected.loss));
    const double error = 1e-5 + 4 * distance(converted<float>(single.of), expected);
    soft::PackedInstances packed;
    packed.add(c.dense<float>());
    const int models = 3;
    soft::CudaBatch batch(c.hierarchy, c.protorules, c.options, c.dimension, c.steps, models,
                          c.instance.constants, shape);
    for (int m = 0; m < models; ++m)
        batch.set(m, parameters_of(c), 7);
    batch.start(round_of(c, packed, models));
    const std::vector<soft::BatchOutcome> outcomes = batch.finish();
    for (int m = 0; m < models; ++m) {
        EXPECT_NEAR(static_cast<double>(outcomes[static_cast<std::size_t>(m)].loss), expected.loss,
                    loss_error * (1 + std::abs(expected.loss)))
            << c.describe();
        EXPECT_LE(distance(batch.gradient(m), expected), error) << c.describe();
    }
    return 1;
}

TEST_F(Cuda, HasTheLossAndGradientOfTheExactModeForEveryShapeAndOption) {
    Random random(41);
    int cases = 0;
    for (const NamedShape& shape : shapes())
        for (int i = 0; i < 6; ++i) {
            Options options = random_options(random);
            options.negation = i % 3 == 0;
            options.equality = random.chance(0.3);
            options.mask_absent = random.chance(0.3);
            const soft::CudaShape by_block{.threads = 32 << random.below(4),
                                           .pairs = 1 + random.below(70)};
            const soft::CudaShape spread{.block_constants = 0};
            cases += compare(random_case(shape.rules, options, random,
                                         {.max_constants = 9, .max_work = 2e4, .fuzzy = true}),
                             random, i % 2 == 0 ? by_block : spread);
        }
    EXPECT_GT(cases, 10);
}

TEST_F(Cuda, InfersInstancesOfSeveralSizesAsTheProcessorDoes) {
    const Task& task = find_task("grandparent");
    const Problem problem = make_problem(task, {});
    const Model model = make_model(problem.inputs(), problem.target(), paper_options(task), 5);
    Random random(3);
    Instance scratch;
    std::vector<Instance> instances;
    for (int i = 0; i < 40; ++i)
        instances.push_back(problem.evaluation.draw(i, random, scratch));
    const auto found = soft::infer_on_gpu(model, instances, 4);
    ASSERT_EQ(found.size(), instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const std::vector<float> expected = infer(model, instances[i], 4);
        ASSERT_EQ(found[i].size(), expected.size());
        for (std::size_t j = 0; j < expected.size(); ++j)
            EXPECT_NEAR(static_cast<double>(found[i][j]), static_cast<double>(expected[j]), 1e-5);
    }
    EXPECT_THROW(soft::infer_on_gpu(model, instances, -1), Error);
}

TEST(NoCuda, IsToldWhereAGpuIsAskedToInfer) {
    if (soft::why_no_cuda().empty())
        GTEST_SKIP() << "there is a GPU";
    EXPECT_THROW(soft::infer_on_gpu({}, {}, 4), Error);
}

TEST_F(Cuda, AgreesOverManyConstants) {
    Random random(42);
    for (const char* name : {"R0", "R*"})
        for (int i = 0; i < 3; ++i) {
            Options options = exact_options();
            options.layers = 2;
            options.fuzzy_and = i == 1 ? And::product : i == 2 ? And::lukasiewicz : And::min;
            compare(
                random_case(shape(name), options, random,
                            {.max_constants = 90, .max_steps = 3, .max_work = 1e9, .fuzzy = true}),
                random, {});
        }
}

TEST_F(Cuda, TrainsAsTheSamePhasesOnTheHost) {
    Random random(43);
    Options options = exact_options();
    options.layers = 2;
    const RandomCase c = random_case(shape("R*"), options, random,
                                     {.max_constants = 6, .max_work = 2e4, .fuzzy = true});
    soft::PackedInstances packed;
    packed.add(c.dense<float>());
    soft::BatchRound round = round_of(c, packed, 1);
    round.does = soft::BatchRound::Does::train;
    round.gumbel.clear();
    round.iterations.clear();
    for (int k = 0; k < 3; ++k) {
        soft::DenseIteration now;
        now.temperature = 0.5;
        now.predicate_noise = now.slot_noise = 0.1;
        now.gumbel = 0.2;
        now.predicate_rate = now.slot_rate = 0.05;
        now.to_unit_length = k == 2;
        now.number = k;
        round.iterations.push_back(now);
    }
    round.instance.assign(3, 0);
    soft::CudaBatch device(c.hierarchy, c.protorules, c.options, c.dimension, c.steps, 1,
                           c.instance.constants);
    soft::HostBatch host(c.hierarchy, c.protorules, c.options, c.dimension, c.steps, 1);
    device.set(0, parameters_of(c), 5);
    host.set(0, parameters_of(c), 5);
    device.start(round);
    host.start(round);
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(static_cast<double>(device.finish()[k].loss),
                    static_cast<double>(host.finish()[k].loss), 1e-3);
    Parameters on_device, on_host;
    device.get(0, on_device);
    host.get(0, on_host);
    for (std::size_t i = 0; i < on_host.slots.size(); ++i)
        EXPECT_NEAR(static_cast<double>(on_device.slots[i]), static_cast<double>(on_host.slots[i]),
                    2e-3);
}

}  // namespace
}  // namespace hri
