// SPDX-License-Identifier: Apache-2.0

// hri reproduce ilp: the paper's big table of ILP tasks, single runs without restarts.

#include "hri/tasks.hpp"

#include "inputs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
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

constexpr int kSeedsForIntervals = 20;

struct Flags {
    TableFlags table;
    int jobs = 1;
    bool failures = false;
};

/// One task of the table: what its runs gave.
struct Row {
    const Task* task = nullptr;
    int runs = 0;
    Successes train;
    Successes soft;
    Successes symbolic;
    Successes fixpoint;
    double seconds = 0;  // mean
};

std::vector<const Task*> chosen_tasks(const std::vector<std::string>& names) {
    std::vector<const Task*> tasks;
    tasks.reserve(names.size());
    for (const std::string& name : names) {
        tasks.push_back(&find_task(name));
    }
    if (names.empty()) {
        for (const Task& task : all_tasks()) {
            if (task.in_table) {
                tasks.push_back(&task);
            }
        }
    }
    return tasks;
}

Row summed(const Task& task, const std::vector<RunJob>& jobs,
           const std::vector<std::optional<RunResult>>& results) {
    Row row;
    row.task = &task;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i].task != &task || !results[i]) {
            continue;
        }
        const RunResult& result = *results[i];
        ++row.runs;
        row.train.add(result.train);
        row.soft.add(result.soft);
        row.symbolic.add(result.symbolic);
        row.fixpoint.add(result.symbolic_fixpoint);
        row.seconds += result.seconds;
    }
    row.seconds /= std::max(row.runs, 1);
    return row;
}

std::string cell(const Successes& successes) {
    if (successes.runs == 0) {
        return "-";
    }
    if (successes.runs < kSeedsForIntervals) {
        return fmt::format("{:.0f}", successes.percent());
    }
    const Interval interval = successes.interval();
    return fmt::format("{:.0f} [{:.0f}, {:.0f}]", successes.percent(), interval.low, interval.high);
}

std::string paper_cell(double figure) { return figure < 0 ? "-" : fmt::format("{:g}", figure); }

void print(const std::vector<Row>& rows) {
    std::vector<std::vector<std::string>> cells = {{"task", "seeds", "train", "soft", "symbolic",
                                                    "fixpoint", "seconds", "| paper: train", "soft",
                                                    "symbolic"}};
    for (const Row& row : rows) {
        const PaperFigures& paper = row.task->paper;
        cells.push_back({row.task->name, std::to_string(row.runs), cell(row.train), cell(row.soft),
                         cell(row.symbolic), cell(row.fixpoint),
                         row.runs == 0 ? "-" : fmt::format("{:.2f}", row.seconds),
                         "| " + paper_cell(paper.train), paper_cell(paper.soft),
                         paper_cell(paper.symbolic)});
    }
    fmt::print("{}", aligned(cells));
    fmt::print("\npercent of runs{}; seconds: mean training time of a run\n",
               std::any_of(rows.begin(), rows.end(),
                           [](const Row& row) { return row.runs >= kSeedsForIntervals; })
                   ? " with 95 % intervals"
                   : "");
}

void print_failures(const std::vector<RunJob>& jobs,
                    const std::vector<std::optional<RunResult>>& results) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (results[i] && !results[i]->symbolic) {
            fmt::print("\n{}, seed {}: train mse {:.2g}, soft mse {:.2g}{}\n{}", jobs[i].task->name,
                       jobs[i].seed, results[i]->train_mse, results[i]->soft_mse,
                       results[i]->symbolic_fixpoint ? ", right at the fixpoint" : "",
                       results[i]->program);
        }
    }
}

Json percent(const Successes& successes) {
    return successes.runs == 0 ? Json(nullptr) : Json(successes.percent());
}

Json interval_json(const Successes& successes) {
    const Interval interval = successes.interval();
    return Json::array({interval.low, interval.high});
}

Json paper_json(double figure) { return figure < 0 ? Json(nullptr) : Json(figure); }

Json row_json(const Row& row) {
    const PaperFigures& paper = row.task->paper;
    Json json = {{"task", row.task->name},
                 {"variant", "default"},
                 {"seeds", row.runs},
                 {"ours",
                  {{"train", percent(row.train)},
                   {"soft", percent(row.soft)},
                   {"symbolic", percent(row.symbolic)},
                   {"symbolic_fixpoint", percent(row.fixpoint)},
                   {"seconds", row.runs == 0 ? Json(nullptr) : Json(row.seconds)}}},
                 {"paper",
                  {{"train", paper_json(paper.train)},
                   {"soft", paper_json(paper.soft)},
                   {"symbolic", paper_json(paper.symbolic)},
                   {"dilp", paper_json(paper.ilp)},
                   {"lri", paper_json(paper.lri)}}}};
    if (row.runs >= kSeedsForIntervals) {
        json["intervals"] = {{"train", interval_json(row.train)},
                             {"soft", interval_json(row.soft)},
                             {"symbolic", interval_json(row.symbolic)},
                             {"symbolic_fixpoint", interval_json(row.fixpoint)}};
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.table.json_file);
    const std::vector<const Task*> tasks = chosen_tasks(flags.table.tasks);
    std::vector<RunJob> jobs;
    for (const Task* task : tasks) {
        const Options options = flags.table.options.apply(paper_options(*task));
        for (int i = 0; i < flags.table.seeds; ++i) {
            jobs.push_back(
                {task, "default", options, flags.table.first_seed + static_cast<std::uint64_t>(i)});
        }
    }
    RunStore store(flags.table.state_file, keys_of(RunResult{}));
    const std::atomic<bool>& interrupt = catch_interrupts();
    const std::vector<std::optional<RunResult>> results =
        run_all(jobs, flags.jobs, store, interrupt);

    std::vector<Row> rows;
    Json json_rows = Json::array();
    for (const Task* task : tasks) {
        rows.push_back(summed(*task, jobs, results));
        json_rows.push_back(row_json(rows.back()));
    }
    print(rows);
    if (flags.failures) {
        print_failures(jobs, results);
    }
    write_json(flags.table.json_file, {{"table", "ilp"},
                                       {"version", HRI_VERSION},
                                       {"command", command_line()},
                                       {"rows", std::move(json_rows)}});
    return interrupt ? interrupted(flags.table.state_file) : kYes;
}

}  // namespace

void add_reproduce_ilp(CLI::App& reproduce, Action& action) {
    auto flags = std::make_shared<Flags>();
    flags->jobs = all_cores();
    CLI::App* command = reproduce.add_subcommand("ilp", "The big table of ILP tasks, single runs");
    command->option_defaults()->take_last();
    command->footer(
        "train: the last training instance, soft, noise on; soft and symbolic: 10 fresh instances "
        "of\n"
        "the evaluation size at the paper's number of steps; fixpoint: the same program at its\n"
        "fixpoint. Success: a mean square error below 1e-4 on each instance.\n\n"
        "Examples:\n"
        "  hri reproduce ilp --seeds 10 --json ilp.json\n"
        "  hri reproduce ilp --tasks son,cyclic --seeds 50 --failures --state runs.jsonl");
    command->add_option("--jobs", flags->jobs, "runs at a time; the table does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->option_text("[all cores]");
    command->add_flag("--failures", flags->failures, "what the seeds that failed have learned");
    flags->table.add_to(*command);
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
