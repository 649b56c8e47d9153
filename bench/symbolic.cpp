// SPDX-License-Identifier: Apache-2.0

// Programs evaluated to their fixpoint on one instance of 10 constants:
//   build/release/bench/bench_symbolic
// items_per_second: evaluations per second on one core, the instance's facts included.

#include "hri/random.hpp"
#include "hri/tasks.hpp"

#include "evaluate/bits/compiled_program.hpp"

#include <benchmark/benchmark.h>

namespace hri {
namespace {

void evaluate(benchmark::State& state, const std::string& task_name, const std::string& text) {
    const Task& task = find_task(task_name);
    const Problem problem = make_problem(task, {.training = 10, .evaluation = 10});
    const Program program = parse_program(text, "bench");
    evaluation::CompiledProgram compiled(program, problem.inputs());
    Random random(0, Random::kData);
    Instance scratch;
    const Instance instance = problem.training.draw(0, random, scratch);
    Truth truth;
    for (auto _ : state) {
        compiled.evaluate(instance, kToFixpoint, truth);
        benchmark::DoNotOptimize(truth);
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(evaluate, grandparent, "grandparent",
                  "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
                  "parent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).\n"
                  "grandparent(X,Y) :- parent(X,Z), father(Z,Y).\n");
BENCHMARK_CAPTURE(evaluate, connectedness, "connectedness",
                  "connected(X,Y) :- edge(X,Y).\nconnected(X,Y) :- edge(X,Z), connected(Z,Y).\n"
                  "connected(X,Y) :- step(X,Y).\nstep(X,Y) :- edge(X,Z), edge(Z,Y).\n");
BENCHMARK_CAPTURE(evaluate, even, "even-odd",
                  "even(X) :- zero(X).\neven(X) :- odd(Y), succ(Y,X).\n"
                  "odd(X) :- even(Y), succ(Y,X).\nodd(X) :- odd(Y), two(Y,X).\n"
                  "two(X,Y) :- succ(X,Z), succ(Z,Y).\n");

}  // namespace
}  // namespace hri
