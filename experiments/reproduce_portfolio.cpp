// SPDX-License-Identifier: Apache-2.0

// hri reproduce portfolio: every task by search and training together, with one set of options.

#include "hri/learn.hpp"
#include "hri/tasks.hpp"

#include "hypotheses/options_file.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"
#include "runs.hpp"
#include "sizes.hpp"
#include "statistics.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kConstantsOfFixedTasks = 40;
constexpr int kFreshInstances = 30;
constexpr int kNoisyInstances = 10;

struct Flags {
    TableFlags table;
    LearnSettings settings;  ///< strategy and time limit
    int distractors = 0;
    double flipped = 0;  // percent
    int constants = 0;   // of training instances; 0: the paper's
    bool development = false;
    bool failures = false;
};

struct Job {
    const Task* task = nullptr;
    std::uint64_t seed = 0;
};

struct Result {
    bool fits = false;
    bool fixpoint = false;  ///< right on fresh, larger instances
    bool steps = false;     ///< as extracted, right at the paper's steps and size
    double seconds = 0;     ///< of one core
    int different = 0;
    std::string program;
};

void to_json(Json& json, const Result& result) {
    json = {{"fits", result.fits},           {"fixpoint", result.fixpoint},
            {"steps", result.steps},         {"seconds", result.seconds},
            {"different", result.different}, {"program", result.program}};
}

void from_json(const Json& json, Result& result) {
    result = {json.at("fits"),    json.at("fixpoint"),  json.at("steps"),
              json.at("seconds"), json.at("different"), json.at("program")};
}

bool is_right(const Score& score) { return score.false_positives + score.false_negatives == 0; }

std::optional<Result> run_once(const Flags& flags, const Job& job,
                               const std::atomic<bool>& interrupt) {
    const auto problem_of = [&](int evaluation_constants) {
        Sizes sizes = flags.constants > 0 ? sizes_of(*job.task, flags.constants) : Sizes{};
        if (evaluation_constants > 0) {
            sizes.evaluation = evaluation_constants;
        }
        Problem problem =
            with_distractors(make_problem(*job.task, sizes), flags.distractors, job.seed);
        return flags.flipped > 0 ? with_flipped_labels(std::move(problem), kNoisyInstances,
                                                       flags.flipped / 100, job.seed)
                                 : problem;
    };
    const Problem problem = problem_of(0);
    const Problem large = problem_of(job.task->fixed ? kConstantsOfFixedTasks : 0);
    LearnSettings settings;
    settings.strategy = flags.settings.strategy;
    settings.seed = job.seed;
    settings.time_limit = flags.settings.time_limit;
    settings.restarts = 1'000;
    settings.interrupt = &interrupt;
    const double started = processor_seconds();
    const Report report = learn(
        problem,
        flags.table.options.apply(
            flags.settings.strategy == Strategy::gradient ? paper_options(*job.task) : Options{}),
        settings);
    if (interrupt) {
        return std::nullopt;
    }
    Result result;
    result.seconds = processor_seconds() - started;
    result.fits = report.fits;
    result.different = report.different;
    result.program = to_text(report.program);
    const std::uint64_t fresh = job.seed + 1'000'003;
    result.fixpoint =
        is_right(score_program(report.program, large.evaluation, fresh, kFreshInstances));
    result.steps = is_right(score_program(report.raw, problem.evaluation, fresh, kFreshInstances,
                                          job.task->eval_steps));
    return result;
}

RunKey key_of(const Flags& flags, const Job& job) {
    return {job.task->name, job.seed,
            fingerprint(fmt::format(
                "{} {} {} {} {} {} {}", HRI_VERSION, to_string(flags.settings.strategy),
                flags.distractors, flags.flipped, flags.constants, flags.settings.time_limit,
                hypotheses::options_to_json(flags.table.options.apply({})).dump()))};
}

struct Row {
    const Task* task = nullptr;
    Successes fits;
    Successes fixpoint;
    Successes steps;
    std::vector<double> seconds;
    double different = 0;
};

Json row_json(const Row& row, const Flags& flags) {
    const PaperFigures& paper = row.task->paper;
    return {{"task", row.task->name},
            {"variant", to_string(flags.settings.strategy)},
            {"seeds", row.fits.runs},
            {"ours",
             {{"fits", row.fits.percent()},
              {"fixpoint", row.fixpoint.percent()},
              {"steps", row.steps.percent()},
              {"median_s", quantile(row.seconds, 0.5)},
              {"p95_s", quantile(row.seconds, 0.95)}}},
            {"paper", {{"symbolic", paper.symbolic < 0 ? Json(nullptr) : Json(paper.symbolic)}}}};
}

