// SPDX-License-Identifier: Apache-2.0

// hri eval MODEL|PROGRAM TASK: how right is it on other data?

#include "hri/learn.hpp"

#include "command.hpp"
#include "embeddings.hpp"
#include "inputs.hpp"
#include "output.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string task;
    int steps = 0;  // 0: not given
    int count = kEvaluationInstances;
    std::uint64_t seed = 0;
    int constants = 0;
    ReadFlags reading{SplitOptions::When::never};
    std::string embeddings_file;
    std::string json_file;
};

/// One way to evaluate, and what came out.
struct Line {
    std::string key;    // in JSON
    std::string title;  // in the table
    Score score;
};

std::string symbol(const PredicateSymbol& predicate) {
    return fmt::format("{}/{}", predicate.name, predicate.arity);
}

std::string step_title(const std::string& how, int steps) {
    return steps == kToFixpoint ? how + ", at the fixpoint"
                                : fmt::format("{}, {}", how, counted(steps, "step"));
}

void check_target(const PredicateSymbol& learned, const PredicateSymbol& wanted) {
    if (learned.arity != wanted.arity) {
        throw Error(fmt::format("it defines {}, but the task's target is {}", symbol(learned),
                                symbol(wanted)),
                    {}, "evaluate it on a task with a target of the same arity");
    }
    if (learned.name != wanted.name) {
        fmt::print(stderr, "hri: note: it defines {}, and is judged as {}\n", symbol(learned),
                   symbol(wanted));
    }
}

/// Of a program that defines several targets, the wanted one.
void choose_target(Program& program, const PredicateSymbol& wanted) {
    const std::optional<Predicate> target = program.vocabulary.find(wanted);
    const bool defined =
        target && std::any_of(program.rules.begin(), program.rules.end(),
                              [&](const Rule& rule) { return rule.head.predicate == *target; });
    if (defined) {
        program.target = *target;
    }
}

