// SPDX-License-Identifier: Apache-2.0

// hri reproduce skipping: does leaving out what is negligible cost success? The same seeds with
// nothing left out and with the default thresholds.

#include "hri/tasks.hpp"

#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"
#include "runs.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace hri::cli {
namespace {

struct Flags {
    int seeds = 100;
    // families, graphs without and with recursion, lists, numbers
    std::vector<std::string> tasks = {"grandparent", "son",    "two-children",
                                      "cyclic",      "member", "predecessor"};
    int iterations = 0;
    RunFlags files;
};

/// One task: the same seeds both ways.
struct Row {
    const Task* task = nullptr;
    Successes exact;
    Successes skipped;
    int only_exact = 0;    // seeds that succeed only when nothing is left out
    int only_skipped = 0;  // and only when something is
    double exact_seconds = 0;
    double skipped_seconds = 0;
};

Row compared(const Task& task, const std::vector<RunJob>& jobs,
             const std::vector<std::optional<RunResult>>& results) {
    Row row;
    row.task = &task;
    for (std::size_t i = 0; i + 1 < jobs.size(); i += 2) {
        if (jobs[i].task != &task || !results[i] || !results[i + 1]) {
            continue;
        }
        const RunResult& exact = *results[i];
        const RunResult& skipped = *results[i + 1];
        row.exact.add(exact.symbolic);
        row.skipped.add(skipped.symbolic);
        row.only_exact += exact.symbolic && !skipped.symbolic ? 1 : 0;
        row.only_skipped += skipped.symbolic && !exact.symbolic ? 1 : 0;
        row.exact_seconds += exact.seconds;
        row.skipped_seconds += skipped.seconds;
    }
    const int runs = std::max(row.exact.runs, 1);
    row.exact_seconds /= runs;
    row.skipped_seconds /= runs;
    return row;
}

/// The probability of a difference at least as large if both ways were equally good: the two-sided
/// sign test over the seeds on which they differ (McNemar's exact test).
double sign_test(int a, int b) {
    const int n = a + b;
    double term = std::pow(0.5, n);
    double sum = 0;
    for (int k = 0; k <= std::min(a, b); ++k) {
        sum += term;
        term *= static_cast<double>(n - k) / (k + 1);
    }
    return std::min(1.0, 2 * sum);
}

Row total(const std::vector<Row>& rows) {
    Row all;
    for (const Row& row : rows) {
        all.exact.runs += row.exact.runs;
        all.exact.successes += row.exact.successes;
        all.skipped.runs += row.skipped.runs;
        all.skipped.successes += row.skipped.successes;
        all.only_exact += row.only_exact;
        all.only_skipped += row.only_skipped;
        all.exact_seconds += row.exact_seconds;
        all.skipped_seconds += row.skipped_seconds;
    }
    return all;
}

std::string cell(const Successes& successes) {
    const Interval interval = successes.interval();
    return successes.runs == 0 ? "-"
                               : fmt::format("{:.0f} [{:.0f}, {:.0f}]", successes.percent(),
                                             interval.low, interval.high);
}

std::vector<std::string> cells(const std::string& name, const Row& row) {
    return {name,
            std::to_string(row.exact.runs),
            cell(row.exact),
            cell(row.skipped),
            std::to_string(row.only_exact),
            std::to_string(row.only_skipped),
            fmt::format("{:.2f}", sign_test(row.only_exact, row.only_skipped)),
            fmt::format("{:.2f}", row.exact_seconds),
            fmt::format("{:.2f}", row.skipped_seconds)};
}

Json row_json(const std::string& name, const Row& row) {
    const auto side = [](const Successes& successes, double seconds) {
        const Interval interval = successes.interval();
        return Json{{"symbolic", successes.runs == 0 ? Json(nullptr) : Json(successes.percent())},
                    {"interval", {interval.low, interval.high}},
                    {"seconds", seconds}};
    };
    return {{"task", name},
            {"variant", "exact and default"},
            {"seeds", row.exact.runs},
            {"ours",
             {{"exact", side(row.exact, row.exact_seconds)},
              {"default", side(row.skipped, row.skipped_seconds)},
              {"only_exact", row.only_exact},
              {"only_default", row.only_skipped},
              {"p", sign_test(row.only_exact, row.only_skipped)}}},
            {"paper", Json::object()}};
}

int run(const Flags& flags) {
    check_writable(flags.files.json_file);
    std::vector<RunJob> jobs;
    for (const std::string& name : flags.tasks) {
        const Task& task = find_task(name);
        Options options = paper_options(task);
        options.annealing_cycles = 1;  // what goes on until it succeeds would hide a difference
        if (flags.iterations > 0) {
            options.iterations = flags.iterations;
        }
        Options exact = options;
        exact.skip_pairs = 0;
        exact.skip_gradients = 0;
        for (int seed = 0; seed < flags.seeds; ++seed) {
            jobs.push_back({&task, "exact", exact, static_cast<std::uint64_t>(seed)});
            jobs.push_back({&task, "default", options, static_cast<std::uint64_t>(seed)});
        }
    }
    RunStore store(flags.files.state_file, keys_of(RunResult{}));
    const std::atomic<bool>& interrupt = catch_interrupts();
    const std::vector<std::optional<RunResult>> results =
        run_all(jobs, flags.files.threads, store, interrupt);

    std::vector<Row> rows;
    Json json_rows = Json::array();
    std::vector<std::vector<std::string>> table = {{"task", "seeds", "exact", "default",
                                                    "only exact", "only default", "p", "exact s",
                                                    "default s"}};
    for (const std::string& name : flags.tasks) {
        rows.push_back(compared(find_task(name), jobs, results));
        table.push_back(cells(name, rows.back()));
        json_rows.push_back(row_json(name, rows.back()));
    }
    table.push_back(cells("all", total(rows)));
    fmt::print(
        "{}\npercent of runs whose program is right on fresh instances, with 95 % intervals; "
        "only: seeds that\nsucceed one way alone; p: of such a difference by chance; "
        "seconds: mean processor time of a run\n",
        aligned(table));
    write_json(flags.files.json_file, {{"table", "skipping"},
                                       {"version", HRI_VERSION},
                                       {"command", command_line()},
                                       {"total", row_json("all", total(rows))["ours"]},
                                       {"rows", std::move(json_rows)}});
    return interrupt ? interrupted(flags.files.state_file) : kYes;
}

}  // namespace

Command skipping_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::number(own("seeds", "The runs per task and way, with the seeds 0, 1, ..."), &F::seeds,
                     1, 1'000'000),
        base::list(own("tasks", "Other tasks."), &F::tasks),
        base::number(own("iterations", "The iterations of each run; without it the task's."),
                     &F::iterations, 1, 100'000'000)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "skipping",
        .help = "Success with and without leaving out what is negligible.",
        .examples =
            "hri reproduce skipping --seeds 100 --state skipping.jsonl --json skipping.json\n"
            "hri reproduce skipping --tasks son,cyclic --seeds 5"};
    add_flags(command, *flags, fields);
    flags->files.add_threads_to(command);
    flags->files.add_files_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
