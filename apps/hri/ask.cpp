// SPDX-License-Identifier: Apache-2.0

// hri ask TASK: which unlabelled atoms would tell apart the programs that fit.

#include "hri/learn.hpp"

#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "progress.hpp"

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
    const TaskArgument argument =
        load_task(flags.task, {}, flags.reading.options(), flags.reading.tables());
    const Problem& problem = argument.problem;
    if (problem.target().arity > 2) {
        throw Error(
            fmt::format("{}/{} has {} arguments: questions are asked of targets with at "
                        "most two",
                        problem.target().name, problem.target().arity, problem.target().arity),
            {}, "hri why-not says what a rule of yours would cover");
    }
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
        fmt::print("{}?   {} {} yes, {} no\n", atom, counted(question.says_yes, "program"),
                   question.says_yes == 1 ? "says" : "say", question.says_no);
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

Command ask_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::number(own("count", "The largest number of questions."), &F::count, 1),
        base::text(own("json", "Writes the questions as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    flags->settings.threads = all_cores();
    Command command{.name = "ask",
                    .help = "Proposes the next examples to label.",
                    .details =
                        "It learns, then lists the unlabelled atoms on which the programs "
                        "that fit disagree most.",
                    .examples = "hri ask family/ --count 3"};
    add_flags(command, *flags, fields);
    make_argument(command, "task");
    add_flags(command, flags->settings, fields_of<LearnSettings>(), {"seed", "time_limit"});
    flags->reading.add_to(command);
    flags->options.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
