// SPDX-License-Identifier: Apache-2.0

// hri tasks: the built-in tasks, listed, explained, written to files.

#include "hri/tasks.hpp"

#include "commands.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string name;
    int constants = 0;
    std::uint64_t seed = 0;
    std::string folder;
    std::string json_file;
};

std::string symbols(const std::vector<PredicateSymbol>& predicates) {
    std::string text;
    for (const PredicateSymbol& predicate : predicates) {
        text += fmt::format("{}{}/{}", text.empty() ? "" : ", ", predicate.name, predicate.arity);
    }
    return text;
}

/// The flags with which `hri learn` finds a solution.
std::string flags_of(const Task& task) {
    std::string text;
    for (const auto& [name, value] : task.options) {
        std::string flag = name;
        std::replace(flag.begin(), flag.end(), '_', '-');
        text += (text.empty() ? "--" : " --") + flag +
                (value == "true"                        ? ""
                 : value.find(' ') != std::string::npos ? " '" + value + "'"
                                                        : " " + value);
    }
    return text;
}

Json task_json(const Task& task) {
    Json options = Json::object();
    for (const auto& [name, value] : task.options) {
        options[name] = value;
    }
    Json inputs = Json::array();
    for (const PredicateSymbol& input : task.inputs) {
        inputs.push_back(symbols({input}));
    }
    return {{"task", task.name},
            {"title", task.title},
            {"explanation", task.explanation},
            {"inputs", std::move(inputs)},
            {"target", symbols({task.target})},
            {"recursive", task.recursive},
            {"fixed", task.fixed},
            {"layers", task.layers},
            {"train_steps", task.train_steps},
            {"eval_steps", task.eval_steps},
            {"train_constants", task.train_constants},
            {"eval_constants", task.eval_constants},
            {"iterations", task.iterations},
            {"annealing_cycles", task.annealing_cycles},
            {"options", std::move(options)},
            {"solution", task.solution}};
}

std::vector<std::string> row_of(const Task& task) {
    return {task.name, symbols({task.target}), symbols(task.inputs), task.recursive ? "yes" : "no",
            fmt::format("{} -> {}", task.train_constants, task.eval_constants)};
}

int list(const Flags& flags) {
    check_writable(flags.json_file);
    std::vector<std::vector<std::string>> rows = {
        {"task", "target", "inputs", "recursive", "constants", "steps"}};
    Json tasks = Json::array();
    for (const Task& task : all_tasks()) {
        rows.push_back(row_of(task));
        rows.back().push_back(fmt::format("{} -> {}", task.train_steps, task.eval_steps));
        tasks.push_back(task_json(task));
    }
    std::vector<std::vector<std::string>> extended = {
        {"task", "target", "inputs", "recursive", "constants", "needs"}};
    for (const Task& task : extension_tasks()) {
        extended.push_back(row_of(task));
        extended.back().push_back(flags_of(task));
        tasks.push_back(task_json(task));
    }
    fmt::print(
        "{}\nconstants and steps: in training -> in evaluation; `hri tasks show NAME` shows more\n"
        "\nbeyond the paper's language:\n{}",
        aligned(rows, 4), aligned(extended, 4));
    write_json(
        flags.json_file,
        {{"version", HRI_VERSION}, {"command", command_line()}, {"tasks", std::move(tasks)}});
    return kYes;
}

std::string atom(const PredicateSymbol& predicate, const Instance& instance, int first,
                 int second) {
    if (predicate.arity == 0) {
        return predicate.name;
    }
    std::string text = predicate.name + "(" + instance.name_of(first);
    return text + (predicate.arity == 2 ? "," + instance.name_of(second) : "") + ")";
}

/// Atoms in lines of some 90 characters; the rest of many is only counted.
std::string sample(const std::vector<std::string>& atoms) {
    constexpr std::size_t kMax = 18;
    constexpr std::size_t kWidth = 90;
    std::string text;
    std::string line = " ";
    for (std::size_t i = 0; i < std::min(atoms.size(), kMax); ++i) {
        if (line.size() + atoms[i].size() > kWidth) {
            text += line + "\n";
            line = " ";
        }
        line += " " + atoms[i] + ".";
    }
    if (atoms.size() > kMax) {
        line +=
            fmt::format(" ... {} more", grouped(static_cast<std::int64_t>(atoms.size() - kMax)));
    }
    return text + line + "\n";
}

std::string facts_text(const Task& task, const Instance& instance) {
    std::string text;
    for (std::size_t p = 0; p < task.inputs.size(); ++p) {
        std::vector<std::string> atoms;
        for (const Fact& fact : instance.facts[p]) {
            atoms.push_back(atom(task.inputs[p], instance, fact.first, fact.second));
        }
        text +=
            atoms.empty() ? fmt::format("  (no {})\n", symbols({task.inputs[p]})) : sample(atoms);
    }
    return text;
}

