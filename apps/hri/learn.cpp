// SPDX-License-Identifier: Apache-2.0

// hri learn TASK: facts and examples in, rules out.

#include "hri/learn.hpp"

#include "hri/folds.hpp"
#include "hri/library.hpp"

#include "base/mpi.hpp"
#include "base/utf8.hpp"
#include "commands.hpp"
#include "folds_text.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "learn/checkpoint.hpp"
#include "learn_flags.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report_text.hpp"
#include "sizes.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

/// The targets to learn: one, or all of the data where none is named.
std::vector<TaskArgument> load_all(const LearnFlags& flags) {
    Sizes sizes;
    if (flags.constants > 0) {
        const Task* task = built_in_task(flags.task);
        sizes = task != nullptr ? sizes_of(*task, flags.constants) : Sizes{flags.constants, 0};
    }
    const bool of_one = !flags.model_file.empty() || !flags.log_file.empty() ||
                        !flags.checkpoint_file.empty();  // such a file is of one target
    std::vector<TaskArgument> all;
    if (of_one) {
        all.push_back(
            load_task(flags.task, sizes, flags.reading.options(), flags.reading.tables()));
    } else {
        all = load_tasks(flags.task, sizes, flags.reading.options(), {}, flags.reading.tables());
    }
    for (const TaskArgument& argument : all) {
        const std::vector<Instance>& instances = argument.problem.training.instances;
        if (argument.problem.training.fixed() &&
            std::all_of(instances.begin(), instances.end(), [](const Instance& instance) {
                return instance.count(Label::positive) + instance.count(Label::negative) == 0;
            })) {
            throw Error(
                fmt::format("there are no examples of {}/{} to learn from",
                            argument.problem.target().name, argument.problem.target().arity),
                {flags.task}, "give positive and negative ones");
        }
    }
    return all;
}

Json log_json(const Report& report) {
    return {{"version", HRI_VERSION},
            {"command", command_line()},
            {"task", report.problem},
            {"seed", report.seed},
            {"model", report.lri ? "lri" : "hri"},
            {"iterations", report.model.options.iterations},
            {"fits", report.fits},
            {"curve", learning::curve_json(report.curve)}};
}

/// Writes every few seconds what it is given.
class CheckpointFile {
  public:
    CheckpointFile(std::string path, double seconds) : path_(std::move(path)), every_(seconds) {}

    void keep(const std::string& text) {
        latest_ = text;
        if (std::chrono::steady_clock::now() - written_ >= every_) {
            write();
        }
    }

    /// A disk that is full for a moment ends no run.
    void write() {
        try {
            if (!latest_.empty()) {
                write_output(path_, latest_);
            }
        } catch (const Error& error) {
            fmt::print(stderr, "hri: warning: no checkpoint was written: {}\n", error.what());
        }
        latest_.clear();
        written_ = std::chrono::steady_clock::now();
    }

