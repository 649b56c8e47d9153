// SPDX-License-Identifier: Apache-2.0

// hri why-not RULE TASK: what a proposed rule covers, and why the learner did not take it.

#include "hri/why_not.hpp"

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
    std::string rule;
    std::string task;
    std::string program_file;
    LearnSettings settings;
    std::string json_file;
    ReadFlags reading;
    OptionFlags options;
};

Json figures_json(const ProgramFigures& figures) {
    const Score& score = figures.score;
    return {{"accuracy", score.accuracy},
            {"positives", score.positives},
            {"negatives", score.negatives},
            {"false_positives", score.false_positives},
            {"false_negatives", score.false_negatives},
            {"bits", figures.bits}};
}

Json answer_json(const WhyNot& answer, const Program& learned) {
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"rule", to_text(answer.program)},
                 {"program", to_text(learned)},
                 {"score", figures_json(answer.rule)},
                 {"learned", figures_json(*answer.learned)},
                 {"together", figures_json(*answer.together)},
                 {"missed", answer.missed},
                 {"wrong", answer.wrong},
                 {"reasons", answer.reasons}};
    json["unknown"] = Json::array();
    for (const MissingPredicate& missing : answer.unknown) {
        json["unknown"].push_back({{"name", missing.name}, {"nearest", missing.nearest}});
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    ReadOptions reading = flags.reading.options();
    std::optional<Program> given;
    if (!flags.program_file.empty()) {
        given = load_learned(flags.program_file).program;
    }
    const TaskArgument argument = load_task(flags.task, {}, reading, flags.reading.tables());
    const Problem& problem = argument.problem;
    why_not(flags.rule, problem);  // a mistake in the rule is reported before anything is learned
    Program learned;
    if (given) {
        learned = *given;
    } else {
        ProgressBar bar;
        LearnSettings settings = flags.settings;
        settings.interrupt = &catch_interrupts();
        settings.progress = [&bar](const LearnProgress& now) {
            bar.show(now.fraction, counted(now.restarts, "restart"));
        };
        learned = learn(problem, flags.options.apply({}), settings).program;
        bar.clear();
    }
    const WhyNot answer = why_not(flags.rule, problem, &learned, flags.settings.threads);
    fmt::print("{}{}:\n{}", to_text(answer), given ? "the given program" : "the learned program",
               to_text(learned));
    write_json(flags.json_file, answer_json(answer, learned));
    const auto errors = [](const ProgramFigures& figures) {
        return figures.score.false_positives + figures.score.false_negatives;
    };
    const auto serves = [&](const ProgramFigures& figures) {
        return figures.bits < answer.learned->bits || errors(figures) < errors(*answer.learned);
    };
    const bool alone =
        errors(answer.rule) <= errors(*answer.learned) && answer.rule.bits <= answer.learned->bits;
    return alone ||
                   (errors(*answer.together) <= errors(*answer.learned) && serves(*answer.together))
               ? kYes
               : kNo;
}

}  // namespace

Command why_not_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("rule", "The rule, such as 'uncle(X,Y) :- brother(X,Z), parent(Z,Y)'.", "RULE"),
            &F::rule),
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::text(own("program", "Compares with this program instead of learning one.", "FILE"),
                   &F::program_file),
        base::text(own("json", "Writes the answer as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    flags->settings.threads = all_cores();
    Command command{.name = "why-not",
                    .help = "Says why the learner did not take a rule.",
                    .details =
                        "It scores the rule on the training examples, lists what it misses and "
                        "covers wrongly, and compares it with the learned program. Exit code 0: "
                        "the rule is as good as the program, or makes it better; 1: it is not.",
                    .examples =
                        "hri why-not 'uncle(X,Y) :- brother(X,Z), parent(Z,Y)' family/\n"
                        "hri why-not 'good(X) <- red(X)' data/ --program program.pl"};
    add_flags(command, *flags, fields);
    make_argument(command, "rule");
    make_argument(command, "task");
    add_flags(command, flags->settings, fields_of<LearnSettings>(), {"seed", "time_limit"});
    flags->reading.add_to(command);
    flags->options.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
