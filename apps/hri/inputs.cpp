// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include "data/several_targets.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <system_error>

namespace hri::cli {

/// Safetensors begin with eight bytes of length and a JSON object; no program does.
bool looks_like_model(const std::filesystem::path& path, const std::string& content) {
    if (path.extension() == ".safetensors") {
        return true;
    }
    return content.size() > 8 && content[8] == '{' &&
           std::any_of(content.begin(), content.begin() + 8, [](char c) { return c == '\0'; });
}

const Task* built_in_task(const std::string& name) {
    for (const std::vector<Task>* tasks :
         {&all_tasks(), &development_tasks(), &extension_tasks()}) {
        for (const Task& task : *tasks) {
            if (task.name == name) {
                return &task;
            }
        }
    }
    return nullptr;
}

ReadFlags::ReadFlags(SplitOptions::When split) {
    options_.split.when = split;
    split_ = split == SplitOptions::When::automatic ? "automatic" : "never";
}

ReadOptions ReadFlags::options_for_model() const {
    ReadOptions options = options_;
    if (!split_given_) {
        options.split.when = SplitOptions::When::automatic;
    }
    return options;
}

void ReadFlags::add_to(CLI::App& command) {
    constexpr const char* kGroup = "Data";
    command.add_option("--format", options_.format, "of the data, where it is not recognised")
        ->check(CLI::IsMember(read_formats()))
        ->option_text("NAME")
        ->group(kGroup);
    command
        .add_option("--target", options_.target, "the predicate to learn, where there are several")
        ->option_text("NAME/ARITY")
        ->group(kGroup);
    command
        .add_flag("--closed-world", options_.closed_world,
                  "atoms of the target that no example lists are negative")
        ->group(kGroup);
    command
        .add_flag("--reify", options_.reify,
                  "facts of three and more arguments become events with binary facts")
        ->group(kGroup);
    command.add_option("--mapping", options_.mapping, "of a database's tables, as TOML")
        ->option_text("FILE")
        ->group(kGroup);
    command
        .add_option("--split", split_,
                    "constants into instances: automatic (above 150), always or never")
        ->check(CLI::IsMember({"automatic", "always", "never"}))
        ->option_text("[" + split_ + "]")
        ->group(kGroup)
        ->each([this](const std::string& word) {
            split_given_ = true;
            options_.split.when = word == "always"  ? SplitOptions::When::always
                                  : word == "never" ? SplitOptions::When::never
                                                    : SplitOptions::When::automatic;
        });
    command.add_option("--split-size", options_.split.max_constants, "constants of an instance")
        ->check(CLI::Range(2, 100'000))
        ->option_text("[100]")
        ->group(kGroup);
    command
        .add_option("--value-types", options_.split.value_types,
                    "types whose constants do not connect others")
        ->delimiter(',')
        ->option_text("NAME,...")
        ->group(kGroup);
    command
        .add_option("--value-degree", options_.split.value_degree,
                    "constants with more neighbours do not connect others")
        ->check(CLI::PositiveNumber)
        ->option_text("N")
        ->group(kGroup);
}

namespace {

TaskArgument read_task(const std::string& name_or_source, const Sizes& sizes,
                       const ReadOptions& reading) {
    const Task* known = built_in_task(name_or_source);
    if (known != nullptr && reading.format.empty()) {
        if (reading.closed_world) {
            throw Error("--closed-world is for data: every atom of a built-in task has a label");
        }
        return {make_problem(*known, sizes), known};
    }
    std::error_code ignored;
    const bool is_data = std::filesystem::exists(name_or_source, ignored) ||
                         std::filesystem::exists(name_or_source + ".b", ignored) ||
                         name_or_source.find('/') != std::string::npos || !reading.format.empty();
    if (!is_data) {
        find_task(name_or_source);  // throws, naming the nearest
    }
    if (sizes.training != 0 || sizes.evaluation != 0) {
        throw Error("--constants is for built-in tasks: data have the constants of their facts");
    }
    return {read_problem(name_or_source, reading), nullptr};
}

/// Each line once.
void tell(const std::vector<TaskArgument>& arguments) {
    std::set<std::string> told;
    const auto tell_all = [&](const char* kind, const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            if (told.insert(kind + line).second) {
                fmt::print(stderr, "hri: {}: {}\n", kind, line);
            }
        }
    };
    for (const TaskArgument& argument : arguments) {
        tell_all("warning", argument.problem.warnings);
        tell_all("note", argument.problem.notes);
    }
}

}  // namespace

TaskArgument load_task(const std::string& name_or_source, const Sizes& sizes,
                       const ReadOptions& reading) {
    std::vector<TaskArgument> one;
    one.push_back(read_task(name_or_source, sizes, reading));
    tell(one);
    return std::move(one.front());
}

std::vector<TaskArgument> load_tasks(const std::string& name_or_source, const Sizes& sizes,
                                     ReadOptions reading,
                                     const std::function<bool(const std::string&)>& wanted) {
    std::vector<TaskArgument> all;
    try {
        all.push_back(read_task(name_or_source, sizes, reading));
    } catch (const data::SeveralTargets& several) {
        for (const std::string& target : several.targets()) {
            if (wanted ? wanted(target) : several.with_examples()) {
                reading.target = target;
                all.push_back(read_task(name_or_source, sizes, reading));
            }
        }
        if (all.empty()) {
            throw;
        }
    }
    tell(all);
    return all;
}

Options paper_options(const Task& task) {
    Options options;
    options.layers = task.layers;
    options.train_steps = task.train_steps;
    options.eval_steps = task.eval_steps;
    options.iterations = task.iterations;
    options.annealing_cycles = task.annealing_cycles;
    return options;
}

Options lri_options(const Task& task) {
    Options options = paper_options(task);
    options.iterations = Options{}.iterations;
    return options;
}

Learned load_learned(const std::filesystem::path& path) {
    const std::string content = read_file(path);
    Learned learned;
    if (looks_like_model(path, content)) {
        learned.model = load_model(path);
        learned.program = extract(*learned.model);
    } else {
        learned.program = parse_program(content, path.string());
    }
    return learned;
}

std::string target_of(const Learned& learned) {
    const PredicateSymbol& target =
        learned.model ? learned.model->target : learned.program.vocabulary[learned.program.target];
    return fmt::format("{}/{}", target.name, target.arity);
}

}  // namespace hri::cli
