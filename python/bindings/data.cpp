// SPDX-License-Identifier: Apache-2.0

// Problems and their instances.

#include "bind.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace pybind11::detail {

bool type_caster<hri::PredicateSymbol>::load(handle from, bool) {
    if (isinstance<str>(from)) {
        const auto text = from.cast<std::string>();
        const auto slash = text.rfind('/');
        if (slash == std::string::npos || slash + 2 != text.size() || text[slash + 1] < '0' ||
            text[slash + 1] > '9') {
            return false;
        }
        value = {text.substr(0, slash), text[slash + 1] - '0'};
        return true;
    }
    if (!isinstance<sequence>(from) || len(from) != 2) {
        return false;
    }
    const auto pair = reinterpret_borrow<sequence>(from);
    if (!isinstance<str>(pair[0]) || !isinstance<int_>(pair[1])) {
        return false;
    }
    value = {pair[0].cast<std::string>(), pair[1].cast<int>()};
    return value.arity >= 0;
}

handle type_caster<hri::PredicateSymbol>::cast(const hri::PredicateSymbol& symbol,
                                               return_value_policy, handle) {
    return pybind11::make_tuple(symbol.name, symbol.arity).release();
}

}  // namespace pybind11::detail

namespace hri::python {
namespace {

constexpr int kDrawn = 10;  // instances of a generator, as in the paper

/// An instance as Python sees it: with the names of its predicates.
using NamedInstance = World;

std::string text_of(const PredicateSymbol& symbol) {
    return symbol.name + "/" + std::to_string(symbol.arity);
}

std::size_t input_of(const std::vector<PredicateSymbol>& inputs, const std::string& name) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].name == name || text_of(inputs[i]) == name) {
            return i;
        }
    }
    throw py::key_error(name);
}

py::tuple atom_of(const Instance& instance, int arity, int first, int second) {
    if (arity == 0) {
        return py::tuple();
    }
    return arity == 1 ? py::make_tuple(instance.name_of(first))
                      : py::make_tuple(instance.name_of(first), instance.name_of(second));
}

py::list facts_of(const NamedInstance& self, const std::string& name) {
    const std::size_t input = input_of(self.inputs, name);
    py::list tuples;
    for (const Fact& fact : self.instance.facts[input]) {
        tuples.append(atom_of(self.instance, self.inputs[input].arity, fact.first, fact.second));
    }
    return tuples;
}

py::array_t<float> valuation_of(const NamedInstance& self, const std::string& name) {
    const std::size_t input = input_of(self.inputs, name);
    const int arity = self.inputs[input].arity;
    py::array_t<float> array(shape_of(self.instance.constants, arity));
    float* cells = array.mutable_data();
    std::fill_n(cells, array.size(), 0.0F);
    for (const Fact& fact : self.instance.facts[input]) {
        const int at = arity == 0   ? 0
                       : arity == 1 ? fact.first
                                    : fact.first * self.instance.constants + fact.second;
        cells[at] = fact.value;
    }
    return array;
}

