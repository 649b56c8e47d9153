// SPDX-License-Identifier: Apache-2.0

#include "comparison.hpp"

#include "hri/plot.hpp"

#include "base/output_files.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

constexpr int kSeedsForIntervals = 20;

struct Flags {
    TableFlags table;
    std::vector<std::string> variants;
    std::string plot_file;
    bool failures = false;
};

/// The result of the runs of one task and variant.
struct Row {
    const Task* task = nullptr;
    const Variant* variant = nullptr;
    std::vector<std::pair<std::string, Successes>> measures;
    double seconds = 0;  // mean

    const Successes& of(const std::string& measure) const {
        return std::find_if(measures.begin(), measures.end(),
                            [&](const auto& entry) { return entry.first == measure; })
            ->second;
    }

    int runs() const { return measures.front().second.runs; }

    Figures paper() const {
        const auto found = variant->paper.find(task->name);
        return found == variant->paper.end() ? Figures{} : found->second;
    }
};

Options options_of(const Task& task, const Variant& variant) {
    Options options = variant.templates.empty() ? paper_options(task) : lri_options(task);
    for (const auto& [name, value] : variant.options) {
        if (value[0] != '+' && value[0] != '-') {
            set_option(options, name, value);
            continue;
        }
        const auto& fields = fields_of<Options>();
        const auto field =
            std::find_if(fields.begin(), fields.end(),
                         [&, wanted = name](const OptionField& f) { return f.name == wanted; });
        field->set(options,
                   std::to_string(std::max(1, std::stoi(field->get(options)) + std::stoi(value))));
    }
    return options;
}

/// Evaluation stays larger than training by as much as the task's own sizes differ.
Sizes sizes_of(const Task& task, const Variant& variant) {
    if (variant.constants == 0) {
        return {};
    }
    return {variant.constants,
            variant.constants + std::max(task.eval_constants - task.train_constants, 0)};
}

std::vector<const Variant*> chosen_variants(const Comparison& table,
                                            const std::vector<std::string>& names) {
    std::vector<const Variant*> chosen;
    std::vector<std::string> known;
    for (const Variant& variant : table.variants) {
        known.push_back(variant.name);
        if (names.empty() || std::find(names.begin(), names.end(), variant.name) != names.end()) {
            chosen.push_back(&variant);
        }
    }
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw Error("the table has no variant '" + name + "'", {},
                        fmt::format("did you mean '{}'? There are: {}", nearest(name, known),
                                    fmt::join(known, ", ")));
        }
    }
    return chosen;
}

bool applies(const Variant& variant, const std::string& task) {
    return variant.tasks.empty() ||
           std::find(variant.tasks.begin(), variant.tasks.end(), task) != variant.tasks.end();
}

Row summed(const Task& task, const Variant& variant, const std::vector<RunJob>& jobs,
           const std::vector<std::optional<RunResult>>& results) {
    Row row;
    row.task = &task;
    row.variant = &variant;
    row.measures = {
        {"train", {}}, {"soft", {}}, {"rounded", {}}, {"symbolic", {}}, {"symbolic_fixpoint", {}}};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i].task != &task || jobs[i].variant != variant.name || !results[i]) {
            continue;
        }
        const RunResult& result = *results[i];
        const bool right[] = {result.train, result.soft, result.rounded, result.symbolic,
                              result.symbolic_fixpoint};
        for (std::size_t m = 0; m < row.measures.size(); ++m) {
            row.measures[m].second.add(right[m]);
        }
        row.seconds += result.seconds;
    }
    row.seconds /= std::max(row.runs(), 1);
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

std::string figure(double value) { return value < 0 ? "-" : fmt::format("{:g}", value); }

/// One line for every task and variant.
void print_lines(const std::vector<Row>& rows) {
    std::vector<std::string> header = {"task"};
    const bool several = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return row.variant != rows.front().variant;
    });
    if (several) {
        header.emplace_back("variant");
    }
    for (const char* name : {"seeds", "train", "soft", "symbolic", "fixpoint", "seconds"}) {
        header.emplace_back(name);
    }
    const Figures names = rows.empty() ? Figures{} : rows.front().paper();
    for (const auto& [name, value] : names) {
        header.push_back((name == names.front().first ? "| paper: " : "") + name);
    }
    std::vector<std::vector<std::string>> cells = {header};
    for (const Row& row : rows) {
        std::vector<std::string>& line = cells.emplace_back();
        line = {row.task->name};
        if (several) {
            line.push_back(row.variant->name);
        }
        line.push_back(std::to_string(row.runs()));
        for (const char* name : {"train", "soft", "symbolic", "symbolic_fixpoint"}) {
            line.push_back(cell(row.of(name)));
        }
        line.push_back(row.runs() == 0 ? "-" : fmt::format("{:.2f}", row.seconds));
        for (const auto& [name, value] : row.paper()) {
            line.push_back((name == names.front().first ? "| " : "") + figure(value));
        }
    }
    fmt::print("{}", aligned(cells));
}