  private:
    std::string path_;
    std::chrono::duration<double> every_;
    std::string latest_;
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// The settings of a run with LRI instead of the hierarchy.
LearnSettings with_lri(LearnSettings settings, const LearnFlags& flags,
                       const TaskArgument& argument) {
    if (!flags.model_file.empty()) {
        throw Error("--out keeps models of the hierarchy, LRI's has no file", {},
                    "--program keeps what it learned");
    }
    if (!flags.checkpoint_file.empty()) {
        throw Error("LRI's runs are too short for --checkpoint", {}, "leave it out");
    }
    const std::string templates = !flags.templates.empty()   ? flags.templates
                                  : argument.task != nullptr ? "task"
                                                             : "rlri";
    settings.lri =
        argument.task != nullptr ? lri_task(*argument.task, templates) : lri_task(templates);
    return settings;
}

/// Learns. An error in the checkpoint names its file.
Report learn_from(const LearnFlags& flags, const Problem& problem, const Options& options,
                  const LearnSettings& settings) {
    try {
        return learn(problem, options, settings);
    } catch (const Error& error) {
        if (error.place().file != learning::kCheckpointPlace) {
            throw;
        }
        throw Error(error.message(),
                    {flags.checkpoint_file, error.place().line, error.place().column},
                    error.hint());
    }
}

/// Nothing where it was interrupted before there was a program.
std::optional<TargetReport> learn_one(const LearnFlags& flags, TaskArgument argument) {
    const bool lri = flags.model == "lri";
    if (flags.sample > 0) {
        argument.problem = sampled(std::move(argument.problem), flags.sample, flags.settings.seed);
        fmt::print(stderr, "hri: note: {}\n", argument.problem.notes.back());
    }
    const Program library =
        flags.library_file.empty() ? Program{} : load_learned(flags.library_file).program;
    if (!flags.library_file.empty()) {
        const std::size_t before = argument.problem.notes.size();
        argument.problem = with_library(argument.problem, library);
        for (std::size_t i = before; i < argument.problem.notes.size(); ++i) {
            fmt::print(stderr, "hri: note: {}\n", argument.problem.notes[i]);
        }
    }
    if (flags.hold_out > 0) {
        argument.problem = held_out(argument.problem, flags.hold_out / 100, flags.settings.seed);
    }
    // The paper's method has the paper's settings for each task; the others find theirs.
    const bool as_in_paper =
        argument.task != nullptr && flags.settings.strategy == Strategy::gradient;
    const Options options = flags.options.apply(!as_in_paper ? Options{}
                                                : lri        ? lri_options(*argument.task)
                                                             : paper_options(*argument.task));
    ProgressBar bar;
    LearnSettings settings = lri ? with_lri(flags.settings, flags, argument) : flags.settings;
    settings.interrupt = &catch_interrupts();
    if (!flags.log_file.empty() && settings.log_every == 0) {
        settings.log_every = std::max(options.iterations / 200, 1);
    }
    settings.progress = [&bar](const LearnProgress& now) {
        bar.show(now.fraction, progress_line(now));
    };
    // A model file and a checkpoint are of a hierarchy, which clauses do not have.
    if (!flags.strategy_given && !argument.problem.training.empty() &&
        !(flags.model_file.empty() && flags.checkpoint_file.empty())) {
        argument.problem.database.reset();
    }
    const Problem& problem = argument.problem;
    std::vector<Report> folds;
    if (flags.folds > 0) {
        if (settings.time_limit > 0) {
            fmt::print(stderr, "hri: note: {} folds and then all data, each up to {}: {} at most\n",
                       flags.folds, duration(settings.time_limit),
                       duration((flags.folds + 1) * settings.time_limit));
        }
        folds = cross_validate(problem, options, settings, flags.folds,
                               [&](int i, const LearnProgress& now) {
                                   bar.show((i + now.fraction) / (flags.folds + 1),
                                            fmt::format("fold {} of {}, {}", i + 1, flags.folds,
                                                        counted(now.restarts, "restart")));
                               })
                    .folds;
        bar.clear();
        fmt::print("{}\n", folds_text(folds, problem));
        if (settings.interrupt->load()) {
            return std::nullopt;
        }
    }
    // of the run over all data; folds are done again
    CheckpointFile checkpoint(flags.checkpoint_file, flags.checkpoint_seconds);
    if (flags.resume) {
        settings.resume = read_file(flags.checkpoint_file);
    }
    if (!flags.checkpoint_file.empty()) {
        settings.checkpoint = [&checkpoint](const std::string& text) { checkpoint.keep(text); };
    }
    Report report = learn_from(flags, problem, options, settings);
    bar.clear();
    if (!flags.library_file.empty()) {
        report.program = with_library_rules(report.program, library);
    }
    if (base::Communicator::all().is_first()) {
        checkpoint.write();
    }
    settings.progress = {};
    settings.checkpoint = {};
    return TargetReport{std::move(argument.problem), std::move(settings), std::move(folds),
                        std::move(report)};
}

/// Writes the files. A file that cannot be written does not stop the others.
void write_files(const LearnFlags& flags, const std::vector<TargetReport>& reports) {
    Attempts writing;
    if (!flags.model_file.empty()) {
        const Report& report = reports.front().report;
        writing.attempt([&] {
            if (report.model.protorules.empty()) {
                throw Error("clauses were learned, and --out keeps models of the hierarchy", {},
                            "use --program, or {strategy=search}");
            }
            save_model(flags.model_file, report.model);
        });
        if (!report.model.protorules.empty() &&
            to_text(report.raw) != to_text(extract(report.model))) {
            fmt::print(stderr,
                       "hri: note: rules were learned one by one; the model holds the best "
                       "program of a hierarchy instead\n");
        }
    }
    writing.attempt([&] { write_json(flags.log_file, log_json(reports.front().report)); });
    writing.attempt([&] { write_output(flags.program_file, program_text(reports)); });
    Json json = Json::array();
    for (const TargetReport& learned : reports) {
        json.push_back(with_folds(learning::report_json(learned.report), learned.folds));
    }
    writing.attempt([&] {
        write_json(flags.json_file,
                   reports.size() > 1 ? Json{{"targets", std::move(json)}} : json[0]);
    });
    writing.finish();
}

/// Writes the files and returns the exit code.
int finished(const LearnFlags& flags, const std::vector<TargetReport>& reports) {
    std::fflush(stdout);
    write_files(flags, reports);
    return std::all_of(reports.begin(), reports.end(),
                       [](const TargetReport& learned) { return learned.report.fits; })
               ? kYes
               : kNo;
}

/// Throws Error for flags that do not go together, and fills in what the others imply.
void check(LearnFlags& flags) {
    const base::Communicator& ranks = base::Communicator::all();
    if (ranks.size() > 1 && flags.settings.strategy != Strategy::gradient) {
        throw Error("mpirun splits the restarts of training, and a portfolio runs on one process",
                    {}, "use {strategy=gradient}, or run it without mpirun");
    }
    if (ranks.size() > 1 && !flags.checkpoint_file.empty()) {
        throw Error("--checkpoint keeps the restarts of one process", {},
                    "leave it out, or run it without mpirun");
    }
    flags.settings.split = true;
    if (flags.folds > 0 && flags.hold_out > 0) {
        throw Error("hold_out: folds hold out examples by themselves", {},
                    "use one of {hold_out} and {folds}");
    }
    const bool lri = flags.model == "lri";
    if (!lri && !flags.templates.empty()) {
        throw Error("--templates is for --model lri", {}, "the hierarchy's are --rules");
    }
    if (lri && flags.strategy_given && flags.settings.strategy != Strategy::gradient) {
        throw Error("LRI is trained by gradient descent alone", {}, "use {strategy=gradient}");
    }
    if (lri) {
        flags.settings.strategy = Strategy::gradient;
    }
    if (!flags.log_file.empty() && flags.settings.strategy != Strategy::gradient) {
        throw Error("--log keeps the curve of one training run, of which a portfolio has many", {},
                    "use {strategy=gradient}");
    }
}

int run(LearnFlags& flags) {
    if (flags.graph.given() &&
        (holds_scenes(flags.task) ||
         (flags.settings.strategy == Strategy::gradient && looks_like_graph(flags.task)))) {
        return learn_targets_together(flags);
    }
    if (flags.graph.given() && holds_examples(flags.task)) {
        const std::vector<TargetReport> reports = learn_jointly(flags);
        for (const TargetReport& learned : reports) {
            fmt::print("{}/{}:\n{}", base::printable(learned.problem.target().name),
                       learned.problem.target().arity, report_text(learned));
        }
        return finished(flags, reports);
    }
    if (flags.resume && flags.checkpoint_file.empty()) {
        throw Error("--resume goes on from a checkpoint, and none is named", {},
                    "add --checkpoint FILE");
    }
    if (flags.graph.given()) {
        return learn_graph(
            flags.graph, flags.settings,
            {flags.task, flags.program_file, flags.json_file, flags.checkpoint_file, flags.resume});
    }
    check(flags);
    const base::Communicator& ranks = base::Communicator::all();
    std::vector<TaskArgument> arguments = load_all(flags);
    for (const std::string& file : {flags.model_file, flags.program_file, flags.json_file,
                                    flags.log_file, flags.checkpoint_file}) {
        check_writable(file);
    }
    const bool many = arguments.size() > 1;
    std::vector<TargetReport> reports;
    for (TaskArgument& argument : arguments) {
        if (many && ranks.is_first()) {
            fmt::print("{}/{}:\n", base::printable(argument.problem.target().name),
                       argument.problem.target().arity);
        }
        std::optional<TargetReport> learned = learn_one(flags, std::move(argument));
        if (!learned) {
            return kNo;
        }
        if (!ranks.is_first()) {
            continue;
        }
        fmt::print("{}", report_text(*learned));
        if (flags.evidence) {
            fmt::print("{}", evidence_text(learned->report));
        }
        reports.push_back(std::move(*learned));
        if (catch_interrupts()) {
            break;
        }
    }
    if (!ranks.is_first()) {
        return kYes;
    }
    return finished(flags, reports);
}

}  // namespace

