// SPDX-License-Identifier: Apache-2.0

// hri reproduce recovery: random programs of the hypothesis space, learned back from data that were
// made for them.

#include "hri/learn.hpp"

#include "hypotheses/options_file.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"
#include "runs.hpp"
#include "statistics.hpp"
#include "tasks/hidden_programs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kFreshInstances = 30;

struct Flags {
    int programs = 200;
    int max_rules = 6;
    int seeds = 1;
    std::uint64_t first_seed = 0;
    std::uint64_t draw = 0;
    std::vector<std::string> strategy_names = {"gradient", "search", "portfolio"};
    std::vector<Strategy> strategies;  ///< those names
    double time_limit = 30;
    bool failures = false;
    RunFlags files;
};

struct Job {
    const tasks::HiddenProgram* target = nullptr;
    Strategy strategy = Strategy::portfolio;
    std::uint64_t seed = 0;
};

struct Result {
    bool fits = false;
    bool recovered = false;  ///< equal to the target on larger unseen instances
    bool rival = false;      ///< met a program that fits, is no longer than the target, and differs
    double seconds = 0;      ///< of one core
    std::string program;
};

void to_json(Json& json, const Result& result) {
    json = {{"fits", result.fits},
            {"recovered", result.recovered},
            {"rival", result.rival},
            {"seconds", result.seconds},
            {"program", result.program}};
}

void from_json(const Json& json, Result& result) {
    result = {json.at("fits"), json.at("recovered"), json.at("rival"), json.at("seconds"),
              json.at("program")};
}

bool is_target(const Program& program, const tasks::HiddenProgram& target) {
    return score_program(program, target.problem.evaluation, 1, kFreshInstances).accuracy == 1;
}

std::optional<Result> run_once(const Flags& flags, const Job& job,
                               const std::atomic<bool>& interrupt) {
    const tasks::HiddenProgram& target = *job.target;
    LearnSettings settings;
    settings.strategy = job.strategy;
    settings.seed = job.seed;
    settings.time_limit = flags.time_limit;
    settings.restarts = 1'000;
    settings.interrupt = &interrupt;
    const double started = processor_seconds();
    const Report report = learn(target.problem, {}, settings);
    if (interrupt) {
        return std::nullopt;
    }
    Result result;
    result.seconds = processor_seconds() - started;
    result.fits = report.fits;
    result.program = to_text(report.program);
    result.recovered = is_target(report.program, target);
    const int inputs = static_cast<int>(target.problem.inputs().size());
    const double length = program_bits(target.program, inputs);
    result.rival = std::any_of(
        report.alternatives.begin(), report.alternatives.end(), [&](const Alternative& other) {
            return other.fits && program_bits(other.program, inputs) <= length &&
                   !is_target(other.program, target);
        });
    return result;
}

/// Programs of one size or kind, learned in one way.
struct Row {
    Successes recovered;  ///< of the identifiable ones
    Successes all;
    std::vector<double> seconds;

    void add(const Result& result, bool identifiable) {
        all.add(result.recovered);
        if (identifiable) {
            recovered.add(result.recovered);
        }
        seconds.push_back(result.seconds);
    }
};

Json row_json(const std::string& group, Strategy strategy, const Row& row) {
    const Interval interval = row.recovered.interval();
    return {{"task", group},
            {"variant", to_string(strategy)},
            {"programs", row.all.runs},
            {"identifiable", row.recovered.runs},
            {"ours",
             {{"recovered", row.recovered.percent()},
              {"low", interval.low},
              {"high", interval.high},
              {"recovered_of_all", row.all.percent()},
              {"median_s", quantile(row.seconds, 0.5)},
              {"p95_s", quantile(row.seconds, 0.95)}}}};
}

std::vector<std::string> row_cells(const std::string& group, Strategy strategy, const Row& row) {
    const Interval interval = row.recovered.interval();
    return {group,
            to_string(strategy),
            std::to_string(row.all.runs),
            std::to_string(row.recovered.runs),
            fmt::format("{:.1f}", row.recovered.percent()),
            fmt::format("{:.0f}-{:.0f}", interval.low, interval.high),
            fmt::format("{:.0f}", row.all.percent()),
            fmt::format("{:.2f}", quantile(row.seconds, 0.5)),
            fmt::format("{:.2f}", quantile(row.seconds, 0.95))};
}

RunKey key_of(const Flags& flags, const Job& job) {
    return {job.target->problem.name, job.seed,
            fingerprint(fmt::format("{} recovery {} {} {} {} {}", HRI_VERSION, flags.draw,
                                    flags.max_rules, to_string(job.strategy), flags.time_limit,
                                    to_prolog(job.target->program)))};
}

/// The results by size and kind of program and by strategy.
struct Rows {
    std::vector<std::string> groups;
    std::map<std::pair<std::string, Strategy>, Row> rows;
    std::string failures;

    std::string group(const std::string& name) {
        if (std::find(groups.begin(), groups.end(), name) == groups.end())
            groups.push_back(name);
        return name;
    }
};

