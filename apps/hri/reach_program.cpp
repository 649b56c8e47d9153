// SPDX-License-Identifier: Apache-2.0

// hri reach PROGRAM: the smallest model that can say what a program says; hri reach --tasks: the
// same for the solutions of the built-in tasks.

#include "reach_program.hpp"

#include "hri/evaluate.hpp"
#include "hri/smallest_hierarchy.hpp"
#include "hri/tasks.hpp"

#include "command.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"

#include <fmt/format.h>

namespace hri::cli {
namespace {

constexpr int kInstances = 500;
constexpr int kMaxSteps = 200;

Json to_json(const Representation& found, bool verified) {
    const Options& options = found.model.options;
    return {{"layers", options.layers},
            {"auxiliaries", options.auxiliaries},
            {"used", found.used},
            {"steps", found.steps ? Json(*found.steps) : Json(nullptr)},
            {"smallest", found.smallest},
            {"verified", verified},
            {"program", to_text(extract(found.model))}};
}

/// Steps after which the program gives the task's labels on fresh instances of that size; nothing
/// where it never does.
std::optional<int> steps_on(const Task& task, const Program& program, int constants) {
    const Problem problem = make_problem(task, {.training = constants, .evaluation = constants});
    Random random(1, Random::kEvaluation);
    Instance scratch;
    int most = 0;
    for (int i = 0; i < kEvaluationInstances; ++i) {
        const Instance& instance = problem.evaluation.draw(i, random, scratch);
        const auto right = [&](const Truth& truth) {
            Scorer scorer;
            scorer.add(instance.labels, truth);
            return scorer.score().mse == 0;
        };
        while (most <= kMaxSteps && !right(evaluate(program, instance, most))) {
            ++most;
        }
    }
    return most <= kMaxSteps ? std::optional(most) : std::nullopt;
}

std::string cell(const std::optional<int>& number) {
    return number ? std::to_string(*number) : "-";
}

}  // namespace

int reach_program(const std::string& file, const Options& options, const std::string& json_file) {
    const Program program = parse_program(read_file(file), file);
    const std::vector<PredicateSymbol> inputs = input_predicates(program);
    const auto found = represent(program, inputs, options);
    Json json = {{"version", HRI_VERSION},
                 {"command", command_line()},
                 {"rules", options.rules},
                 {"representable", found.has_value()}};
    fmt::print("{}from {}: ", to_text(program), options.rules);
    if (!found) {
        const RepresentLimits limits;
        fmt::print(
            "no representation found\n\nSearch bound: {} layers, {} auxiliaries per proto-rule and "
            "layer, {} tries for each size;\neach rule taken apart. This proves nothing.\n",
            limits.layers, limits.auxiliaries, grouped(limits.tries));
        write_json(json_file, json);
        return kNo;
    }
    const Program extracted = extract(found->model);
    const bool verified = same_answers(program, extracted, inputs, kInstances);
    const Options& size = found->model.options;
    fmt::print("{}, {} per proto-rule and layer; {} used{}\n", counted(size.layers, "layer"),
               counted(size.auxiliaries, "auxiliary predicate"), found->used,
               found->smallest ? "" : "; smaller models were not all excluded");
    fmt::print("steps: {}\n\n{}\n",
               found->steps ? std::to_string(*found->steps)
                            : std::string("the program is recursive, larger data take more"),
               to_text(extracted));
    fmt::print(
        "{}: the model whose slots are set so extracts to a program with the same answers on {} "
        "random\ninstances of 1 to 6 constants.\n",
        verified ? "Verified" : "NOT verified", kInstances);
    json.update(to_json(*found, verified));
    write_json(json_file, json);
    return verified ? kYes : kNo;
}

int reach_tasks(const Options& options, const std::string& json_file) {
    std::vector<std::vector<std::string>> rows = {
        {"task", "layers", "auxiliaries", "used", "steps", "training", "evaluation", "verified"}};
    Json json_rows = Json::array();
    bool all = true;
    for (const Task& task : all_tasks()) {
        const Program program = parse_program(task.solution);
        const auto found = represent(program, task.inputs, options);
        if (!found) {
            rows.push_back({task.name, "-", "-", "-", "-", "-", "-", "no"});
            json_rows.push_back({{"task", task.name}, {"representable", false}});
            all = false;
            continue;
        }
        const Program extracted = extract(found->model);
        const auto training = steps_on(task, extracted, task.train_constants);
        const auto evaluation = steps_on(task, extracted, task.eval_constants);
        const bool verified =
            same_answers(program, extracted, task.inputs, kInstances) && training && evaluation;
        all = all && verified;
        const Options& size = found->model.options;
        rows.push_back({task.name, std::to_string(size.layers), std::to_string(size.auxiliaries),
                        std::to_string(found->used), cell(found->steps), cell(training),
                        cell(evaluation), verified ? "yes" : "no"});
        Json row = to_json(*found, verified);
        row["task"] = task.name;
        row["representable"] = true;
        row["training_steps"] = training ? Json(*training) : Json(nullptr);
        row["evaluation_steps"] = evaluation ? Json(*evaluation) : Json(nullptr);
        json_rows.push_back(std::move(row));
    }
    fmt::print("{}", aligned(rows));
    fmt::print(
        "\nfrom {}: the fewest auxiliary predicates per proto-rule and layer, then the fewest "
        "layers\nsteps: on any data (-: recursive); on {} instances of the training and evaluation "
        "sizes\n",
        options.rules, kEvaluationInstances);
    write_json(json_file, {{"version", HRI_VERSION},
                           {"command", command_line()},
                           {"rules", options.rules},
                           {"tasks", std::move(json_rows)}});
    return all ? kYes : kNo;
}

}  // namespace hri::cli