bool contains(const std::vector<PredicateSymbol>& symbols, const PredicateSymbol& symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

/// The model over its own inputs and those of the task that have an embedding.
Model extended(const Model& model, const Problem& problem, const std::string& embeddings_file) {
    Embeddings extra;
    if (!embeddings_file.empty()) {
        extra = read_embeddings(embeddings_file, problem.inputs, model);
    }
    std::vector<PredicateSymbol> inputs = model.inputs;
    for (const PredicateSymbol& input : problem.inputs) {
        if (contains(inputs, input)) {
            continue;
        }
        if (extra.count(input) != 0) {
            inputs.push_back(input);
        } else {
            fmt::print(stderr,
                       "hri: note: the model does not know {} and ignores it "
                       "(--extra-embeddings gives it a place)\n",
                       symbol(input));
        }
    }
    return inputs.size() == model.inputs.size() ? model : with_inputs(model, inputs, extra);
}

std::vector<Line> evaluate_all(const Flags& flags, Learned& learned, const Problem& problem,
                               const Source& source) {
    std::vector<Line> lines;
    const auto symbolic = [&](const std::string& key, int steps) {
        lines.push_back({key, step_title("symbolic", steps),
                         score_program(learned.program, problem.inputs, source, flags.seed,
                                       flags.count, steps)});
    };
    if (!learned.model) {
        if (!flags.embeddings_file.empty()) {
            throw Error("--extra-embeddings is for models: a program has no embeddings");
        }
        choose_target(learned.program, problem.target);
        check_target(learned.program.vocabulary[learned.program.target], problem.target);
        if (flags.steps > 0) {
            symbolic("symbolic", flags.steps);
        }
        symbolic("symbolic_fixpoint", kToFixpoint);
        return lines;
    }
    check_target(learned.model->target, problem.target);
    const Model model = extended(*learned.model, problem, flags.embeddings_file);
    learned.program = extract(model);
    const int steps = flags.steps != 0 ? flags.steps : model.options.eval_steps;
    lines.push_back({"soft", step_title("soft", steps),
                     score_model(model, problem.inputs, source, flags.seed, flags.count, steps)});
    if (steps != kToFixpoint) {
        symbolic("symbolic", steps);
    }
    symbolic("symbolic_fixpoint", kToFixpoint);
    return lines;
}

void print(const std::vector<Line>& lines) {
    std::vector<std::vector<std::string>> rows = {
        {"", "mse", "accuracy", "precision", "recall", "false +", "false -"}};
    for (const Line& line : lines) {
        const Score& score = line.score;
        rows.push_back({line.title, fmt::format("{:.6f}", score.mse),
                        fmt::format("{:.2f} %", 100 * score.accuracy),
                        fmt::format("{:.2f} %", 100 * score.precision),
                        fmt::format("{:.2f} %", 100 * score.recall), grouped(score.false_positives),
                        grouped(score.false_negatives)});
    }
    fmt::print("{}", aligned(rows));
}

/// What there is to judge: of data with several targets those that it defines.
std::vector<TaskArgument> load_all(const Flags& flags, const Learned& learned) {
    ReadOptions reading = flags.reading.options();
    reading.list_labels = !learned.model;
    std::set<std::string> defined = {target_of(learned)};
    for (const Rule& rule : learned.program.rules) {
        if (!learned.model) {
            defined.insert(symbol(learned.program.vocabulary[rule.head.predicate]));
        }
    }
    return load_tasks(flags.task, {.training = 0, .evaluation = flags.constants}, reading,
                      [&](const std::string& target) { return defined.count(target) != 0; });
}

Json judge(const Flags& flags, Learned& learned, const Problem& problem) {
    const Source& source = problem.evaluation.empty() ? problem.training : problem.evaluation;
    const std::vector<Line> lines = evaluate_all(flags, learned, problem, source);

    print(lines);
    const Score& first = lines.front().score;
    fmt::print("on {}: {} and {}\n", describe(source, flags.count, ""),
               counted(first.positives, "positive atom"), counted(first.negatives, "negative one"));

    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"task", problem.name},
                 {"measure", lines.front().key}};
    json.update(score_json(first));
    for (const Line& line : lines) {
        json[line.key] = score_json(line.score);
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    Learned learned = load_learned(flags.file);
    const std::vector<TaskArgument> arguments = load_all(flags, learned);
    const bool many = arguments.size() > 1;
    Json json = Json::array();
    for (const TaskArgument& argument : arguments) {
        if (many) {
            fmt::print("{}:\n", symbol(argument.problem.target));
        }
        json.push_back(judge(flags, learned, argument.problem));
    }
    write_json(flags.json_file, many ? Json{{"targets", std::move(json)}} : json[0]);
    return kYes;
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("eval", "Judge a model or a program on data");
    command->option_defaults()->take_last();
    command->footer(
        "Built-in tasks give fresh instances of the evaluation size, data their own examples "
        "(triples:\n"
        "those of test.txt).\n\n"
        "Examples:\n"
        "  hri eval model.safetensors grandparent --constants 20\n"
        "  hri eval program.pl family/");
    command->add_option("file", flags->file, "model.safetensors or program.pl")
        ->required()
        ->option_text("MODEL|PROGRAM");
    command
        ->add_option("task", flags->task, "a built-in task or data: a folder, files or a database")
        ->required()
        ->option_text("TASK");
    command
        ->add_option("--steps", flags->steps,
                     "inference steps; -1: until nothing changes (a model's own by default, a "
                     "program's fixpoint)")
        ->check(CLI::IsMember({-1}) | CLI::Range(1, 1'000'000))
        ->option_text("N");
    command->add_option("--count", flags->count, "fresh instances")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text(fmt::format("[{}]", kEvaluationInstances));
    command->add_option("--seed", flags->seed, "of the fresh instances")->option_text("[0]");
    command->add_option("--constants", flags->constants, "size of the fresh instances")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    flags->reading.add_to(*command);
    command
        ->add_option("--extra-embeddings,--embeddings", flags->embeddings_file,
                     "name and vector per line, for predicates that the model does not know")
        ->option_text("FILE");
    command->add_option("--json", flags->json_file, "the scores")->option_text("FILE");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
