// SPDX-License-Identifier: Apache-2.0

// hri eval MODEL|PROGRAM TASK: how right is it on other data?

#include "hri/apply.hpp"
#include "hri/learn.hpp"
#include "hri/recall.hpp"

#include "commands.hpp"
#include "embeddings.hpp"
#include "evaluate/bits/compiled_program.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string task;
    ScoreSettings scoring{.steps = 0};  // 0: not given
    int constants = 0;
    Device device = Device::cpu;
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

/// Sets the target that is wanted, where a program defines several.
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

/// The model over its own inputs and those of the data that have an embedding.
Model extended(const Model& model, const std::vector<PredicateSymbol>& data,
               const std::string& embeddings_file) {
    Embeddings extra;
    if (!embeddings_file.empty()) {
        extra = read_embeddings(embeddings_file, data, model);
    }
    constexpr std::size_t kListed = 5;
    std::vector<PredicateSymbol> inputs = model.inputs;
    std::vector<std::string> unknown;
    for (const PredicateSymbol& input : data) {
        if (contains(inputs, input)) {
            continue;
        }
        if (extra.count(input) != 0) {
            inputs.push_back(input);
        } else {
            unknown.push_back(symbol(input));
        }
    }
    if (!unknown.empty()) {
        const std::size_t more = unknown.size() - std::min(unknown.size(), kListed);
        unknown.resize(unknown.size() - more);
        fmt::print(stderr,
                   "hri: note: the model ignores what it does not know: {}{} (--extra-embeddings "
                   "gives them a place)\n",
                   fmt::join(unknown, ", "), more > 0 ? fmt::format(", {} more", more) : "");
    }
    return inputs.size() == model.inputs.size() ? model : with_inputs(model, inputs, extra);
}

/// The data that a model or a program is judged on.
struct Data {
    std::string name;
    std::string summary;  // "10 instances of 9 constants"
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    std::function<Score(const Model&, int steps)> soft;
    std::function<Score(const Program&, int steps)> symbolic;
    bool synthetic = false;     // scenes that were generated
    bool own_examples = false;  // no fresh ones, so that bits are those of learning
};

/// The size of the data: "10 instances of 9 constants".
std::string summary_of(const Problem& problem, int count) {
    if (judged_on(problem).empty() && problem.database) {
        return counted(static_cast<int>(problem.database->constants.size()), "constant");
    }
    return describe(judged_on(problem), count, "");
}

/// The data of a built-in task or of files. Of several targets those that the program defines.
std::vector<Data> task_data(const Flags& flags, const Learned& learned) {
    ReadOptions reading =
        learned.model ? flags.reading.options_for_model() : flags.reading.options();
    reading.list_labels = !learned.model;
    std::set<std::string> defined = {target_of(learned)};
    for (const Rule& rule : learned.program.rules) {
        if (!learned.model) {
            defined.insert(symbol(learned.program.vocabulary[rule.head.predicate]));
        }
    }
    std::vector<TaskArgument> arguments = load_tasks(
        flags.task, {.training = 0, .evaluation = flags.constants}, reading,
        [&](const std::string& target) { return defined.count(target) != 0; },
        flags.reading.tables(), target_of(learned));
    const ScoreSettings scoring = flags.scoring;
    const Device device = flags.device;
    std::vector<Data> all;
    for (TaskArgument& argument : arguments) {
        const auto problem = std::make_shared<const Problem>(std::move(argument.problem));
        if (!learned.model) {
            warn(check_names(learned.program, *problem));
        }
        all.push_back({problem->name, summary_of(*problem, scoring.count), problem->inputs(),
                       problem->target(),
                       [=](const Model& model, int steps) {
                           return score_model(model, judged_on(*problem), scoring.seed,
                                              scoring.count, steps, scoring.threads, device);
                       },
                       [=](const Program& program, int steps) {
                           ScoreSettings settings = scoring;
                           settings.steps = steps;
                           return score_program(program, *problem, settings);
                       },
                       false, argument.task == nullptr});
    }
    return all;
}

bool is_scene_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string begin(8, '\0');
    file.read(begin.data(), 8);
    return begin == "hriscene";
}

/// Scene graphs to judge on. Each image is an instance, whose objects of the target's name are
/// the positive ones.
Data scene_data(const Flags& flags, const Learned& learned) {
    const auto scenes = std::make_shared<const SceneSet>(open_scenes(flags.task));
    PredicateSymbol target =
        learned.model ? learned.model->target : learned.program.vocabulary[learned.program.target];
    if (!flags.reading.options().target.empty()) {
        target = {flags.reading.options().target, 1};
    }
    if (target.arity != 1) {
        throw Error(fmt::format("scenes are judged by names, and it defines {}", symbol(target)));
    }
    const std::uint32_t id = scene_target(*scenes, target.name);
    std::vector<std::uint32_t> images(scenes->size());
    std::iota(images.begin(), images.end(), 0U);
    std::vector<PredicateSymbol> inputs = scenes->predicates();
    std::erase(inputs, target);
    return {flags.task,
            summary(*scenes),
            inputs,
            target,
            [=](const Model& model, int steps) {
                return score_target(*scenes, images, id, [&](const Instance& instance) {
                    return infer(model, instance, steps);
                });
            },
            [=](const Program& program, int steps) {
                evaluation::CompiledProgram compiled(program, scenes->predicates());
                Truth truth;
                return score_target(*scenes, images, id, [&](const Instance& instance) {
                    compiled.evaluate(instance, steps, truth);
                    return std::vector<float>(truth.begin(), truth.end());
                });
            },
            scenes->origin().synthetic};
}

