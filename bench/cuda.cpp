// SPDX-License-Identifier: Apache-2.0

// Microseconds per model and iteration on a GPU, exact mode, as lines of a table:
//   build/bench/bench_cuda                       # tasks and sizes of the documentation
//   build/bench/bench_cuda grandparent 1024      # one task, so many models
//   build/bench/bench_cuda grandparent 1024 256 24000 32   # threads, bytes, pairs of a block
//   build/bench/bench_cuda random 160            # one model over so many constants

#include "hri/paper_options.hpp"
#include "hri/random.hpp"
#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "soft/cuda/cuda_batch.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace hri {
namespace {

Problem random_problem(int inputs, int constants) {
    Problem problem;
    problem.name = "random";
    std::vector<PredicateSymbol> symbols;
    for (int i = 0; i < inputs; ++i)
        symbols.push_back({"p" + std::to_string(i), 2});
    problem.schema = make_schema(std::move(symbols), {"target", 2});
    Random random(1);
    Instance instance = make_instance(problem.schema, constants, Label::negative);
    for (int i = 0; i < inputs; ++i)
        for (int x = 0; x < constants; ++x) {
            const int y = random.below(constants - 1);
            instance.facts[static_cast<std::size_t>(i)].push_back({x, y, 1.0F});
            instance.facts[static_cast<std::size_t>(i)].push_back({x, y + 1, 1.0F});
        }
    for (Label& label : instance.labels)
        label = random.chance(0.2) ? Label::positive : Label::negative;
    problem.training.instances = {std::move(instance)};
    return problem;
}

/// Numbers that a plan computes in an iteration: max-min operations of joins, forward and again in
/// backward, and products of pooling.
double join_operations(const soft::DensePlan& plan, int n, int steps) {
    double joins = 0;
    for (const soft::DenseChunk& chunk : plan.chunks)
        for (int p = chunk.pair_first; p < chunk.pair_last; ++p) {
            const soft::DensePair& pair = plan.pairs[static_cast<std::size_t>(p)];
            const double size = pair.shape == soft::Shape::join     ? 1.0 * n * n * n
                                : pair.shape == soft::Shape::column ? 1.0 * n * n
                                                                    : 0.0;
            joins += 4 * size * (chunk.is_fixed != 0 ? 1 : std::max(steps - 1, 0));
        }
    return joins;
}

void measure(const std::string& name, const Problem& problem, Options options, int models,
             int iterations, const soft::CudaShape& shape) {
    const Model model = make_model(problem.inputs(), problem.target(), options, 1);
    const std::vector<int> columns = soft::columns_of(problem.inputs(), model.inputs);
    soft::PackedInstances packed;
    soft::DenseInstance<float> dense;
    Random random(1, Random::kData);
    Instance scratch;
    for (int i = 0; i < (problem.training.fixed() ? 1 : 64); ++i) {
        soft::make_dense(dense, problem.training.draw(i, random, scratch), columns, model.inputs,
                         model.target.arity, constants_of(model.protorules));
        packed.add(dense);
    }
    const int n = packed.constants();
    soft::CudaBatch batch(model.hierarchy, model.protorules, options, model.parameters.dimension,
                          options.train_steps, models, n, shape);
    soft::BatchRound round;
    for (int m = 0; m < models; ++m) {
        batch.set(
            m,
            make_model(problem.inputs(), problem.target(), options, static_cast<std::uint64_t>(m))
                .parameters,
            static_cast<std::uint64_t>(m));
        round.models.push_back(m);
    }
    for (int k = 0; k < iterations; ++k) {
        soft::DenseIteration now;
        now.temperature = options.temperature;
        now.slot_noise = now.predicate_noise = 0.1;
        now.gumbel = 0.2;
        now.predicate_rate = 0.01;
        now.slot_rate = 0.03;
        now.number = k;
        round.iterations.push_back(now);
    }
    for (int m = 0; m < models; ++m)
        for (int k = 0; k < iterations; ++k)
            round.instance.push_back((m + k) % static_cast<int>(packed.places().size()));
    round.instances = &packed;
    batch.start(round);
    batch.finish();
    round.instances = nullptr;
    double best = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const auto started = std::chrono::steady_clock::now();
        batch.start(round);
        batch.finish();
        best = std::min(
            best,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    }
    const soft::DensePlan plan =
        soft::make_dense_plan(model.hierarchy, model.protorules, options,
                              model.parameters.dimension, {n, options.train_steps, 64, 1});
    const double us = best * 1e6 / iterations / models;
    const double operations = join_operations(plan, n, options.train_steps);
    std::printf(
        "%-16s n %4d models %5d threads %4d shared %6d pairs %4d | %10.2f us, %8.3g join "
        "ops, %6.2f T/s, %6.1f MB, loss %.4f\n",
        name.c_str(), n, models, shape.threads, shape.shared_bytes, shape.pairs, us, operations,
        operations / us * 1e-6, static_cast<double>(batch.bytes()) * 1e-6,
        static_cast<double>(batch.finish().back().loss));
    std::fflush(stdout);
}

void measure_task(const std::string& name, int models, const soft::CudaShape& shape) {
    const Task& task = find_task(name);
    measure(name, make_problem(task, {}), paper_options(task), models, models > 256 ? 20 : 50,
            shape);
}

void measure_random(int constants) {
    measure("random", random_problem(3, constants), Options{}, 1, constants > 600 ? 2 : 5, {});
}

}  // namespace
}  // namespace hri

int main(int argc, char** argv) {
    using namespace hri;
    try {
        require(Device::cuda);
        const auto number = [&](int i) { return argc > i ? std::atoi(argv[i]) : 0; };
        if (argc > 2 && std::string(argv[1]) == "random") {
            measure_random(number(2));
        } else if (argc > 2) {
            measure_task(argv[1], number(2),
                         {.threads = number(3), .shared_bytes = number(4), .pairs = number(5)});
        } else {
            for (const int models : {1, 128, 1024, 4096})
                measure_task("grandparent", models, {});
            for (const Task& task : all_tasks())
                if (task.in_table)
                    measure_task(task.name, 100, {});
            for (const int constants : {64, 160, 320, 512, 1024})
                measure_random(constants);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}