const Row* find_row(const std::vector<Row>& rows, const std::string& task, const Variant* variant) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
        return row.task->name == task && row.variant == variant;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::string cell_with_paper(const Row& row, const std::string& measure, bool with_paper) {
    std::string text = cell(row.of(measure));
    if (with_paper && !row.paper().empty()) {
        text += " (" + figure(row.paper().front().second) + ")";
    }
    return text;
}

bool has_paper(const std::vector<Row>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const Row& row) { return !row.paper().empty(); });
}

std::vector<std::string> tasks_of(const std::vector<Row>& rows) {
    std::vector<std::string> tasks;
    for (const Row& row : rows) {
        if (tasks.empty() || tasks.back() != row.task->name) {
            tasks.push_back(row.task->name);
        }
    }
    return tasks;
}

/// A line for every task, a column for every variant.
void print_matrix(const std::vector<Row>& rows, const std::vector<const Variant*>& variants,
                  const std::string& measure, bool with_paper) {
    std::vector<std::vector<std::string>> cells = {{measure}};
    for (const Variant* variant : variants) {
        cells[0].push_back(variant->name);
    }
    for (const std::string& task : tasks_of(rows)) {
        std::vector<std::string>& line = cells.emplace_back();
        line = {task};
        for (const Variant* variant : variants) {
            const Row* row = find_row(rows, task, variant);
            line.push_back(row == nullptr ? "" : cell_with_paper(*row, measure, with_paper));
        }
    }
    fmt::print("{}\n", aligned(cells));
}

HeatMap heat_map(const Comparison& table, const std::vector<Row>& rows,
                 const std::vector<const Variant*>& variants) {
    HeatMap map;
    map.rows = tasks_of(rows);
    const bool by_measure = table.measures.empty() && variants.size() == 1;
    const std::string measure = table.measures.empty() ? "soft" : table.measures.front();
    map.title = fmt::format("hri reproduce {}: percent of runs that succeed{}{}", table.name,
                            by_measure ? "" : " (" + measure + ")",
                            has_paper(rows) ? ", the paper's in brackets" : "");
    if (by_measure) {
        map.columns = {"train", "soft", "symbolic", "symbolic_fixpoint"};
    } else {
        for (const Variant* variant : variants) {
            map.columns.push_back(variant->name);
        }
    }
    for (const std::string& task : map.rows) {
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            const Row* row = find_row(rows, task, variants[by_measure ? 0 : c]);
            HeatMap::Cell& one = map.cells.emplace_back();
            if (row == nullptr || row->runs() == 0) {
                continue;
            }
            const std::string& what = by_measure ? map.columns[c] : measure;
            one.value = row->of(what).percent() / 100;
            one.text = fmt::format("{:.0f}", row->of(what).percent());
            const Figures paper = row->paper();
            for (const auto& [name, value] : paper) {
                if (value >= 0 && name == (by_measure ? what : paper.front().first)) {
                    one.text += fmt::format(" ({:g})", value);
                }
            }
        }
    }
    return map;
}

Json row_json(const Row& row) {
    Json ours;
    Json intervals;
    for (const auto& [name, successes] : row.measures) {
        ours[name] = successes.runs == 0 ? Json(nullptr) : Json(successes.percent());
        const Interval interval = successes.interval();
        intervals[name] = Json::array({interval.low, interval.high});
    }
    ours["seconds"] = row.runs() == 0 ? Json(nullptr) : Json(row.seconds);
    Json paper = Json::object();
    for (const auto& [name, value] : row.paper()) {
        paper[name] = value < 0 ? Json(nullptr) : Json(value);
    }
    Json json = {{"task", row.task->name},
                 {"variant", row.variant->name},
                 {"seeds", row.runs()},
                 {"ours", std::move(ours)},
                 {"paper", std::move(paper)}};
    if (row.runs() >= kSeedsForIntervals) {
        json["intervals"] = std::move(intervals);
    }
    return json;
}

void print_failures(const std::vector<RunJob>& jobs,
                    const std::vector<std::optional<RunResult>>& results) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (results[i] && !results[i]->symbolic) {
            fmt::print("\n{}, {}, seed {}: train mse {:.2g}, soft mse {:.2g}{}\n{}",
                       jobs[i].task->name, jobs[i].variant, jobs[i].seed, results[i]->train_mse,
                       results[i]->soft_mse,
                       results[i]->symbolic_fixpoint ? ", right at the fixpoint" : "",
                       results[i]->program);
        }
    }
}

