// SPDX-License-Identifier: Apache-2.0

// hri ask TASK: which unlabelled atoms would tell apart the programs that fit.

#include "hri/learn.hpp"

#include "command.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "runs.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string task;
    int count = 5;
    LearnSettings settings;
    std::string json_file;
    ReadFlags reading;
    OptionFlags options;
};

std::string atom_text(const Problem& problem, const Instance& instance, int atom) {
    const PredicateSymbol& target = problem.target();
    if (target.arity == 0) {
        return target.name;
    }
    if (target.arity == 1) {
        return fmt::format("{}({})", target.name, instance.name_of(atom));
    }
    return fmt::format("{}({},{})", target.name, instance.name_of(atom / instance.constants),
                       instance.name_of(atom % instance.constants));
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const TaskArgument argument = load_task(flags.task, {}, flags.reading.options());
    const Problem& problem = argument.problem;
    ProgressBar bar;
    LearnSettings settings = flags.settings;
    settings.interrupt = &catch_interrupts();
    settings.progress = [&bar](const LearnProgress& now) {
        bar.show(now.fraction,
                 fmt::format("{}, {} fit", counted(now.restarts, "restart"), now.fits));
    };
    const Report report = learn(problem, flags.options.apply({}), settings);
    bar.clear();
    const std::vector<Question> asked = questions(problem, report.alternatives, flags.count);

    Json json = Json::array();
    for (const Question& question : asked) {
        const Instance& instance =
            problem.training.instances[static_cast<std::size_t>(question.instance)];
        const std::string atom = atom_text(problem, instance, question.atom);
        json.push_back({{"instance", question.instance},
                        {"atom", atom},
                        {"yes", question.says_yes},
                        {"no", question.says_no}});
        fmt::print("{}?   {} say yes, {} no\n", atom, counted(question.says_yes, "program"),
                   question.says_no);
    }
    if (report.different == 0) {
        fmt::print("No program that fits was found, so there is nothing to tell apart.\n");
    } else if (asked.empty()) {
        fmt::print("{} fitted; no unlabelled atom of the data tells them apart.\n",
                   counted(report.different, "program"));
    }
    write_json(flags.json_file, {{"version", HRI_VERSION},
                                 {"command", command_line()},
                                 {"task", problem.name},
                                 {"different", report.different},
                                 {"questions", std::move(json)}});
    return report.different == 0 ? kNo : kYes;
}

}  // namespace

void add_ask(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    flags->settings.threads = all_cores();
    CLI::App* command = app.add_subcommand("ask", "Propose the next examples to label");
    command->option_defaults()->take_last();
    command->footer(
        "Learns, then lists the unlabelled atoms on which the programs that fit disagree most.\n\n"
        "Example:\n  hri ask family/ --count 3");
    command->add_option("task", flags->task, "a folder with bk.pl and exs.pl, or a built-in task")
        ->required()
        ->option_text("TASK");
    command->add_option("--count", flags->count, "questions at most")
        ->check(CLI::PositiveNumber)
        ->option_text("[5]");
    command->add_option("--seed", flags->settings.seed, "of all random numbers")
        ->option_text("[0]");
    command->add_option("--time-limit", flags->settings.time_limit, "seconds; 0: none")
        ->check(CLI::NonNegativeNumber)
        ->option_text("[60]");
    command->add_option("--json", flags->json_file, "the questions")->option_text("FILE");
    flags->reading.add_to(*command);
    flags->options.add_to(*command);
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
