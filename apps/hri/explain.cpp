// SPDX-License-Identifier: Apache-2.0

// hri explain MODEL|PROGRAM TASK ATOM: why is it true, or how near does it come?

#include "hri/comparisons.hpp"
#include "hri/explain_model.hpp"
#include "hri/files.hpp"
#include "hri/ranking.hpp"

#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"

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

int print(const Explanation& explanation, const std::string& json_file) {
    fmt::print("{}", to_text(explanation));
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"holds", explanation.holds},
                 {"soft", explanation.soft},
                 {"value", explanation.value}};
    json["reason"] = reason_json(explanation.reason, explanation.soft);
    write_json(json_file, json);
    return explanation.holds ? kYes : kNo;
}

/// Rules of `hri learn GRAPH --targets all`.
int explain_triple(const Flags& flags, const GroundAtom& atom, std::string_view rules_text) {
    if (atom.arguments.size() != 2) {
        throw Error("expected an atom of two arguments", {}, "write it as aunt(ann,bob)");
    }
    GraphData data = read_graph(flags.task);
    const auto known = [](const Names& names, const std::string& name, const char* what) {
        const std::optional<std::uint32_t> id = names.find(name);
        if (!id) {
            throw Error(fmt::format("there is no {} '{}' in the graph", what, name));
        }
        return *id;
    };
    const Triple triple = {known(data.entities, atom.arguments[0], "entity"),
                           known(data.relations, atom.predicate, "relation"),
                           known(data.entities, atom.arguments[1], "entity")};
    const GraphRules rules = parse_graph_rules(rules_text, flags.file, data);
    return print(explain(rules, data, Graph(data, rules.invented), triple), flags.json_file);
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const GroundAtom atom = parse_ground_atom(flags.atom);
    if (flags.file.ends_with(".pl") && looks_like_graph(flags.task)) {
        const std::string text = read_file(flags.file);
        if (looks_like_graph_rules(text)) {
            return explain_triple(flags, atom, text);
        }
    }
    const Learned learned = load_learned(flags.file);
    // where data have several targets, the learned one: any predicate may be asked for
    const std::vector<TaskArgument> arguments = load_tasks(
        flags.task, {.training = flags.constants, .evaluation = 0},
        learned.model ? flags.reading.options_for_model() : flags.reading.options(),
        [&](const std::string& target) { return target == target_of(learned); },
        flags.reading.tables(), target_of(learned));
    const Problem& problem = arguments.front().problem;
    if (!learned.model) {
        warn(check_names(learned.program, problem));
    }
    const auto by_instance = [&] {
        Instance scratch;
        Random random(flags.seed, Random::kData);
        const ComparisonFacts comparisons(learned.program);
        const Instance instance = comparisons.with_facts(
            problem.training.fixed() ? problem.training.with_constants(atom.arguments)
                                     : problem.training.draw(0, random, scratch));
        return learned.model
                   ? explain(*learned.model, instance, atom,
                             flags.steps != 0 ? flags.steps : learned.model->options.eval_steps)
                   : explain(comparisons.program(), instance, atom);
    };
    const Explanation explanation = !learned.model && needs_database(learned.program, problem)
                                        ? explain(learned.program, *problem.database, atom)
                                        : by_instance();
    return print(explanation, flags.json_file);
}

}  // namespace

Command explain_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A model.safetensors, a program.pl, or rules of a knowledge graph.",
                       "MODEL|PROGRAM"),
                   &F::file),
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::text(own("atom", "The atom, such as 'grandparent(ann,bob)'.", "ATOM"), &F::atom),
        base::number(own("steps",
                         "The steps of a model's inference; -1 goes on until nothing changes. By "
                         "default a model takes its own steps."),
                     &F::steps, -1, 1000),
        base::number(own("constants", "The constants of a built-in task's instance."),
                     &F::constants, 1),
        base::number(own("seed", "The seed of a built-in task's instance."), &F::seed, 0),
        base::text(own("json", "Writes the explanation as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "explain",
        .help = "Proves an atom, or shows why it fails.",
        .details = "Exit code 0: the atom is true (of a model: from 0.5 on); 1: it is false.",
        .examples =
            "hri explain program.pl family/ 'grandparent(ann,cleo)'\n"
            "hri explain model.safetensors grandparent 'grandparent(0,4)' --seed 2\n"
            "hri explain rules.pl wn18rr/ 'hypernym(dog,canine)'  # a knowledge graph"};
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    make_argument(command, "task");
    make_argument(command, "atom");
    refuse_zero(command.flag("steps"));
    flags->reading.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
