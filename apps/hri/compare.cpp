// SPDX-License-Identifier: Apache-2.0

// hri compare TASK: strategies and seeds beside each other, on one's own data.

#include "hri/fields.hpp"
#include "hri/folds.hpp"
#include "hri/learn.hpp"
#include "hri/paper_options.hpp"

#include "base/utf8.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "learn/report_json.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string task;
    std::string strategies = "portfolio,clauses,search,gradient";
    int seeds = 1;
    double hold_out = 0;
    LearnSettings settings;
    std::string json_file;
    ReadFlags reading;
    OptionFlags options;
};

struct Run {
    Report report;
    double first_fit = -1;  // seconds; negative: no program was without errors
};

std::vector<Strategy> strategies_of(const std::string& names) {
    std::vector<Strategy> strategies;
    const std::vector<std::string> known = {"portfolio", "clauses", "search", "gradient"};
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        bool found = false;
        for (const Strategy one :
             {Strategy::portfolio, Strategy::clauses, Strategy::search, Strategy::gradient}) {
            if (to_string(one) == name) {
                strategies.push_back(one);
                found = true;
            }
        }
        if (!found) {
            throw Error(fmt::format("strategies: there is no strategy '{}'", name), {},
                        fmt::format("did you mean {}?", nearest(name, known)));
        }
        begin = end + 1;
    }
    return strategies;
}

Run run_once(const Flags& flags, const TaskArgument& argument, const LearnSettings& given) {
    using Clock = std::chrono::steady_clock;
    const bool as_in_paper = argument.task != nullptr && given.strategy == Strategy::gradient;
    const Options options =
        flags.options.apply(as_in_paper ? paper_options(*argument.task) : Options{});
    Run run;
    ProgressBar bar;
    LearnSettings settings = given;
    const Clock::time_point begin = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    settings.progress = [&](const LearnProgress& now) {
        if (run.first_fit < 0 && (now.fits > 0 || now.errors == 0)) {
            run.first_fit = seconds();
        }
        bar.show(now.fraction,
                 fmt::format("{}, seed {}", to_string(settings.strategy), settings.seed));
    };
    run.report = learn(argument.problem, options, settings);
    bar.clear();
    if (!run.report.fits) {
        run.first_fit = -1;
    } else if (run.first_fit < 0) {
        run.first_fit = seconds();
    }
    return run;
}

/// By one measure for all strategies.
double bits_of(const Report& report, const Problem& problem) {
    return program_bits(report.program, static_cast<int>(problem.inputs().size())) +
           error_bits(report.training);
}

std::vector<std::string> row_of(const Run& run, const Problem& problem, bool judged) {
    const Report& report = run.report;
    std::vector<std::string> row = {
        to_string(report.strategy), std::to_string(report.seed),
        grouped(report.training.false_positives + report.training.false_negatives),
        fmt::format("{:.2f} %", 100 * report.training.accuracy)};
    if (judged) {
        row.push_back(report.evaluation ? fmt::format("{:.2f} %", 100 * report.evaluation->accuracy)
                                        : "-");
    }
    row.insert(row.end(), {std::to_string(hri::size(report.program)),
                           fmt::format("{:.0f}", bits_of(report, problem)),
                           run.first_fit < 0 ? "-" : duration(run.first_fit),
                           duration(report.seconds), grouped(report.trials)});
    return row;
}

/// Each program once, with the runs that found it.
void print_programs(const std::vector<Run>& runs) {
    std::vector<std::pair<std::string, std::string>> programs;
    for (const Run& run : runs) {
        const std::string text = to_text(run.report.program);
        const std::string who =
            fmt::format("{} {}", to_string(run.report.strategy), run.report.seed);
        bool known = false;
        for (auto& [program, found_by] : programs) {
            if (program == text) {
                found_by += ", " + who;
                known = true;
            }
        }
        if (!known) {
            programs.emplace_back(text, who);
        }
    }
    for (const auto& [program, found_by] : programs) {
        fmt::print("\n{}:\n{}", found_by, program);
    }
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const std::vector<Strategy> strategies = strategies_of(flags.strategies);
    TaskArgument argument =
        load_task(flags.task, {}, flags.reading.options(), flags.reading.tables());
    if (flags.hold_out > 0) {
        argument.problem = held_out(argument.problem, flags.hold_out / 100, flags.settings.seed);
    }
    LearnSettings settings = flags.settings;
    settings.interrupt = &catch_interrupts();
    const std::size_t count = strategies.size() * static_cast<std::size_t>(flags.seeds);
    if (settings.time_limit > 0) {
        fmt::print(stderr, "hri: note: {}, each up to {}: {} at most\n",
                   counted(static_cast<std::int64_t>(count), "run"), duration(settings.time_limit),
                   duration(static_cast<double>(count) * settings.time_limit));
    }
    std::vector<Run> runs;
    for (const Strategy strategy : strategies) {
        for (int i = 0; i < flags.seeds && !settings.interrupt->load(); ++i) {
            settings.strategy = strategy;
            settings.seed = flags.settings.seed + static_cast<std::uint64_t>(i);
            runs.push_back(run_once(flags, argument, settings));
        }
    }
    const bool judged = !argument.problem.evaluation.empty() || flags.hold_out > 0;
    std::vector<std::vector<std::string>> rows = {{"strategy", "seed", "errors", "training"}};
    if (judged) {
        rows[0].emplace_back(flags.hold_out > 0 ? "held out" : "unseen");
    }
    rows[0].insert(rows[0].end(), {"atoms", "bits", "first fit", "in all", "programs"});
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"task", argument.problem.name},
                 {"runs", Json::array()}};
    bool fits = false;
    for (const Run& one : runs) {
        rows.push_back(row_of(one, argument.problem, judged));
        Json report = learning::report_json(one.report);
        report["bits"] = bits_of(one.report, argument.problem);
        report["first_fit"] = one.first_fit < 0 ? Json() : Json(one.first_fit);
        json["runs"].push_back(std::move(report));
        fits = fits || one.report.fits;
    }
    fmt::print("{}", aligned(rows));
    print_programs(runs);
    write_json(flags.json_file, json);
    return fits ? kYes : kNo;
}

}  // namespace

Command compare_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::text(own("strategies", "The strategies to compare.", "A,B"), &F::strategies),
        base::number(own("seeds", "The number of runs of each, from --seed on."), &F::seeds, 1,
                     1000),
        base::number(
            own("hold_out", "Percent of the examples that are not learned from, but judged by.",
                "PERCENT"),
            &F::hold_out, 0, 99),
        base::text(own("json", "Writes the reports of all runs as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    flags->settings.threads = all_cores();
    Command command{.name = "compare",
                    .help = "Learns by several strategies and seeds, one after the other.",
                    .details =
                        "It prints a row for each run: errors in training, atoms and bits of the\n"
                        "program, seconds to the first program without errors and in all. Exit "
                        "code 0: some\nprogram explains the training data; 1: none does.",
                    .examples =
                        "hri compare family/ --seeds 3\n"
                        "hri compare data/ --strategies clauses,gradient --hold-out 20"};
    add_flags(command, *flags, fields);
    make_argument(command, "task");
    add_flags(command, flags->settings, fields_of<LearnSettings>(),
              {"seed", "time_limit", "threads", "max_work", "stop"});
    flags->reading.add_to(command);
    flags->options.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