/// 0, 1, and 2 for "no label"; a view of the instance's own memory.
py::array labels_of(const py::object& self) {
    const Instance& instance = self.cast<const NamedInstance&>().instance;
    static_assert(sizeof(Label) == 1);
    py::array_t<std::int8_t> array(static_cast<py::ssize_t>(instance.labels.size()),
                                   reinterpret_cast<const std::int8_t*>(instance.labels.data()),
                                   self);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

py::list instances_of(const Problem& problem, const std::string& part, int count,
                      std::uint64_t seed) {
    const bool training = part == "training";
    if (!training && part != "evaluation") {
        throw py::value_error("part: expected 'training' or 'evaluation', found '" + part + "'");
    }
    const Source& source = training ? problem.training : problem.evaluation;
    py::list list;
    if (source.empty()) {
        return list;
    }
    Random random(seed, training ? Random::kData : Random::kEvaluation);
    const int drawn = source.fixed() ? static_cast<int>(source.instances.size()) : count;
    Instance scratch;
    for (int i = 0; i < drawn; ++i) {
        list.append(NamedInstance{problem.inputs, source.draw(i, random, scratch)});
    }
    return list;
}

SplitOptions::When when_of(const std::string& word) {
    if (word == "automatic" || word == "always" || word == "never") {
        return word == "always"  ? SplitOptions::When::always
               : word == "never" ? SplitOptions::When::never
                                 : SplitOptions::When::automatic;
    }
    throw py::value_error("split: expected 'automatic', 'always' or 'never', found '" + word + "'");
}

/// Keywords of reading; names and defaults are those of ReadOptions and SplitOptions.
ReadOptions reading_of(py::kwargs keywords, const char* function) {
    ReadOptions options;
    std::string when = "automatic";
    std::vector<std::string> known;
    const auto take = [&](const char* name, auto& value) {
        known.emplace_back(name);
        if (keywords.contains(name)) {
            try {
                value = keywords[name].cast<std::decay_t<decltype(value)>>();
            } catch (const py::cast_error&) {
                throw py::type_error(std::string(name) + ": cannot be " +
                                     std::string(py::repr(keywords[name])));
            }
            keywords.attr("pop")(name);
        }
    };
    std::string mapping;
    take("closed_world", options.closed_world);
    take("format", options.format);
    take("target", options.target);
    take("reify", options.reify);
    take("mapping", mapping);
    take("split", when);
    take("most_constants", options.split.most_constants);
    take("value_types", options.split.value_types);
    take("value_degree", options.split.value_degree);
    refuse_rest(keywords, known, function);
    options.mapping = mapping;
    options.split.when = when_of(when);
    return options;
}

std::vector<Tuples> tuples_of(const py::list& tables) {
    std::vector<Tuples> all;
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
    Gathered data;
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

py::tuple state_of(const NamedInstance& self) {
    const Instance& instance = self.instance;
    py::list facts;
    for (const std::vector<Fact>& table : instance.facts) {
        py::list rows;
        for (const Fact& fact : table) {
            rows.append(py::make_tuple(fact.first, fact.second, fact.value));
        }
        facts.append(rows);
    }
    return py::make_tuple(
        self.inputs, instance.constants, instance.names, facts,
        py::bytes(reinterpret_cast<const char*>(instance.labels.data()), instance.labels.size()));
}

NamedInstance from_state(const py::tuple& state) {
    NamedInstance made{state[0].cast<std::vector<PredicateSymbol>>(), {}};
    Instance& instance = made.instance;
    instance.constants = state[1].cast<int>();
    instance.names = state[2].cast<std::vector<std::string>>();
    for (const py::handle& table : state[3]) {
        std::vector<Fact>& facts = instance.facts.emplace_back();
        for (const py::handle& row : table) {
            const auto [first, second, value] =
                row.cast<std::tuple<std::int32_t, std::int32_t, float>>();
            facts.push_back({first, second, value});
        }
    }
    const auto labels = state[4].cast<std::string>();
    instance.labels.resize(labels.size());
    std::memcpy(instance.labels.data(), labels.data(), labels.size());
    return made;
}

/// Reads the array where it lies. False where it is of another type.
template <class Value>
bool add_dense(const py::array& array, int n, std::vector<Fact>& facts) {
    if (!py::isinstance<py::array_t<Value>>(array)) {
        return false;
    }
    const auto cells = array.ndim() == 2 ? n : 1;
    const auto* data = static_cast<const char*>(array.data());
    for (int x = 0; x < (array.ndim() == 0 ? 1 : n); ++x) {
        for (int y = 0; y < cells; ++y) {
            const py::ssize_t at = (array.ndim() > 0 ? x * array.strides(0) : 0) +
                                   (array.ndim() > 1 ? y * array.strides(1) : 0);
            Value value;
            std::memcpy(&value, data + at, sizeof value);
            if (value != Value(0)) {
                facts.push_back({x, y, static_cast<float>(value)});
            }
        }
    }
    return true;
}

/// Valuations that hri._facts has checked, of constants 0 to n - 1.
NamedInstance dense_instance(const py::dict& valuations, int constants) {
    NamedInstance made;
    made.instance.constants = constants;
    for (const auto& [name, values] : valuations) {
        const auto array = py::reinterpret_borrow<py::array>(values);
        made.inputs.push_back({name.cast<std::string>(), static_cast<int>(array.ndim())});
        std::vector<Fact>& facts = made.instance.facts.emplace_back();
        if (!add_dense<bool>(array, constants, facts) &&
            !add_dense<float>(array, constants, facts)) {
            add_dense<double>(py::array_t<double>(array), constants, facts);
        }
    }
    return made;
}

/// Of a problem with a list of instances: all of it.
py::tuple problem_state(const Problem& self) {
    if (!self.training.fixed() || self.evaluation.generate) {
        throw py::type_error("a problem that draws its instances at random cannot be pickled");
    }
    const auto states = [&](const Source& source) {
        py::list list;
        for (const Instance& instance : source.instances) {
            list.append(state_of({self.inputs, instance}));
        }
        return list;
    };
    return py::make_tuple(self.name, self.inputs, self.target, states(self.training),
                          states(self.evaluation), self.warnings, self.notes, self.types,
                          self.directions, self.recursion_wanted);
}

Problem problem_from(const py::tuple& state) {
    Problem made;
    std::size_t next = 0;
    const auto take = [&](auto& member) {
        member = state[next++].cast<std::decay_t<decltype(member)>>();
    };
    const auto take_instances = [&](Source& source) {
        for (const py::handle& instance : state[next++].cast<py::list>()) {
            source.instances.push_back(from_state(instance.cast<py::tuple>()).instance);
        }
    };
    take(made.name);
    take(made.inputs);
    take(made.target);
    take_instances(made.training);
    take_instances(made.evaluation);
    take(made.warnings);
    take(made.notes);
    take(made.types);
    take(made.directions);
    take(made.recursion_wanted);
    return made;
}

std::string shown(const Problem& problem) {
    std::string text = "<hri.Problem " + problem.name + ": " + text_of(problem.target) + " from ";
    for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
        text += (i == 0 ? "" : ", ") + text_of(problem.inputs[i]);
    }
    return text + ">";
}

}  // namespace

