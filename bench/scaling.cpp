// SPDX-License-Identifier: Apache-2.0

// How the time of a training iteration grows, as lines of CSV for scripts/plot_scaling.py:
//   build/release/bench/bench_scaling > scaling.csv
//   build/release/bench/bench_scaling threads > threads.csv    # the axes whose names begin so
// The fastest of several pieces, at exact and default settings: processor time, but for threads
// that of the clock, which says something only where the cores are free.

#include "hri/random.hpp"
#include "hri/train.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace hri {
namespace {

/// Random facts of binary predicates, two per constant, and random labels.
Problem random_problem(int inputs, int constants) {
    Problem problem;
    problem.name = "random";
    std::vector<PredicateSymbol> symbols;
    for (int i = 0; i < inputs; ++i)
        symbols.push_back({"p" + std::to_string(i), 2});
    problem.schema = make_schema(std::move(symbols), {"target", 2});
    Random random(1);
    Instance instance = make_instance(problem.schema, constants, Label::negative);
    for (int i = 0; i < inputs; ++i) {
        for (int x = 0; x < constants; ++x) {
            const int y = random.below(constants - 1);
            instance.facts[static_cast<std::size_t>(i)].push_back({x, y, 1.0F});
            instance.facts[static_cast<std::size_t>(i)].push_back({x, y + 1, 1.0F});
        }
    }
    for (Label& label : instance.labels) {
        label = random.chance(0.2) ? Label::positive : Label::negative;
    }
    problem.training.instances = {std::move(instance)};
    return problem;
}

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Microseconds per iteration: the fastest of the pieces of a short run, the first left out.
double iteration_us(const Problem& problem, Options options, double budget,
                    clockid_t clock = CLOCK_THREAD_CPUTIME_ID, int threads = 1) {
    options.iterations = 200;  // one progress report each
    double best = 1e9;
    double last = 0;
    int reports = 0;
    std::atomic<bool> enough = false;
    const double begin = seconds(clock);
    TrainSettings settings;
    settings.threads = threads;
    settings.interrupt = &enough;
    settings.progress = [&](const Progress&) {
        const double now = seconds(clock);
        if (++reports > 2) {
            best = std::min(best, now - last);
        }
        enough = reports > 2 && now - begin > budget;
        last = now;
    };
    settings.seed = 1;
    train(problem, options, settings);
    return best * 1e6;
}

void measure(const char* what, int value, const Problem& problem, Options options) {
    const double with_skipping = iteration_us(problem, options, 0.5);
    options.skip_pairs = options.skip_gradients = 0;
    const double exact = iteration_us(problem, options, 0.5);
    std::printf("%s,%d,%d,%.2f,%.2f\n", what, value,
                make_model(problem.inputs(), problem.target(), options, 0).hierarchy.predicates(),
                exact, with_skipping);
    std::fflush(stdout);
}

void print(const char* what, int value, double exact, double with_skipping) {
    std::printf("%s,%d,0,%.2f,%.2f\n", what, value, exact, with_skipping);
    std::fflush(stdout);
}

/// As many independent runs as there are threads: microseconds by the clock for an iteration of
/// one.
double runs_us(const Problem& problem, Options options, int threads) {
    double best = 1e9;
    for (int repetition = 0; repetition < 5; ++repetition) {
        const double begin = seconds(CLOCK_MONOTONIC);
        {
            std::vector<std::jthread> workers;
            for (int t = 0; t < threads; ++t) {
                workers.emplace_back([&] { train(problem, options, {.seed = 1}); });
            }
        }
        best = std::min(best, (seconds(CLOCK_MONOTONIC) - begin) / options.iterations / threads);
    }
    return best * 1e6;
}

void measure_threads(int threads) {
    Options options;
    Options exact;
    exact.skip_pairs = exact.skip_gradients = 0;
    const Problem paper = random_problem(3, 10);
    options.iterations = 3000;
    exact.iterations = 300;
    print("threads-of-runs", threads, runs_us(paper, exact, threads),
          runs_us(paper, options, threads));

    const Problem large = random_problem(3, 160);
    for (const auto& [name, clock] : {std::pair{"threads-in-a-step", CLOCK_MONOTONIC},
                                      std::pair{"threads-processor", CLOCK_PROCESS_CPUTIME_ID}}) {
        print(name, threads, iteration_us(large, exact, 5, clock, threads),
              iteration_us(large, options, 5, clock, threads));
    }
}

int run(const char* wanted) {
    const auto is_wanted = [&](const char* axis) {
        return std::strncmp(axis, wanted, std::strlen(wanted)) == 0;
    };
    std::printf("axis,value,predicates,exact_us,default_us\n");
    Options small;
    small.layers = 2;
    small.train_steps = 2;
    for (const int n : {5, 10, 20, 40, 80, 160, 320}) {
        if (is_wanted("constants")) {
            measure("constants", n, random_problem(2, n), small);
        }
    }
    Options flat;
    flat.layers = 1;
    flat.train_steps = 2;
    for (const int inputs : {1, 5, 15, 45, 95, 193}) {
        if (is_wanted("predicates")) {
            measure("predicates", inputs, random_problem(inputs, 8), flat);
        }
    }
    for (int layers = 1; layers <= 6; ++layers) {
        Options options;
        options.layers = layers;
        if (is_wanted("layers")) {
            measure("layers", layers, random_problem(2, 10), options);
        }
    }
    for (const int steps : {1, 2, 4, 8, 16, 24}) {
        Options options;
        options.train_steps = steps;
        if (is_wanted("steps")) {
            measure("steps", steps, random_problem(2, 10), options);
        }
    }
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (int threads = 1; is_wanted("threads") && threads <= std::max(cores, 2); threads *= 2) {
        measure_threads(threads);
    }
    return 0;
}

}  // namespace
}  // namespace hri

int main(int argc, char** argv) { return hri::run(argc > 1 ? argv[1] : ""); }