Rows gathered(const std::vector<Job>& jobs, const std::vector<std::optional<Result>>& results,
              int max_rules) {
    std::map<const tasks::HiddenProgram*, bool> has_rival;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (results[i])
            has_rival[jobs[i].target] |= results[i]->rival;
    const auto of_rules = [](std::size_t k) {
        return fmt::format("{} rule{}", k, k == 1 ? "" : "s");
    };
    Rows all;
    all.group("all");
    for (int k = 1; k <= max_rules; ++k)
        all.group(of_rules(static_cast<std::size_t>(k)));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!results[i])
            continue;
        const tasks::HiddenProgram& target = *jobs[i].target;
        const Result& result = *results[i];
        const bool identifiable = !has_rival[&target];
        for (const std::string& name :
             {all.group("all"), all.group(of_rules(target.program.rules.size())),
              all.group(to_string(target.kind))})
            all.rows[{name, jobs[i].strategy}].add(result, identifiable);
        if (identifiable && !result.recovered)
            all.failures += fmt::format("\n{}, {}, seed {}{}\n{}learned\n{}", target.problem.name,
                                        to_string(jobs[i].strategy), jobs[i].seed,
                                        result.fits ? "" : ", does not fit",
                                        to_text(target.program), result.program);
    }
    return all;
}

int run(const Flags& flags) {
    check_writable(flags.files.json_file);
    tasks::HiddenPrograms hidden(flags.draw, flags.max_rules);
    std::vector<tasks::HiddenProgram> targets;
    for (int i = 0; i < flags.programs; ++i) {
        targets.push_back(hidden.next());
    }
    std::vector<Job> jobs;
    for (const tasks::HiddenProgram& target : targets) {
        for (const Strategy strategy : flags.strategies) {
            for (int i = 0; i < flags.seeds; ++i) {
                jobs.push_back(
                    {&target, strategy, flags.first_seed + static_cast<std::uint64_t>(i)});
            }
        }
    }
    RunStore store(flags.files.state_file, keys_of(Result{}));
    const std::atomic<bool>& interrupt = catch_interrupts();
    const std::vector<std::optional<Result>> results = run_stored<Result>(
        jobs.size(), flags.files.threads, store, interrupt,
        [&](std::size_t i) { return key_of(flags, jobs[i]); },
        [&](std::size_t i) { return run_once(flags, jobs[i], interrupt); });

    Rows all = gathered(jobs, results, flags.max_rules);
    std::vector<std::vector<std::string>> cells = {{"programs", "strategy", "runs", "identifiable",
                                                    "recovered %", "95 %", "of all %", "median s",
                                                    "95 % s"}};
    Json json_rows = Json::array();
    for (const std::string& name : all.groups) {
        for (const Strategy strategy : flags.strategies) {
            const Row& row = all.rows[{name, strategy}];
            cells.push_back(row_cells(name, strategy, row));
            json_rows.push_back(row_json(name, strategy, row));
        }
    }
    fmt::print(
        "{}\nidentifiable: no run met another program that fits the training data and is no longer "
        "than the\ntarget; recovered: of these, equal to the target on {} larger unseen instances; "
        "seconds of one core\n",
        aligned(cells), kFreshInstances);
    if (flags.failures) {
        fmt::print("{}", all.failures);
    }
    write_json(flags.files.json_file, {{"table", "recovery"},
                                       {"version", HRI_VERSION},
                                       {"command", command_line()},
                                       {"programs", flags.programs},
                                       {"max_rules", flags.max_rules},
                                       {"draw", flags.draw},
                                       {"time_limit", flags.time_limit},
                                       {"rows", std::move(json_rows)}});
    return interrupt ? interrupted(flags.files.state_file) : kYes;
}

}  // namespace

Command recovery_table() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::number(own("programs", "The number of programs, of 1, 2, ... rules in turn."),
                     &F::programs, 1, 100'000),
        base::number(own("max_rules", "The most rules of a program."), &F::max_rules, 1, 12),
        base::number(own("draw", "The seed of the programs and their data."), &F::draw, 0),
        base::number(own("seeds", "The runs per program and strategy."), &F::seeds, 1, 1'000'000),
        base::number(own("first_seed", "The first seed."), &F::first_seed, 0),
        base::list(own("strategy", "The strategies of the table; without it all."),
                   &F::strategy_names, {"gradient", "search", "portfolio"}),
        base::number(own("time_limit", "The seconds of a run.", "SECONDS"), &F::time_limit, 0.001),
        base::boolean(own("failures",
                          "Prints identifiable programs that were not recovered, and what was "
                          "learned."),
                      &F::failures)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "recovery",
        .help = "Random programs of the hypothesis space, learned back.",
        .examples =
            "hri reproduce recovery --programs 200 --state recovery.jsonl --json recovery.json\n"
            "hri reproduce recovery --programs 20 --max-rules 3 --strategy search --failures"};
    add_flags(command, *flags, fields);
    flags->files.add_threads_to(command);
    flags->files.add_files_to(command);
    command.run = [flags] {
        for (const std::string& name : flags->strategy_names) {
            LearnSettings settings;
            set_field(settings, "strategy", name);
            flags->strategies.push_back(settings.strategy);
        }
        return run(*flags);
    };
    return command;
}

}  // namespace hri::cli