int run(const Comparison& table, const Flags& flags) {
    check_writable(flags.table.run.json_file);
    check_writable(flags.plot_file);
    const std::vector<const Variant*> variants = chosen_variants(table, flags.variants);
    const std::vector<std::string>& tasks =
        flags.table.tasks.empty() ? table.tasks : flags.table.tasks;
    std::vector<RunJob> jobs;
    for (const std::string& name : tasks) {
        const Task& task = find_task(name);
        for (const Variant* variant : variants) {
            if (!applies(*variant, name)) {
                continue;
            }
            RunJob job;
            job.task = &task;
            job.variant = variant->name;
            job.options = flags.table.options.apply(options_of(task, *variant));
            job.sizes = sizes_of(task, *variant);
            job.templates = variant->templates;
            for (int i = 0; i < flags.table.seeds; ++i) {
                job.seed = flags.table.first_seed + static_cast<std::uint64_t>(i);
                jobs.push_back(job);
            }
        }
    }
    RunStore store(flags.table.run.state_file, keys_of(RunResult{}));
    const std::atomic<bool>& interrupt = catch_interrupts();
    const std::vector<std::optional<RunResult>> results =
        run_all(jobs, flags.table.run.threads, store, interrupt, flags.table.run.device);

    std::vector<Row> rows;
    Json json_rows = Json::array();
    double seconds = 0;
    int runs = 0;
    for (const std::string& name : tasks) {
        for (const Variant* variant : variants) {
            if (applies(*variant, name)) {
                rows.push_back(summed(find_task(name), *variant, jobs, results));
                json_rows.push_back(row_json(rows.back()));
                seconds += rows.back().seconds * rows.back().runs();
                runs += rows.back().runs();
            }
        }
    }
    if (table.measures.empty()) {
        print_lines(rows);
        fmt::print("\n");
    }
    for (const std::string& measure : table.measures) {
        print_matrix(rows, variants, measure, measure == table.measures.front());
    }
    const bool intervals = std::any_of(
        rows.begin(), rows.end(), [](const Row& row) { return row.runs() >= kSeedsForIntervals; });
    const bool with_paper = has_paper(rows);
    fmt::print("percent of runs{}{}; {} of {} runs, {} of processor time in training\n",
               intervals ? " with 95 % intervals" : "",
               table.measures.empty() ? "; seconds: mean processor time of training a run"
               : with_paper           ? ", the paper's in brackets"
                                      : "",
               grouped(runs), grouped(static_cast<std::int64_t>(jobs.size())), duration(seconds));
    if (flags.failures) {
        print_failures(jobs, results);
    }
    Json json = {{"table", table.name},
                 {"version", HRI_VERSION},
                 {"command", command_line()},
                 {"rows", std::move(json_rows)}};
    if (table.more && !interrupt) {
        table.more(json);
    }
    write_json(flags.table.run.json_file, json);
    if (!flags.plot_file.empty()) {
        write_output(flags.plot_file, base::head_of_file(base::Language::svg) +
                                          to_svg(heat_map(table, rows, variants)));
    }
    return interrupt ? interrupted(flags.table.run.state_file) : kYes;
}

}  // namespace

Command comparison_command(const Comparison& table) {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::list(own("variants", "The columns of the table; without it all."), &F::variants),
        base::text(own("plot", "Draws the table.", "FILE.svg"), &F::plot_file),
        base::boolean(own("failures", "Prints the programs of the seeds that failed."),
                      &F::failures)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = table.name,
        .help = table.title,
        .details = table.footer + (table.footer.empty() ? "" : "\n") +
                   "train: the last training instance, soft, noise on; soft and symbolic: 10 fresh "
                   "instances of\nthe evaluation size at the paper's number of steps; "
                   "symbolic_fixpoint: the same program at its\nfixpoint. Success: a mean square "
                   "error below 1e-4 on each instance; rounded: soft, every atom\nright after "
                   "rounding.",
        .examples =
            fmt::format("hri reproduce {0} --seeds 10 --json {0}.json --plot {0}.svg\n"
                        "hri reproduce {0} --tasks {1} --seeds 50 --failures --state runs.jsonl",
                        table.name, table.tasks.front())};
    add_flags(command, *flags, fields,
              table.variants.size() > 1 ? std::vector<std::string>{}
                                        : std::vector<std::string>{"plot", "failures"});
    flags->table.run.add_threads_to(command);
    flags->table.run.add_device_to(command);
    flags->table.add_to(command);
    command.run = [flags, table] { return run(table, *flags); };
    return command;
}

}  // namespace hri::cli
