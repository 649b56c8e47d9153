// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <algorithm>
#include <system_error>

namespace hri::cli {
namespace {

/// Safetensors begin with eight bytes of length and a JSON object; no program does.
bool looks_like_model(const std::filesystem::path& path, const std::string& content) {
    if (path.extension() == ".safetensors") {
        return true;
    }
    return content.size() > 8 && content[8] == '{' &&
           std::any_of(content.begin(), content.begin() + 8, [](char c) { return c == '\0'; });
}

}  // namespace

const Task* built_in_task(const std::string& name) {
    for (const std::vector<Task>* tasks : {&all_tasks(), &development_tasks()}) {
        for (const Task& task : *tasks) {
            if (task.name == name) {
                return &task;
            }
        }
    }
    return nullptr;
}

TaskArgument load_task(const std::string& name_or_folder, const Sizes& sizes,
                       const ReadOptions& reading) {
    if (const Task* known = built_in_task(name_or_folder)) {
        if (reading.closed_world) {
            throw Error("--closed-world is for folders: every atom of a built-in task has a label");
        }
        return {make_problem(*known, sizes), known};
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(name_or_folder, ignored)) {
        if (sizes.training != 0 || sizes.evaluation != 0) {
            throw Error(
                "--constants is for built-in tasks: a folder has the constants of its facts");
        }
        return {read_task_folder(name_or_folder, reading), nullptr};
    }
    if (std::filesystem::exists(name_or_folder, ignored)) {
        throw Error("a task is a built-in name or a folder, not a file", {name_or_folder, 0, 0},
                    "the folder holds bk.pl, exs.pl and perhaps bias.pl");
    }
    if (name_or_folder.find('/') != std::string::npos) {
        throw Error("there is no such folder", {name_or_folder, 0, 0});
    }
    return {make_problem(find_task(name_or_folder), sizes), nullptr};  // throws, naming the nearest
}

Options paper_options(const Task& task) {
    Options options;
    options.layers = task.layers;
    options.train_steps = task.train_steps;
    options.eval_steps = task.eval_steps;
    options.iterations = task.iterations;
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

}  // namespace hri::cli
