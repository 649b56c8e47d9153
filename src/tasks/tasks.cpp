// SPDX-License-Identifier: Apache-2.0

// Finding a task by its name, and the problem it poses at a size.

#include "hri/tasks.hpp"

#include "hri/fields.hpp"

namespace hri {
namespace {

void check_size(const Task& task, int constants) {
    if (constants < task.min_constants) {
        throw Error("task " + task.name + " with " + std::to_string(constants) +
                        " constants: expected at least " + std::to_string(task.min_constants),
                    {}, "fewer cannot hold a positive and a negative example");
    }
    if (constants > kMaxConstants) {
        throw Error("task " + task.name + " with " + std::to_string(constants) +
                        " constants: expected at most " + std::to_string(kMaxConstants),
                    {}, "labels are kept for every pair of constants");
    }
}

Source source_of(const Task& task, const SharedSchema& schema, int constants) {
    check_size(task, constants);
    Source source;
    if (task.fixed) {
        Random nothing_random(0);
        source.instances.emplace_back().schema = schema;
        task.generate(constants, nothing_random, source.instances.back());
    } else {
        source.generate = [generate = task.generate, schema, constants](Random& random,
                                                                        Instance& instance) {
            if (instance.schema != schema)
                instance.schema = schema;
            generate(constants, random, instance);
        };
    }
    return source;
}

}  // namespace

const Task& find_task(std::string_view name) {
    std::vector<std::string> names;
    for (const std::vector<Task>* tasks :
         {&all_tasks(), &development_tasks(), &extension_tasks()}) {
        for (const Task& task : *tasks) {
            if (task.name == name) {
                return task;
            }
            names.push_back(task.name);
        }
    }
    throw Error("there is no task '" + std::string(name) + "'", {},
                "did you mean '" + nearest(name, names) + "'?");
}

void generate(const Task& task, int constants, Random& random, Instance& instance) {
    check_size(task, constants);
    const Schema* schema = instance.schema.get();
    if (schema == nullptr || schema->inputs != task.inputs || schema->target != task.target)
        instance.schema = make_schema(task.inputs, task.target);
    task.generate(constants, random, instance);
}

Problem make_problem(const Task& task, const Sizes& sizes) {
    Problem problem;
    problem.name = task.name;
    problem.schema = make_schema(task.inputs, task.target);
    problem.training = source_of(task, problem.schema,
                                 sizes.training == 0 ? task.train_constants : sizes.training);
    problem.evaluation = source_of(task, problem.schema,
                                   sizes.evaluation == 0 ? task.eval_constants : sizes.evaluation);
    return problem;
}

}  // namespace hri
