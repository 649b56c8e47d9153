// SPDX-License-Identifier: Apache-2.0
#include "growth.hpp"

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "inputs.hpp"
#include "runs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace hri::cli {
namespace {

constexpr double kBudget = 1.5;  // processor seconds a size

/// Microseconds of processor time per iteration: the fastest of a short run's, the first left out.
double iteration_us(const Problem& problem, Options options) {
    options.iterations = 200;  // one progress report each
    options.annealing_cycles = 1;
    double best = std::numeric_limits<double>::infinity();
    double last = 0;
    int reports = 0;
    std::atomic<bool> enough = false;
    const double begin = processor_seconds();
    TrainSettings settings;
    settings.interrupt = &enough;
    settings.progress = [&](const Progress&) {
        const double now = processor_seconds();
        if (++reports > 2) {
            best = std::min(best, now - last);
        }
        enough = reports > 2 && now - begin > kBudget;
        last = now;
    };
    train(problem, options, settings);
    return best * 1e6;
}

/// The slope of the least-squares line through logarithms.
double exponent(const std::vector<double>& xs, const std::vector<double>& ys) {
    double mean_x = 0;
    double mean_y = 0;
    const auto n = static_cast<double>(xs.size());
    for (std::size_t i = 0; i < xs.size(); ++i) {
        mean_x += std::log(xs[i]) / n;
        mean_y += std::log(ys[i]) / n;
    }
    double across = 0;
    double along = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        across += (std::log(xs[i]) - mean_x) * (std::log(ys[i]) - mean_y);
        along += (std::log(xs[i]) - mean_x) * (std::log(xs[i]) - mean_x);
    }
    return across / along;
}

}  // namespace

void add_growth(Json& table) {
    const Task& task = find_task("grandparent-nlm");
    std::vector<double> constants;
    std::vector<double> exact;
    std::vector<double> skipping;
    std::vector<std::vector<std::string>> cells = {{"constants", "exact us", "default us"}};
    Json rows = Json::array();
    for (const int n : {9, 20, 40, 80, 160}) {
        const Problem problem = make_problem(task, {n, n});
        Options options = paper_options(task);
        constants.push_back(n);
        skipping.push_back(iteration_us(problem, options));
        options.skip_pairs = options.skip_gradients = 0;
        exact.push_back(iteration_us(problem, options));
        cells.push_back({std::to_string(n), fmt::format("{:.0f}", exact.back()),
                         fmt::format("{:.0f}", skipping.back())});
        rows.push_back(
            {{"constants", n}, {"exact_us", exact.back()}, {"default_us", skipping.back()}});
    }
    const double of_exact = exponent(constants, exact);
    const double of_default = exponent(constants, skipping);
    fmt::print(
        "\ngrandparent-nlm, microseconds of an early iteration\n{}exponent, fitted to all: exact "
        "{:.2f}, default {:.2f} (the join's arithmetic: 3)\n",
        aligned(cells), of_exact, of_default);
    table["growth"] = {
        {"rows", std::move(rows)}, {"exponent_exact", of_exact}, {"exponent_default", of_default}};
}

}  // namespace hri::cli
