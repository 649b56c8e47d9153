// SPDX-License-Identifier: Apache-2.0

// The kernels over matrices of 4 to 512 constants:
//   build/release/bench/bench_kernels --benchmark_filter='join'
// ops: minima, maxima, products and sums per second. share: of the fastest max-min product of this
// machine, measured first.

#include "soft/kernels/kernels.hpp"

#include "hri/random.hpp"
#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "hypotheses/plan.hpp"
#include "train/noise.hpp"
#include "train/objective.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <vector>

namespace hri {
namespace {

const soft::Kernels<float>& k() { return soft::kernels<float>(And::min); }

struct Matrix {
    int n;
    int ld = soft::stride_for<float>(n);
    std::vector<float> values = std::vector<float>(static_cast<std::size_t>(n * ld), 0.0F);

    explicit Matrix(int size, int seed = 0) : n(size) {
        Random random(static_cast<std::uint64_t>(seed));
        for (int x = 0; x < n; ++x) {
            for (int y = 0; y < n; ++y) {
                values[static_cast<std::size_t>(x * ld + y)] =
                    random.chance(0.5) ? 0.0F : static_cast<float>(random.uniform());
            }
        }
    }

    float* data() { return values.data(); }

    int area() const { return n * ld; }
};

/// Operations per second of the fastest of several 64^3 max-min products.
double peak() {
    static const double rate = [] {
        using Clock = std::chrono::steady_clock;
        Matrix left(64, 1);
        Matrix right(64, 2);
        Matrix out(64);
        double best = 1;
        for (int i = 0; i < 2000; ++i) {
            const auto begin = Clock::now();
            for (int j = 0; j < 10; ++j) {
                k().join(out.data(), left.data(), right.data(), 64, 64, 64);
            }
            best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
        }
        return 10 * 2.0 * 64 * 64 * 64 / best;
    }();
    return rate;
}

void count(benchmark::State& state, double operations) {
    const double all = operations * static_cast<double>(state.iterations());
    state.counters["ops"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
    state.counters["share"] = benchmark::Counter(all / peak(), benchmark::Counter::kIsRate);
}

double cubed(int n) { return static_cast<double>(n) * n * n; }

void join(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix left(n, 1);
    Matrix right(n, 2);
    Matrix out(n);
    for (auto _ : state) {
        k().join(out.data(), left.data(), right.data(), n, n, out.ld);
        benchmark::ClobberMemory();
    }
    count(state, 2 * cubed(n));
}

void join_with_winner(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix left(n, 1);
    Matrix right(n, 2);
    Matrix out(n);
    Matrix won_left(n);
    Matrix won_right(n);
    std::vector<soft::Index<float>> winner(out.values.size());
    const soft::Joined<float> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
    for (auto _ : state) {
        k().join_with_winner(joined, left.data(), right.data(), n, n, out.ld);
        benchmark::ClobberMemory();
    }
    count(state, 2 * cubed(n));
}

void join_backward(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix left(n, 1);
    Matrix right(n, 2);
    Matrix out(n);
    Matrix won_left(n);
    Matrix won_right(n);
    Matrix d_left(n);
    Matrix d_right(n);
    Matrix d_out(n, 3);
    std::vector<soft::Index<float>> winner(out.values.size());
    const soft::Joined<float> joined{out.data(), winner.data(), won_left.data(), won_right.data()};
    k().join_with_winner(joined, left.data(), right.data(), n, n, out.ld);
    for (auto _ : state) {
        k().join_backward(d_left.data(), d_right.data(), d_out.data(), joined, n, out.ld);
        benchmark::ClobberMemory();
    }
    count(state, 4.0 * n * n);
}

void meet(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix left(n, 1);
    Matrix right(n, 2);
    Matrix out(n);
    for (auto _ : state) {
        k().meet(out.data(), left.data(), right.data(), out.area());
        benchmark::ClobberMemory();
    }
    count(state, 1.0 * n * n);
}

void meet_backward(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix left(n, 1);
    Matrix right(n, 2);
    Matrix d_left(n);
    Matrix d_right(n);
    Matrix d_out(n, 3);
    for (auto _ : state) {
        k().meet_backward(d_left.data(), d_right.data(), d_out.data(), left.data(), right.data(),
                          left.area());
        benchmark::ClobberMemory();
    }
    count(state, 4.0 * n * n);
}

constexpr int kRules = 3;

/// A matrix for each of three rules.
std::vector<float> three_sums(const Matrix& matrix) {
    std::vector<float> sums;
    for (int r = 0; r < kRules; ++r) {
        sums.insert(sums.end(), matrix.values.begin(), matrix.values.end());
    }
    return sums;
}

const soft::Weighted<float> kTerms[kRules] = {{0, 1e-6F}, {1, 1e-7F}, {2, 1e-8F}};

void pooled_sums(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix in(n, 1);
    std::vector<float> sums = three_sums(in);
    for (auto _ : state) {
        k().pool(sums.data(), kTerms, kRules, in.data(), in.area(), in.area());
        benchmark::ClobberMemory();
    }
    count(state, 2.0 * kRules * n * n);
}

void pooled_sums_backward(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix in(n, 1);
    Matrix d_in(n);
    const std::vector<float> d_sums = three_sums(in);
    float d_weights[kRules];
    for (auto _ : state) {
        benchmark::DoNotOptimize(k().pool_terms_backward(d_in.data(), d_weights, d_sums.data(),
                                                         kTerms, kRules, in.data(), in.area(),
                                                         in.area()));
        benchmark::ClobberMemory();
    }
    count(state, 4.0 * kRules * n * n);
}

/// A list of 16 pairs of one shape, three rules each: all that a step does with them. Per pair a
/// product of `operations` and its pooling.
struct PairList {
    static constexpr int kPairs = 16;
    Matrix left, right, d_left, d_right;
    std::vector<float> sums;
    const float* sides[2];
    char touched[2] = {};
    float d_weights[kRules] = {};
    std::vector<soft::PairWork<float>> pairs;

    explicit PairList(int n)
        : left(n, 1), right(n, 2), d_left(n), d_right(n), sums(three_sums(left)) {
        sides[0] = left.data();
        sides[1] = right.data();
        pairs.assign(kPairs, {&sides[0], &sides[1], d_left.data(), d_right.data(), kTerms,
                              d_weights, kRules, 0, &touched[0], &touched[1]});
    }
};

template <soft::Shape shape>
void listed_pairs(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    PairList list(n);
    for (auto _ : state) {
        k().pool_pairs[static_cast<int>(shape)](list.sums.data(), list.pairs.data(),
                                                PairList::kPairs, n, list.left.ld);
        benchmark::ClobberMemory();
    }
    const double product = shape == soft::Shape::join ? 2 * cubed(n) : 1.0 * n * n;
    count(state, PairList::kPairs * (product + 2.0 * kRules * n * n));
}

template <soft::Shape shape>
void listed_pairs_backward(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    PairList list(n);
    for (auto _ : state) {
        k().pool_pairs_backward[static_cast<int>(shape)](list.pairs.data(), PairList::kPairs,
                                                         list.sums.data(), 0.0F, n, list.left.ld);
        benchmark::ClobberMemory();
    }
    const double product = shape == soft::Shape::join ? 2 * cubed(n) : 1.0 * n * n;
    count(state, PairList::kPairs * (product + 4.0 * n * n + 4.0 * kRules * n * n));
}

/// Over as many slots as candidates; the exponential is taken as ten operations.
void softmax(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix scores(n, 1);
    Matrix mask(n);
    std::fill(mask.values.begin(), mask.values.end(), 0.0F);
    const std::vector<float> start = scores.values;
    for (auto _ : state) {
        std::copy(start.begin(), start.end(), scores.values.begin());
        k().softmax_rows(scores.data(), mask.data(), 10.0F, n, scores.ld);
        benchmark::ClobberMemory();
    }
    count(state, 14.0 * n * n);
}

void softmax_backward(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    Matrix out(n, 1);
    Matrix d_out(n, 2);
    Matrix d_in(n);
    for (auto _ : state) {
        k().softmax_backward_rows(d_in.data(), d_out.data(), out.data(), 10.0F, n, out.ld);
        benchmark::ClobberMemory();
    }
    count(state, 5.0 * n * n);
}

/// Minima and maxima of the joins in `steps` steps of the equations as they stand, forward alone.
double join_operations(const Model& model, int n, int steps) {
    double pairs = 0;
    for (const Auxiliary& auxiliary : model.hierarchy.auxiliaries) {
        const hypotheses::Plan plan =
            hypotheses::compile(model.protorules[static_cast<std::size_t>(auxiliary.protorule)]);
        if (plan.combine != hypotheses::Combine::join) {
            continue;
        }
        double product = 1;
        for (const int operand : {plan.left.slot, plan.right.slot}) {
            const auto slot =
                static_cast<std::size_t>(auxiliary.slots[static_cast<std::size_t>(operand)]);
            product *= static_cast<double>(model.hierarchy.slots[slot].candidates.size());
        }
        pairs += product;
    }
    return steps * pairs * 2 * cubed(n);
}

/// One evaluation of loss and gradient on Grandparent with that many constants, exact: one layer
/// and two steps, so that the largest stays bearable. Operations are those of the equations'
/// joins alone, of which most need not be computed.
void whole_step(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    const Task& task = find_task("grandparent");
    const Problem problem = make_problem(task, {.training = n, .evaluation = n});
    Options options;
    options.layers = 1;
    options.skip_pairs = options.skip_gradients = 0;
    const Model model = make_model(problem.inputs(), problem.target(), options, 0);
    Random random(0, Random::kData);
    Instance scratch;
    soft::DenseInstance<float> dense;
    soft::make_dense(dense, problem.training.draw(0, random, scratch),
                     soft::columns_of(problem.inputs(), model.inputs), model.inputs, 2);
    training::Objective<float> objective(model.hierarchy, model.protorules,
                                         model.parameters.dimension, options);
    std::vector<float> d_predicates(model.parameters.predicates.size());
    std::vector<float> d_slots(model.parameters.slots.size());
    for (auto _ : state) {
        benchmark::DoNotOptimize(objective.loss(model.parameters.predicates.data(),
                                                model.parameters.slots.data(), nullptr, 0.1F, dense,
                                                2));
        objective.gradient(d_predicates.data(), d_slots.data());
    }
    count(state, join_operations(model, n, 2));
}

void few(benchmark::internal::Benchmark* benchmark) {
    for (const int n : {4, 5, 7, 8, 9, 11, 16}) {
        benchmark->Arg(n);
    }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    for (const int n : {4, 5, 7, 8, 9, 11, 16, 32, 64, 128, 256, 512}) {
        benchmark->Arg(n);
    }
}

BENCHMARK(join)->Apply(sizes);
BENCHMARK(join_with_winner)->Apply(sizes);
BENCHMARK(join_backward)->Apply(sizes);
BENCHMARK(meet)->Apply(sizes);
BENCHMARK(meet_backward)->Apply(sizes);
BENCHMARK(pooled_sums)->Apply(sizes);
BENCHMARK(pooled_sums_backward)->Apply(sizes);
BENCHMARK(softmax)->Apply(sizes);
BENCHMARK(softmax_backward)->Apply(sizes);
BENCHMARK(listed_pairs<soft::Shape::meet>)->Apply(few);
BENCHMARK(listed_pairs<soft::Shape::join>)->Apply(few);
BENCHMARK(listed_pairs_backward<soft::Shape::meet>)->Apply(few);
BENCHMARK(listed_pairs_backward<soft::Shape::join>)->Apply(few);
BENCHMARK(whole_step)->Apply(sizes)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hri
