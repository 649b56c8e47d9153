// SPDX-License-Identifier: Apache-2.0

// hri explain MODEL|PROGRAM TASK ATOM: why is it true, or how near does it come?

#include "hri/explain_model.hpp"

#include "command.hpp"
#include "inputs.hpp"
#include "output.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string task;
    std::string atom;
    int steps = 0;  // 0: the model's own
    int constants = 0;
    std::uint64_t seed = 0;
    ReadFlags reading{SplitOptions::When::never};
    std::string json_file;
};

Json reason_json(const Reason& reason, bool soft) {
    Json json = {{"atom", reason.atom}, {"holds", reason.holds}, {"value", reason.value}};
    if (soft) {
        json["weight"] = reason.weight;
    }
    json["because"] = reason.because;
    json["body"] = Json::array();
    for (const Reason& part : reason.body) {
        json["body"].push_back(reason_json(part, soft));
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const GroundAtom atom = parse_ground_atom(flags.atom);
    const Learned learned = load_learned(flags.file);
    // where data have several targets, the learned one: any predicate may be asked for
    const std::vector<TaskArgument> arguments =
        load_tasks(flags.task, {.training = flags.constants, .evaluation = 0},
                   learned.model ? flags.reading.options_for_model() : flags.reading.options(),
                   [&](const std::string& target) { return target == target_of(learned); });
    const Problem& problem = arguments.front().problem;
    Instance scratch;
    Random random(flags.seed, Random::kData);
    const Instance& instance = problem.training.fixed()
                                   ? problem.training.with_constants(atom.arguments)
                                   : problem.training.draw(0, random, scratch);
    const Explanation explanation =
        learned.model ? explain(*learned.model, instance, atom,
                                flags.steps != 0 ? flags.steps : learned.model->options.eval_steps)
                      : explain(learned.program, instance, atom);
    fmt::print("{}", to_text(explanation));
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"holds", explanation.holds},
                 {"soft", explanation.soft},
                 {"value", explanation.value}};
    json["reason"] = reason_json(explanation.reason, explanation.soft);
    write_json(flags.json_file, json);
    return explanation.holds ? kYes : kNo;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("explain", "Prove an atom, or tell what it lacks");
    command->option_defaults()->take_last();
    command->footer(
        "Exit code 0: the atom is true (of a model: from 0.5 on); 1: it is false.\n\n"
        "Examples:\n"
        "  hri explain program.pl family/ 'grandparent(ann,cleo)'\n"
        "  hri explain model.safetensors grandparent 'grandparent(0,4)' --seed 2");
    command->add_option("file", flags->file, "model.safetensors or program.pl")
        ->required()
        ->option_text("MODEL|PROGRAM");
    command->add_option("task", flags->task, "a built-in task or data")
        ->required()
        ->option_text("TASK");
    command->add_option("atom", flags->atom, "such as 'grandparent(ann,bob)'")
        ->required()
        ->option_text("ATOM");
    command->add_option("--steps", flags->steps, "of a model's inference (its own by default)")
        ->check(CLI::IsMember({-1}) | CLI::Range(1, 1000))
        ->option_text("N");
    command->add_option("--constants", flags->constants, "size of a built-in task's instance")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command->add_option("--seed", flags->seed, "of a built-in task's instance")->option_text("[0]");
    flags->reading.add_to(*command);
    command->add_option("--json", flags->json_file, "the explanation")->option_text("FILE");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