std::vector<Line> evaluate_all(const Flags& flags, Learned& learned, const Data& data) {
    std::vector<Line> lines;
    const auto symbolic = [&](const std::string& key, int steps) {
        lines.push_back(
            {key, step_title("symbolic", steps), data.symbolic(learned.program, steps)});
    };
    if (!learned.model) {
        if (!flags.embeddings_file.empty()) {
            throw Error("--extra-embeddings is for models: a program has no embeddings");
        }
        choose_target(learned.program, data.target);
        check_target(learned.program.vocabulary[learned.program.target], data.target);
        if (flags.scoring.steps > 0) {
            symbolic("symbolic", flags.scoring.steps);
        }
        symbolic("symbolic_fixpoint", kToFixpoint);
        return lines;
    }
    check_target(learned.model->target, data.target);
    const Model model = extended(*learned.model, data.inputs, flags.embeddings_file);
    learned.program = extract(model);
    const int steps = flags.scoring.steps != 0 ? flags.scoring.steps : model.options.eval_steps;
    lines.push_back({"soft", step_title("soft", steps), data.soft(model, steps)});
    if (steps != kToFixpoint) {
        symbolic("symbolic", steps);
    }
    symbolic("symbolic_fixpoint", kToFixpoint);
    return lines;
}

std::string percentage(double part, double whole) {
    return fmt::format("{:.2f} %", whole > 0 ? 100 * part / whole : 100);
}

/// The accuracy of calling every atom false.
std::string all_false(const Score& score) {
    return percentage(static_cast<double>(score.negatives),
                      static_cast<double>(score.positives + score.negatives));
}

/// The mean of the shares of positive and of negative atoms that are right.
std::string balanced(const Score& score) {
    const auto negatives = static_cast<double>(score.negatives);
    const double right =
        negatives > 0 ? 1 - static_cast<double>(score.false_positives) / negatives : 1;
    return percentage(score.recall + right, 2);
}

void print(const std::vector<Line>& lines) {
    std::vector<std::vector<std::string>> rows = {{"", "mse", "accuracy", "all false", "balanced",
                                                   "precision", "recall", "false +", "false -"}};
    for (const Line& line : lines) {
        const Score& score = line.score;
        rows.push_back({line.title, fmt::format("{:.6f}", score.mse),
                        fmt::format("{:.2f} %", 100 * score.accuracy), all_false(score),
                        balanced(score), precision_text(score),
                        fmt::format("{:.2f} %", 100 * score.recall), grouped(score.false_positives),
                        grouped(score.false_negatives)});
    }
    fmt::print("{}", aligned(rows));
}

Json judge(const Flags& flags, Learned& learned, const Data& data) {
    const std::vector<Line> lines = evaluate_all(flags, learned, data);
    print(lines);
    const Score& first = lines.front().score;
    fmt::print("on {}: {} and {}\n", data.summary, counted(first.positives, "positive atom"),
               counted(first.negatives, "negative one"));
    const double bits = program_bits(learned.program, static_cast<int>(data.inputs.size())) +
                        error_bits(lines.back().score);
    const bool has_bits = !learned.model && data.own_examples;
    if (has_bits) {
        fmt::print("{} atoms, {:.0f} bits with its errors\n", hri::size(learned.program), bits);
    }

    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"task", data.name},
                 {"measure", lines.front().key}};
    if (data.synthetic) {
        json["synthetic"] = true;
    }
    json.update(learning::score_json(first));
    if (has_bits) {
        json["bits"] = bits;
    }
    for (const Line& line : lines) {
        json[line.key] = learning::score_json(line.score);
    }
    return json;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    Learned learned = load_learned(flags.file);
    const std::vector<Data> all = is_scene_file(flags.task)
                                      ? std::vector<Data>{scene_data(flags, learned)}
                                      : task_data(flags, learned);
    const bool many = all.size() > 1;
    Json json = Json::array();
    for (const Data& data : all) {
        if (many) {
            fmt::print("{}:\n", symbol(data.target));
        }
        json.push_back(judge(flags, learned, data));
    }
    write_json(flags.json_file, many ? Json{{"targets", std::move(json)}} : json[0]);
    return kYes;
}

}  // namespace

Command eval_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A model.safetensors or a program.pl.", "MODEL|PROGRAM"), &F::file),
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::number(own("constants", "The constants of the fresh instances."), &F::constants, 1),
        base::choice(
            own("device", "The device of soft inference. A GPU infers instances side by side."),
            &F::device, {{"cpu", Device::cpu}, {"cuda", Device::cuda}}),
        base::text(own("extra_embeddings",
                       "Names and vectors, one per line, for predicates that the model does not "
                       "know.",
                       "FILE"),
                   &F::embeddings_file),
        base::text(own("json", "Writes the scores as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "eval",
        .help = "Judges a model or a program on data.",
        .details =
            "Built-in tasks give fresh instances of the evaluation size. Data give their own "
            "examples\n(triples: those of test.txt). A file of scene graphs gives all its "
            "images.",
        .examples =
            "hri eval model.safetensors grandparent --constants 20\n"
            "hri eval program.pl family/\n"
            "hri eval run/models/wheel.safetensors trucks.scenes --extra-embeddings "
            "glove.tsv"};
    add_flags(command, flags->scoring, fields_of<ScoreSettings>());
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    make_argument(command, "task");
    make_threads(command, flags->scoring.threads);
    refuse_zero(command.flag("steps"));
    flags->reading.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