void check(const py::array& array, const std::vector<py::ssize_t>& shape, const char* what) {
    if (!std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim())) {
        const py::object wanted = py::tuple(py::cast(shape));
        throw py::value_error(std::string(what) + ": expected an array of shape " +
                              std::string(py::str(wanted)) + ", found " +
                              std::string(py::str(array.attr("shape"))));
    }
    const py::bool_ finite(py::module_::import("numpy").attr("isfinite")(array).attr("all")());
    if (!finite) {
        throw py::value_error(std::string(what) + ": expected numbers, found NaN or infinity");
    }
}

World world_of(const py::object& facts, const PredicateSymbol& target) {
    if (py::isinstance<World>(facts)) {
        return facts.cast<World>();
    }
    py::object given = facts;
    if (!py::isinstance<Problem>(given)) {
        given = py::module_::import("hri._facts").attr("world")(facts, target);
        if (py::isinstance<World>(given)) {
            return given.cast<World>();
        }
    }
    const Problem& problem = given.cast<const Problem&>();
    if (problem.training.instances.size() != 1) {
        throw py::value_error(
            "expected the facts of one instance, found a problem that has several: give one of "
            "problem.instances()");
    }
    return {problem.inputs, problem.training.instances.front()};
}

void bind_data(py::module_& module) {
    py::class_<NamedInstance>(module, "Instance", "Constants, their facts and the target's labels.")
        .def_property_readonly(
            "constants",
            [](const NamedInstance& self) {
                py::list names;
                for (int i = 0; i < self.instance.constants; ++i) {
                    names.append(self.instance.name_of(i));
                }
                return names;
            },
            "Names, in the order of rows and columns of valuations.")
        .def_property_readonly(
            "inputs", [](const NamedInstance& self) { return self.inputs; },
            "Predicates with facts: (name, arity).")
        .def("facts", &facts_of, py::arg("predicate"), "Tuples that hold.")
        .def("valuation", &valuation_of, py::arg("predicate"),
             "The facts as an array of shape (n,) * arity.")
        .def_property_readonly("labels", &labels_of,
                               "Of the target's atoms in row-major order: 1, 0, or 2 for none. A "
                               "view, without a copy.")
        .def("__len__", [](const NamedInstance& self) { return self.instance.constants; })
        .def("__repr__",
             [](const NamedInstance& self) {
                 std::size_t facts = 0;
                 for (const std::vector<Fact>& table : self.instance.facts) {
                     facts += table.size();
                 }
                 return "<hri.Instance of " + std::to_string(self.instance.constants) +
                        " constants and " + std::to_string(facts) + " facts>";
             })
        .def(py::pickle(&state_of, &from_state));

    py::class_<Problem, std::shared_ptr<Problem>>(
        module, "Problem", py::dynamic_attr(),
        R"(What is to be learned from what. Made by hri.problem, hri.read and hri.task.

>>> import hri
>>> hri.task("grandparent")
<hri.Problem grandparent: grandparent/2 from father/2, mother/2>
)")
        .def_readonly("name", &Problem::name)
        .def_property_readonly(
            "inputs", [](const Problem& self) { return self.inputs; },
            "Predicates that rules may read: (name, arity).")
        .def_property_readonly(
            "target", [](const Problem& self) { return self.target; }, "(name, arity)")
        .def_readonly("warnings", &Problem::warnings, "What the reader passed over.")
        .def_readonly("notes", &Problem::notes, "What the reader did.")
        .def_property_readonly(
            "fixed", [](const Problem& self) { return self.training.fixed(); },
            "Whether the training instances are a list, and not drawn at random.")
        .def_property_readonly("has_evaluation",
                               [](const Problem& self) { return !self.evaluation.empty(); })
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

    module.def("make_problem", &make_from_memory);
    module.def("dense_instance", &dense_instance, py::arg("valuations"), py::arg("constants"));
    module.def(
        "read_problem",
        [](const std::string& source, const py::kwargs& reading) {
            const ReadOptions options = reading_of(reading, "read");
            const py::gil_scoped_release nogil;
            return read_problem(source, options);
        },
        py::arg("source"));
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
