// SPDX-License-Identifier: Apache-2.0

// hri bench: microseconds per training iteration at the paper's sizes, beside the authors' code.

#include "hri/tasks.hpp"
#include "hri/train.hpp"

#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"
#include "reference/naive_model.hpp"
#include "runs.hpp"
#include "soft/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>

namespace hri::cli {
namespace {

/// The rate at 64^3 of the machine on which the authors' code was timed.
constexpr double kReferenceGops = 58;

struct Flags {
    std::vector<std::string> tasks;
    int iterations = 1400;
    int repetitions = 5;
    double skip_pairs = Options{}.skip_pairs;
    double skip_gradients = Options{}.skip_gradients;
    std::string json_file;
};

struct Row {
    const Task* task = nullptr;
    double exact_us = 0;
    double default_us = 0;
    double naive_us = 0;

    double reference_us() const { return task->paper.reference_ms * 1000; }
};

/// The fastest of several trials of the same work.
template <class Work>
double fastest(int trials, const Work& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < trials; ++i) {
        const double begin = processor_seconds();
        work();
        best = std::min(best, processor_seconds() - begin);
    }
    return best;
}

/// Minima and maxima per second, in units of 1e9, of the join of two 64 x 64 matrices.
double max_min_rate() {
    constexpr int kSize = 64;
    constexpr int kRepeats = 200;
    const soft::Kernels<float>& k = soft::kernels<float>(And::min);
    std::vector<float> left(kSize * kSize);
    std::vector<float> right(kSize * kSize);
    std::vector<float> out(kSize * kSize);
    Random random(0, Random::kData);
    for (int i = 0; i < kSize * kSize; ++i) {
        left[static_cast<std::size_t>(i)] = static_cast<float>(random.uniform());
        right[static_cast<std::size_t>(i)] = static_cast<float>(random.uniform());
    }
    const double seconds = fastest(20, [&] {
        for (int i = 0; i < kRepeats; ++i) {
            k.join(out.data(), left.data(), right.data(), kSize, kSize, kSize);
        }
    });
    return 2.0 * kSize * kSize * kSize * kRepeats / seconds / 1e9;
}

/// Microseconds per iteration of one training run, measured piece by piece: the run is repeated
/// with the same seed, so that a piece is the same work each time, and its fastest time counts.
double iteration_us(const Problem& problem, const Options& options, int pieces, int repetitions,
                    const std::atomic<bool>& interrupt) {
    std::vector<double> best;
    std::vector<int> begins;
    for (int r = 0; r < repetitions && !interrupt; ++r) {
        double last = 0;
        int piece = -1;
        std::atomic<bool> enough = false;
        TrainSettings settings;
        settings.interrupt = &enough;
        settings.progress = [&](const Progress& progress) {
            const double now = processor_seconds();
            if (piece >= 0 && piece < pieces) {
                if (r == 0) {
                    best.push_back(now - last);
                } else {
                    double& known = best[static_cast<std::size_t>(piece)];
                    known = std::min(known, now - last);
                }
            }
            if (r == 0) {
                begins.push_back(progress.iteration);
            }
            enough = ++piece >= pieces;
            last = processor_seconds();
        };
        train(problem, options, settings);
    }
    double seconds = 0;
    for (const double piece : best) {
        seconds += piece;
    }
    return best.empty() ? 0 : 1e6 * seconds / (begins[best.size()] - begins[0]);
}

/// Microseconds of one evaluation of the loss as the equations have it; no gradient.
double naive_us(const Problem& problem, const Options& options) {
    const Model model = make_model(problem.inputs(), problem.target(), options, 0);
    const reference::Model equations{model.protorules, model.hierarchy, options,
                                     model.parameters.dimension};
    const std::vector<float>& predicates = model.parameters.predicates;
    const std::vector<float>& slots = model.parameters.slots;
    const reference::Point point{{predicates.begin(), predicates.end()},
                                 {slots.begin(), slots.end()},
                                 {},
                                 options.temperature};
    Instance scratch;
    Random random(0, Random::kData);
    const Instance& instance = problem.training.draw(0, random, scratch);
    return 1e6 *
           fastest(1, [&] { reference::loss_at(equations, point, instance, options.train_steps); });
}

double geometric_mean(const std::vector<Row>& rows, double Row::*microseconds) {
    double sum = 0;
    for (const Row& row : rows) {
        sum += std::log(row.reference_us() / (row.*microseconds));
    }
    return std::exp(sum / static_cast<double>(rows.size()));
}

std::vector<const Task*> timed_tasks(const std::vector<std::string>& names) {
    std::vector<const Task*> tasks;
    for (const Task& task : all_tasks()) {
        if (names.empty() && task.in_table) {
            tasks.push_back(&task);
        }
    }
    for (const std::string& name : names) {
        tasks.push_back(&find_task(name));
        if (tasks.back()->paper.reference_ms < 0) {
            throw Error(fmt::format("the authors' code was not timed on {}", name), {},
                        "`hri bench` compares the 17 tasks of the paper's big table");
        }
    }
    return tasks;
}

void print(const std::vector<Row>& rows, double rate) {
    std::vector<std::vector<std::string>> cells = {
        {"task", "reference us", "naive us", "exact us", "ratio", "default us", "ratio"}};
    for (const Row& row : rows) {
        cells.push_back({row.task->name, fmt::format("{:.0f}", row.reference_us()),
                         fmt::format("{:.0f}", row.naive_us), fmt::format("{:.1f}", row.exact_us),
                         fmt::format("{:.0f}", row.reference_us() / row.exact_us),
                         fmt::format("{:.1f}", row.default_us),
                         fmt::format("{:.0f}", row.reference_us() / row.default_us)});
    }
    cells.push_back({"geometric mean", "", "", "",
                     fmt::format("{:.0f}", geometric_mean(rows, &Row::exact_us)), "",
                     fmt::format("{:.0f}", geometric_mean(rows, &Row::default_us))});
    fmt::print(
        "{}\nmicroseconds per training iteration on one core; naive: the loss alone, by the "
        "equations as they stand\nthis machine: {:.1f} Gop/s on a 64^3 max-min product "
        "({}); the reference's: {:.0f}\n",
        aligned(cells), rate, soft::kernels<float>(And::min).instruction_set, kReferenceGops);
}

Json row_json(const Row& row, const Flags& flags) {
    return {{"task", row.task->name},
            {"variant", "default"},
            {"seeds", 1},
            {"ours",
             {{"exact_us", row.exact_us},
              {"default_us", row.default_us},
              {"naive_us", row.naive_us},
              {"ratio_exact", row.reference_us() / row.exact_us},
              {"ratio_default", row.reference_us() / row.default_us},
              {"skip_pairs", flags.skip_pairs},
              {"skip_gradients", flags.skip_gradients},
              {"iterations", flags.iterations}}},
            {"paper", {{"reference_us", row.reference_us()}}}};
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const std::vector<const Task*> tasks = timed_tasks(flags.tasks);
    const std::atomic<bool>& interrupt = catch_interrupts();
    constexpr int kAllPieces = 199;  // of the 200 that train() reports, less the last
    std::vector<Row> rows;
    double rate = max_min_rate();
    {
        ProgressBar bar;
        for (const Task* task : tasks) {
            bar.show(static_cast<double>(rows.size()) / static_cast<double>(tasks.size()),
                     task->name);
            const Problem problem = make_problem(*task);
            Options options = paper_options(*task);
            options.iterations = flags.iterations;
            options.skip_pairs = flags.skip_pairs;
            options.skip_gradients = flags.skip_gradients;
            options.annealing_cycles = 1;
            Options exact = options;
            exact.skip_pairs = 0;
            exact.skip_gradients = 0;
            Row row;
            row.task = task;
            row.naive_us = naive_us(problem, options);
            row.default_us =
                iteration_us(problem, options, kAllPieces, flags.repetitions, interrupt);
            // the exact mode costs the same from the first iteration to the last: nothing is left
            // out, and subnormal numbers are flushed
            row.exact_us =
                iteration_us(problem, exact, kAllPieces / 10, flags.repetitions, interrupt);
            if (interrupt) {
                break;
            }
            rows.push_back(row);
        }
        rate = std::max(rate, max_min_rate());
    }
    if (rows.empty()) {
        throw Error("interrupted before the first task was timed");
    }
    print(rows, rate);
    Json json_rows = Json::array();
    for (const Row& row : rows) {
        json_rows.push_back(row_json(row, flags));
    }
    write_json(flags.json_file,
               {{"table", "bench"},
                {"version", HRI_VERSION},
                {"command", command_line()},
                {"instruction_set", soft::kernels<float>(And::min).instruction_set},
                {"max_min_gops", rate},
                {"reference_max_min_gops", kReferenceGops},
                {"geomean_exact", geometric_mean(rows, &Row::exact_us)},
                {"geomean_default", geometric_mean(rows, &Row::default_us)},
                {"rows", std::move(json_rows)}});
    return interrupt ? kNo : kYes;
}

}  // namespace

Command bench_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::list(own("tasks", "The tasks to time; without it all 17."), &F::tasks),
        base::number(own("iterations", "The iterations of the run."), &F::iterations, 200,
                     1'000'000),
        base::number(own("repetitions", "The repetitions of each run."), &F::repetitions, 1, 1000),
        base::number(own("skip_pairs", "The threshold of pairs in the column default."),
                     &F::skip_pairs, 0, 1),
        base::number(own("skip_gradients", "The threshold of gradients in the column default."),
                     &F::skip_gradients, 0, 1),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "bench",
        .help = "Times training iterations, beside the authors' code.",
        .details =
            "The column exact leaves nothing out; default skips what is not above the "
            "thresholds.\n"
            "A whole run of --iterations is timed and repeated, and of each piece of it the "
            "fastest\ntime counts. It takes one thread and its own processor time.",
        .examples =
            "hri bench --json bench.json\n"
            "hri bench --tasks grandparent,buzz --repetitions 3"};
    add_flags(command, *flags, fields);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