std::string examples_text(const Task& task, const Instance& instance, Label label) {
    std::vector<std::string> atoms;
    const int width = task.target.arity == 2 ? instance.constants : 1;
    for (std::size_t i = 0; i < instance.labels.size(); ++i) {
        if (instance.labels[i] == label) {
            const int index = static_cast<int>(i);
            atoms.push_back(atom(task.target, instance, index / width, index % width));
        }
    }
    return sample(atoms);
}

int show(const Flags& flags) {
    const Task& task = find_task(flags.name);
    check_writable(flags.json_file);
    Instance instance;
    Random random(flags.seed, Random::kData);
    generate(task, flags.constants > 0 ? flags.constants : task.train_constants, random, instance);
    fmt::print("{} ({})\n{}\n\n", task.title, task.name, task.explanation);
    fmt::print("inputs   {}\ntarget   {}{}\n", symbols(task.inputs), symbols({task.target}),
               task.recursive ? ", needs recursion" : "");
    if (!task.options.empty()) {
        fmt::print("needs    {}\n", flags_of(task));
    }
    fmt::print(
        "trained  on {}, {}; {}, {}{}\n", counted(task.train_constants, "constant"),
        task.fixed ? "one fixed instance" : "a fresh random instance each iteration",
        counted(task.train_steps, "step"), counted(task.iterations, "iteration"),
        task.annealing_cycles > 1 ? fmt::format(", up to {} times", task.annealing_cycles) : "");
    fmt::print("judged   on {}, {}\n\n", counted(task.eval_constants, "constant"),
               counted(task.eval_steps, "step"));
    fmt::print("facts\n{}", facts_text(task, instance));
    fmt::print("positive examples ({})\n{}", grouped(instance.count(Label::positive)),
               examples_text(task, instance, Label::positive));
    fmt::print("negative examples ({})\n{}", grouped(instance.count(Label::negative)),
               examples_text(task, instance, Label::negative));
    fmt::print("a solution\n");
    for (std::size_t at = 0; at < task.solution.size();) {
        const std::size_t end = std::min(task.solution.find('\n', at), task.solution.size());
        fmt::print("  {}\n", task.solution.substr(at, end - at));
        at = end + 1;
    }
    write_json(flags.json_file, task_json(task));
    return kYes;
}

int write(const Flags& flags) {
    const Task& task = find_task(flags.name);
    const Problem problem = make_problem(task);
    Instance instance;
    Random random(flags.seed, Random::kData);
    generate(task, flags.constants > 0 ? flags.constants : task.train_constants, random, instance);
    check_folder(flags.folder, {"bk.pl", "exs.pl", "bias.pl"});
    write_task_folder(flags.folder, problem, instance);
    fmt::print("{}: bk.pl, exs.pl, bias.pl with {}, {} and {}\n", flags.folder,
               counted(instance.constants, "constant"),
               counted(instance.count(Label::positive), "positive example"),
               counted(instance.count(Label::negative), "negative one"));
    return kYes;
}

const std::vector<Field<Flags>>& own_fields() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("name", "The name of a built-in task.", "NAME"), &F::name),
        base::number(own("constants", "The constants of the instance; without it the paper's."),
                     &F::constants, 1),
        base::number(own("seed", "The seed of the instance."), &F::seed, 0),
        base::text(own("json", "Writes the output as JSON.", "FILE"), &F::json_file),
        base::text(own("out", "The folder.", "DIR"), &F::folder)};
    return fields;
}

}  // namespace

Command tasks_command() {
    auto flags = std::make_shared<Flags>();
    Command shown{.name = "show",
                  .help = "Explains a task with a sample.",
                  .examples = "hri tasks show less-than --constants 5"};
    add_flags(shown, *flags, own_fields(), {"name", "constants", "seed", "json"});
    make_argument(shown, "name");
    shown.run = [flags] { return show(*flags); };

    Command written{
        .name = "generate",
        .help = "Writes bk.pl, exs.pl and bias.pl.",
        .examples = "hri tasks generate grandparent --constants 12 --seed 3 --out family"};
    add_flags(written, *flags, own_fields(), {"name", "constants", "seed", "out"});
    make_argument(written, "name");
    written.flag("out").required = true;
    written.run = [flags] { return write(*flags); };

    Command command{.name = "tasks",
                    .help = "Lists, explains or generates the built-in tasks.",
                    .examples = "hri tasks show grandparent"};
    add_flags(command, *flags, own_fields(), {"json"});
    command.run = [flags] { return list(*flags); };
    command.commands = {shown, written};
    return command;
}

}  // namespace hri::cli
