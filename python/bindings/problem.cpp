// SPDX-License-Identifier: Apache-2.0

// Problems: from memory, files, databases and built-in tasks.

#include "bind.hpp"

#include <memory>

namespace hri::python {
namespace {

constexpr int kDrawn = 10;  // instances of a generator, as in the paper

py::list instances_of(const Problem& problem, const std::string& part, int count,
                      std::uint64_t seed) {
    const Source& source = part_of(problem, part);
    py::list list;
    if (source.empty()) {
        return list;
    }
    Random random(seed, part == "training" ? Random::kData : Random::kEvaluation);
    const int drawn = source.fixed() ? static_cast<int>(source.instances.size()) : count;
    Instance scratch;
    for (int i = 0; i < drawn; ++i) {
        list.append(Instance(source.draw(i, random, scratch)));
    }
    return list;
}

std::vector<NamedTuples> tuples_of(const py::list& tables) {
    std::vector<NamedTuples> all;
    for (const py::handle& table : tables) {
        const auto parts = table.cast<py::tuple>();
        all.push_back({{parts[0].cast<std::string>(), parts[1].cast<int>()},
                       parts[2].cast<std::vector<std::string>>(),
                       parts[3].cast<std::vector<float>>()});
    }
    return all;
}

Problem make_from_memory(const std::string& name, const py::list& facts, const py::list& positive,
                         const py::list& negative, std::vector<std::string> constants,
                         std::optional<PredicateSymbol> target, const py::kwargs& reading) {
    InMemoryData data;
    data.name = name;
    data.facts = tuples_of(facts);
    data.positive = tuples_of(positive);
    data.negative = tuples_of(negative);
    data.constants = std::move(constants);
    data.target = std::move(target);
    data.from = name;
    const ReadOptions options = reading_of(reading, "make_problem");
    const py::gil_scoped_release nogil;
    return make_problem(data, options);
}

/// Of a problem with a list of instances: all of it.
py::tuple problem_state(const Problem& self) {
    if (!self.training.fixed() || self.evaluation.generate) {
        throw py::type_error("a problem that draws its instances at random cannot be pickled");
    }
    const auto states = [&](const Source& source) {
        py::list list;
        for (const Instance& instance : source.instances) {
            list.append(instance_state(instance));
        }
        return list;
    };
    return py::make_tuple(self.name, schema_state(*self.schema), states(self.training),
                          states(self.evaluation), self.warnings, self.notes,
                          self.recursion_wanted);
}

Problem problem_from(const py::tuple& state) {
    Problem made;
    std::size_t next = 0;
    const auto take = [&](auto& member) {
        member = state[next++].cast<std::decay_t<decltype(member)>>();
    };
    const auto take_instances = [&](Source& source) {
        for (const py::handle& instance : state[next++].cast<py::list>()) {
            source.instances.push_back(instance_from(made.schema, instance.cast<py::tuple>()));
        }
    };
    take(made.name);
    made.schema = schema_from(state[next++].cast<py::tuple>());
    take_instances(made.training);
    take_instances(made.evaluation);
    take(made.warnings);
    take(made.notes);
    take(made.recursion_wanted);
    return made;
}

std::vector<std::string> reading_keywords() {
    std::vector<std::string> known = field_names<ReadOptions>();
    const std::vector<std::string> of_split = field_names<SplitOptions>();
    known.insert(known.end(), of_split.begin(), of_split.end());
    return known;
}

std::string shown(const Problem& problem) {
    std::string text = "<hri.Problem " + problem.name + ": " + text_of(problem.target()) + " from ";
    for (std::size_t i = 0; i < problem.inputs().size(); ++i) {
        text += (i == 0 ? "" : ", ") + text_of(problem.inputs()[i]);
    }
    return text + ">";
}

}  // namespace

ReadOptions reading_of(py::kwargs keywords, const char* function) {
    ReadOptions options;
    take_fields(options, keywords);
    take_fields(options.split, keywords);
    refuse_rest(keywords, reading_keywords(), function);
    return options;
}

const Source& part_of(const Problem& problem, const std::string& part) {
    if (part != "training" && part != "evaluation") {
        throw py::value_error("part: expected 'training' or 'evaluation', found '" + part + "'");
    }
    return part == "training" ? problem.training : problem.evaluation;
}

Instance instance_of(const py::object& facts, const PredicateSymbol& target) {
    if (py::isinstance<Instance>(facts)) {
        return facts.cast<Instance>();
    }
    py::object given = facts;
    if (!py::isinstance<Problem>(given)) {
        given = py::module_::import("hri._facts").attr("world")(facts, target);
        if (py::isinstance<Instance>(given)) {
            return given.cast<Instance>();
        }
    }
    const Problem& problem = given.cast<const Problem&>();
    if (problem.training.instances.size() != 1) {
        throw py::value_error(
            "expected the facts of one instance, found a problem that has several: give one of "
            "problem.instances()");
    }
    return problem.training.instances.front();
}

std::shared_ptr<const Database> database_of(const py::object& facts,
                                            const PredicateSymbol& target) {
    py::object given = facts;
    if (!py::isinstance<Problem>(given)) {
        given = py::module_::import("hri._facts").attr("world")(facts, target);
    }
    if (!py::isinstance<Problem>(given) || !given.cast<const Problem&>().database) {
        throw py::type_error(
            "predicates of three arguments and more need facts as lists of tuples, or a problem");
    }
    return given.cast<const Problem&>().database;
}

void bind_problem(py::module_& module) {
    py::class_<Problem, std::shared_ptr<Problem>>(
        module, "Problem", py::dynamic_attr(),
        R"(What is to be learned from what. Made by hri.problem, hri.read and hri.task.

>>> import hri
>>> hri.task("grandparent")
<hri.Problem grandparent: grandparent/2 from father/2, mother/2>
)")
        .def_readonly("name", &Problem::name, "What it was read from, or as it was called.")
        .def_property_readonly(
            "inputs", [](const Problem& self) { return self.inputs(); },
            "Predicates that rules may read: (name, arity).")
        .def_property_readonly(
            "target", [](const Problem& self) { return self.target(); }, "(name, arity)")
        .def_readonly("warnings", &Problem::warnings, "What the reader passed over.")
        .def_readonly("notes", &Problem::notes, "What the reader did.")
        .def_property_readonly(
            "fixed", [](const Problem& self) { return self.training.fixed(); },
            "Whether the training instances are a list, and not drawn at random.")
        .def_property_readonly(
            "has_evaluation", [](const Problem& self) { return !self.evaluation.empty(); },
            "Whether there are fresh instances to judge by.")
        .def("instances", &instances_of, py::arg("part") = "training", py::arg("count") = kDrawn,
             py::arg("seed") = 0,
             "All instances of a part ('training' or 'evaluation'), or `count` drawn ones.")
        .def(
            "with_distractors",
            [](const Problem& self, int count, std::uint64_t seed) {
                return with_distractors(self, count, seed);
            },
            py::arg("count"), py::arg("seed") = 0,
            "The problem with so many irrelevant input predicates.")
        .def(
            "save",
            [](const Problem& self, const std::string& folder) {
                if (self.training.instances.size() != 1) {
                    throw py::value_error("only a problem of one fixed instance can be saved");
                }
                write_task_folder(folder, self, self.training.instances.front());
            },
            py::arg("folder"), "Writes bk.pl, exs.pl and bias.pl, which hri.read reads back.")
        .def("__repr__", &shown)
        .def(py::pickle(&problem_state, &problem_from));

    module.def("make_problem", &make_from_memory, py::arg("name"), py::arg("facts"),
               py::arg("positive"), py::arg("negative"), py::arg("constants"), py::arg("target"));
    module.def(
        "read_problem",
        [](const std::string& source, bool target_needed, const py::kwargs& reading) {
            const ReadOptions options = reading_of(reading, "read");
            const py::gil_scoped_release nogil;
            return read_problem(source, options, {.target_needed = target_needed});
        },
        py::arg("source"), py::arg("target_needed") = true);
    module.def("reading_keywords", &reading_keywords, "The keywords of hri.read.");
    module.def("read_formats", &read_formats, "Names of the formats that hri.read knows.");
    module.def(
        "make_task",
        [](const std::string& name, int constants, int evaluation_constants) {
            return make_problem(find_task(name),
                                {.training = constants, .evaluation = evaluation_constants});
        },
        py::arg("name"), py::arg("constants") = 0, py::arg("evaluation_constants") = 0);
    module.def(
        "tasks",
        [] {
            py::dict names;
            for (const Task& task : all_tasks()) {
                names[task.name.c_str()] = task.explanation;
            }
            return names;
        },
        "The built-in tasks with their explanations.");
    module.def(
        "task_options",
        [](const std::string& name) {
            const Task& task = find_task(name);
            py::dict options;
            options["layers"] = task.layers;
            options["train_steps"] = task.train_steps;
            options["eval_steps"] = task.eval_steps;
            options["iterations"] = task.iterations;
            return options;
        },
        py::arg("name"), "The paper's settings for a built-in task, for strategy='gradient'.");
}

}  // namespace hri::python
