// SPDX-License-Identifier: Apache-2.0

// Runs side by side: as one by one, on the phases that a GPU runs too.

#include "hri/device.hpp"
#include "hri/error.hpp"
#include "hri/paper_options.hpp"
#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "soft/cuda/cuda_batch.hpp"
#include "soft/cuda/host_batch.hpp"
#include "train/batch_training.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

Options small_options(const Task& task) {
    Options options = paper_options(task);
    options.iterations = 40;
    options.annealing_cycles = 1;
    options.layers = 2;
    options.skip_pairs = options.skip_gradients = 0;
    return options;
}

std::vector<TrainResult> on_host(const Problem& problem, const Options& options,
                                 const std::vector<std::uint64_t>& seeds,
                                 const TrainSettings& settings = {}) {
    std::vector<Model> starts;
    for (const std::uint64_t seed : seeds)
        starts.push_back(make_model(problem.inputs(), problem.target(), options, seed));
    const Model model = starts.front();
    training::BatchTraining training(std::move(starts), problem, seeds, settings);
    soft::HostBatch batch(model.hierarchy, model.protorules, options, model.parameters.dimension,
                          options.train_steps, static_cast<int>(seeds.size()));
    return training.run(batch);
}

TEST(TrainMany, WithoutNoiseSideBySideIsAsTheProcessorTrains) {
    const Task& task = find_task("grandparent");
    const Problem problem = make_problem(task, {});
    Options options = small_options(task);
    options.iterations = 8;
    options.gumbel = options.predicate_noise = options.slot_noise = 0;
    const std::vector<TrainResult> many = on_host(problem, options, {3, 4});
    for (std::size_t i = 0; i < many.size(); ++i) {
        const TrainResult one = train(problem, options, {.seed = 3 + i});
        EXPECT_EQ(many[i].iterations, one.iterations);
        EXPECT_NEAR(many[i].final_loss, one.final_loss, 1e-3 * one.final_loss);
        double difference = 0;
        for (std::size_t k = 0; k < one.model.parameters.slots.size(); ++k)
            difference += std::pow(static_cast<double>(one.model.parameters.slots[k] -
                                                       many[i].model.parameters.slots[k]),
                                   2);
        EXPECT_LT(std::sqrt(difference), 0.02);
    }
}

TEST(TrainMany, ARunDoesNotDependOnItsNeighbours) {
    const Task& task = find_task("undirected-edge");
    const Problem problem = make_problem(task, {});
    const Options options = small_options(task);
    const std::vector<TrainResult> three = on_host(problem, options, {1, 2, 3}, {.threads = 2});
    const std::vector<TrainResult> one = on_host(problem, options, {2});
    EXPECT_EQ(three[1].model.parameters.slots, one[0].model.parameters.slots);
    EXPECT_EQ(three[1].final_loss, one[0].final_loss);
    EXPECT_NE(three[0].model.parameters.slots, one[0].model.parameters.slots);
}

TEST(TrainMany, RunsEndAloneWhereTheyAreDone) {
    const Task& task = find_task("undirected-edge");
    const Problem problem = make_problem(task, {});
    TrainSettings settings;
    settings.check_every = 10;
    settings.log_every = 15;
    int asked = 0;
    settings.is_done = [&](const Model&) { return ++asked == 2; };
    const std::vector<TrainResult> runs =
        on_host(problem, small_options(task), {1, 2, 3}, settings);
    EXPECT_EQ(runs[0].iterations, 40);
    EXPECT_EQ(runs[1].iterations, 10);
    EXPECT_EQ(runs[1].stop_reason, StopReason::fits);
    EXPECT_EQ(runs[2].stop_reason, StopReason::finished);
    ASSERT_EQ(runs[0].curve.size(), 4U);  // 0, 15, 30, 39
    EXPECT_EQ(runs[0].curve[1].iteration, 15);
    EXPECT_EQ(runs[0].curve[3].iteration, 39);
}

TEST(TrainMany, AnnealingCyclesEndWithSuccess) {
    const Task& task = find_task("undirected-edge");
    const Problem problem = make_problem(task, {});
    Options options = small_options(task);
    options.iterations = 300;
    options.annealing_cycles = 4;
    options.check_instances = 50;
    for (const TrainResult& run : on_host(problem, options, {1, 2, 3, 4})) {
        EXPECT_EQ(run.iterations % 300, 0);
        EXPECT_EQ(run.stop_reason == StopReason::fits || run.iterations == 1200, true);
    }
}

TEST(TrainMany, OnAGpuTheSameSeedGivesTheSameBits) {
    if (!soft::why_no_cuda().empty())
        GTEST_SKIP() << soft::why_no_cuda();
    const Task& task = find_task("grandparent");
    const Problem problem = make_problem(task, {});
    const Options options = small_options(task);
    const TrainSettings settings{.device = Device::cuda};
    const auto first = train_many(problem, options, {1, 2, 3, 4}, settings);
    const auto second = train_many(problem, options, {4, 1}, settings);
    EXPECT_EQ(first[0].model.parameters.slots, second[1].model.parameters.slots);
    EXPECT_EQ(first[3].model.parameters.predicates, second[0].model.parameters.predicates);
    EXPECT_GT(first[0].device_bytes, 0);
}

TEST(TrainMany, WithoutAGpuTheErrorSaysHowToGetOne) {
    if (soft::why_no_cuda().empty())
        GTEST_SKIP() << "there is a GPU";
    const Problem problem = make_problem(find_task("grandparent"), {});
    EXPECT_THROW(train_many(problem, {}, {1}, {.device = Device::cuda}), Error);
    EXPECT_THAT(back_ends(), testing::Contains("cpu"));
}

}  // namespace
}  // namespace hri