Command learn_command() {
    auto flags = std::make_shared<LearnFlags>();
    Command command{
        .name = "learn",
        .help = "Learns a program from facts and examples.",
        .details = "Exit code 0: the program explains the training data; 1: it does not.",
        .examples =
            "hri learn grandparent\n"
            "hri learn family/ --program program.pl --json report.json\n"
            "hri learn trains/ --folds 5                      # how well it does on unseen "
            "examples\n"
            "hri learn leaf --negation                        # leaf(X) <- \\+ aux1(X)\n"
            "hri learn length --max-work 20000000 --seed 7    # repeatable on any machine\n"
            "hri learn from-start --rules 'R*; S: H(X) <- ~P(start,X)'\n"
            "hri learn images.scenes --targets all --folds 10   # rules with confidences for "
            "names\n"
            "hri learn wn18rr/ --targets all --program rules.pl  # a knowledge graph, for hri "
            "rank\n"
            "hri learn even-odd --strategy gradient --iterations 30000 --restarts 20"};
    add_flags(command, *flags, learn_fields());
    make_argument(command, "task");
    add_flags(command, flags->settings, fields_of<LearnSettings>());
    make_threads(command, flags->settings.threads);
    Flag& strategy = command.flag("strategy");
    strategy.set = [flags, set = strategy.set](const std::string& name) {
        set(name);
        flags->strategy_given = true;
    };
    Flag& time_limit = command.flag("time_limit");
    time_limit.set = [flags, set = time_limit.set](const std::string& seconds) {
        set(seconds);
        flags->time_limit_given = true;
    };
    flags->reading.add_to(command);
    const std::size_t first = command.flags.size();
    flags->many.add_to(command);
    for (std::size_t i = first; i < command.flags.size(); ++i) {
        command.flags[i].field.common = false;  // few users train many targets
    }
    flags->options.add_to(command);
    flags->graph.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