int run(const Flags& flags) {
    check_writable(flags.table.run.json_file);
    std::vector<const Task*> tasks;
    for (const std::string& name : flags.table.tasks) {
        tasks.push_back(&find_task(name));
    }
    if (tasks.empty()) {
        for (const Task& task : flags.development ? development_tasks() : all_tasks()) {
            tasks.push_back(&task);
        }
    }
    std::vector<Job> jobs;
    for (const Task* task : tasks) {
        for (int i = 0; i < flags.table.seeds; ++i) {
            jobs.push_back({task, flags.table.first_seed + static_cast<std::uint64_t>(i)});
        }
    }
    RunStore store(flags.table.run.state_file, keys_of(Result{}));
    const std::atomic<bool>& interrupt = catch_interrupts();
    const std::vector<std::optional<Result>> results = run_stored<Result>(
        jobs.size(), flags.table.run.threads, store, interrupt,
        [&](std::size_t i) { return key_of(flags, jobs[i]); },
        [&](std::size_t i) { return run_once(flags, jobs[i], interrupt); });

    std::vector<std::vector<std::string>> cells = {{"task", "seeds", "fits", "fixpoint", "steps",
                                                    "median s", "95 % s", "meanings",
                                                    "| paper: symbolic"}};
    Json json_rows = Json::array();
    std::string failures;
    for (const Task* task : tasks) {
        Row row;
        row.task = task;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (jobs[i].task != task || !results[i]) {
                continue;
            }
            const Result& result = *results[i];
            row.fits.add(result.fits);
            row.fixpoint.add(result.fixpoint);
            row.steps.add(result.steps);
            row.seconds.push_back(result.seconds);
            row.different += result.different;
            if (!result.fixpoint) {
                failures += fmt::format("\n{}, seed {}{}\n{}", task->name, jobs[i].seed,
                                        result.fits ? "" : ", does not fit", result.program);
            }
        }
        const auto percent = [](const Successes& s) { return fmt::format("{:.0f}", s.percent()); };
        cells.push_back(
            {task->name, std::to_string(row.fits.runs), percent(row.fits), percent(row.fixpoint),
             percent(row.steps), fmt::format("{:.2f}", quantile(row.seconds, 0.5)),
             fmt::format("{:.2f}", quantile(row.seconds, 0.95)),
             fmt::format("{:.1f}", row.different / std::max(row.fits.runs, 1)),
             task->paper.symbolic < 0 ? "| -" : fmt::format("| {:g}", task->paper.symbolic)});
        json_rows.push_back(row_json(row, flags));
    }
    fmt::print(
        "{}\npercent of runs; fixpoint: right on {} fresh instances of the evaluation size, {} "
        "constants\nwhere a task has one instance; steps: the program as extracted, at the paper's "
        "steps;\nseconds of one core\n",
        aligned(cells), kFreshInstances, kConstantsOfFixedTasks);
    if (flags.failures) {
        fmt::print("{}", failures);
    }
    write_json(flags.table.run.json_file, {{"table", "portfolio"},
                                           {"version", HRI_VERSION},
                                           {"command", command_line()},
                                           {"strategy", to_string(flags.settings.strategy)},
                                           {"distractors", flags.distractors},
                                           {"flipped", flags.flipped},
                                           {"constants", flags.constants},
                                           {"rows", std::move(json_rows)}});
    return interrupt ? interrupted(flags.table.run.state_file) : kYes;
}

}  // namespace

Command portfolio_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::number(own("distractors",
                         "The irrelevant predicates added to every task, half of them unary."),
                     &F::distractors, 0, 10'000),
        base::number(
            own("flipped",
                "The percentage of wrong labels, in one fixed training set of 10 instances "
                "a run.",
                "PERCENT"),
            &F::flipped, 0, 50),
        base::number(
            own("constants",
                "The constants of training instances; evaluation instances grow with them. "
                "Without it the paper's."),
            &F::constants, 2, 200),
        base::boolean(own("development",
                          "Takes the tasks on which settings were chosen, instead of the paper's."),
                      &F::development),
        base::boolean(own("failures", "Prints the programs of the seeds that failed."),
                      &F::failures)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "portfolio",
        .help = "Every task by search and training together, one set of options.",
        .examples =
            "hri reproduce portfolio --seeds 100 --state runs.jsonl --json portfolio.json\n"
            "hri reproduce portfolio --strategy search --seeds 20 --failures\n"
            "hri reproduce portfolio --tasks grandparent,son --distractors 30 --seeds 20\n"
            "hri reproduce portfolio --tasks connectedness --constants 16 --flipped 20 --seeds "
            "20"};
    add_flags(command, *flags, fields);
    add_flags(command, flags->settings, fields_of<LearnSettings>(), {"strategy", "time_limit"});
    flags->table.run.add_threads_to(command);
    flags->table.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
