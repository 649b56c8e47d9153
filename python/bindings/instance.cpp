// SPDX-License-Identifier: Apache-2.0

// Instances: constants, facts and labels.

#include "bind.hpp"

#include <algorithm>
#include <cstring>

namespace pybind11::detail {

bool type_caster<hri::PredicateSymbol>::load(handle from, bool) {
    const auto refuse = [&] {
        throw type_error("expected a predicate as (name, arity) or 'name/arity', found " +
                         std::string(repr(from)));
    };
    if (isinstance<str>(from)) {
        const auto text = from.cast<std::string>();
        const auto slash = text.rfind('/');
        if (slash == std::string::npos || slash + 2 != text.size() || text[slash + 1] < '0' ||
            text[slash + 1] > '9') {
            refuse();
        }
        value = {text.substr(0, slash), text[slash + 1] - '0'};
        return true;
    }
    if (!isinstance<sequence>(from) || len(from) != 2) {
        refuse();
    }
    const auto pair = reinterpret_borrow<sequence>(from);
    if (!isinstance<str>(pair[0]) || !isinstance<int_>(pair[1]) || pair[1].cast<int>() < 0) {
        refuse();
    }
    value = {pair[0].cast<std::string>(), pair[1].cast<int>()};
    return true;
}

handle type_caster<hri::PredicateSymbol>::cast(const hri::PredicateSymbol& symbol,
                                               return_value_policy, handle) {
    return pybind11::make_tuple(symbol.name, symbol.arity).release();
}

}  // namespace pybind11::detail

namespace hri::python {
namespace {

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

py::list facts_of(const Instance& self, const std::string& name) {
    const std::size_t input = input_of(self.inputs(), name);
    py::list tuples;
    for (const Fact& fact : self.facts[input]) {
        tuples.append(atom_of(self, self.inputs()[input].arity, fact.first, fact.second));
    }
    return tuples;
}

py::array_t<float> valuation_of(const Instance& self, const std::string& name) {
    const std::size_t input = input_of(self.inputs(), name);
    const int arity = self.inputs()[input].arity;
    py::array_t<float> array(shape_of(self.constants, arity));
    float* cells = array.mutable_data();
    std::fill_n(cells, array.size(), 0.0F);
    for (const Fact& fact : self.facts[input]) {
        const int at = arity == 0   ? 0
                       : arity == 1 ? fact.first
                                    : fact.first * self.constants + fact.second;
        cells[at] = fact.value;
    }
    return array;
}

/// 0, 1, and 2 for "no label"; a view of the instance's own memory.
py::array labels_of(const py::object& self) {
    const Instance& instance = self.cast<const Instance&>();
    static_assert(sizeof(Label) == 1);
    py::array_t<std::int8_t> array(static_cast<py::ssize_t>(instance.labels.size()),
                                   reinterpret_cast<const std::int8_t*>(instance.labels.data()),
                                   self);
    array.attr("setflags")(py::arg("write") = false);
    return array;
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
Instance dense_instance(const py::dict& valuations, int constants) {
    Instance made;
    made.constants = constants;
    std::vector<PredicateSymbol> inputs;
    for (const auto& [name, values] : valuations) {
        const auto array = py::reinterpret_borrow<py::array>(values);
        inputs.push_back({name.cast<std::string>(), static_cast<int>(array.ndim())});
        std::vector<Fact>& facts = made.facts.emplace_back();
        if (!add_dense<bool>(array, constants, facts) &&
            !add_dense<float>(array, constants, facts)) {
            add_dense<double>(py::array_t<double>(array), constants, facts);
        }
    }
    made.schema = make_schema(std::move(inputs));
    return made;
}

}  // namespace

std::string text_of(const PredicateSymbol& symbol) {
    return symbol.name + "/" + std::to_string(symbol.arity);
}

py::tuple schema_state(const Schema& schema) {
    return py::make_tuple(schema.inputs, schema.target, schema.types, schema.directions);
}

SharedSchema schema_from(const py::tuple& state) {
    Schema schema;
    schema.inputs = state[0].cast<decltype(schema.inputs)>();
    schema.target = state[1].cast<PredicateSymbol>();
    schema.types = state[2].cast<decltype(schema.types)>();
    schema.directions = state[3].cast<decltype(schema.directions)>();
    return std::make_shared<const Schema>(std::move(schema));
}

py::tuple instance_state(const Instance& instance) {
    py::list facts;
    for (const std::vector<Fact>& table : instance.facts) {
        py::list rows;
        for (const Fact& fact : table) {
            rows.append(py::make_tuple(fact.first, fact.second, fact.value));
        }
        facts.append(rows);
    }
    py::list listed;
    for (const LabelledAtom& atom : instance.listed) {
        listed.append(py::make_tuple(atom.first, atom.second, static_cast<int>(atom.label)));
    }
    return py::make_tuple(
        instance.constants, instance.names, facts,
        py::bytes(reinterpret_cast<const char*>(instance.labels.data()), instance.labels.size()),
        listed, static_cast<int>(instance.unlisted));
}

/// A pickle may be of another version, or damaged: what inference relies on is checked.
void check_pickled(const Instance& instance) {
    const auto require = [](bool is_right, const char* what) {
        if (!is_right) {
            throw Error(std::string("this pickle is damaged: ") + what, {},
                        "pickle the instance again");
        }
    };
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    const int n = instance.constants;
    require(n >= 0, "it has a negative number of constants");
    require(instance.names.empty() || instance.names.size() == static_cast<std::size_t>(n),
            "it has another number of names than of constants");
    require(instance.facts.size() == inputs.size(),
            "it has another number of tables than of inputs");
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        require(inputs[p].arity >= 0, "an input has a negative arity");
        for (const Fact& fact : instance.facts[p]) {
            const bool first = inputs[p].arity < 1 ? fact.first == 0 : fact.first < n;
            const bool second = inputs[p].arity < 2 ? fact.second == 0 : fact.second < n;
            require(first && second && fact.first >= 0 && fact.second >= 0,
                    "a fact is of a constant that is not there");
            require(fact.value > 0 && fact.value <= 1, "a fact has no valuation above 0 up to 1");
        }
    }
    std::size_t atoms = 1;
    for (int i = 0; i < instance.schema->target.arity; ++i) {
        atoms *= static_cast<std::size_t>(n);
    }
    require(instance.labels.size() == atoms || instance.labels.empty(),
            "it has another number of labels than of atoms");
    const auto is_label = [](Label label) {
        return label == Label::negative || label == Label::positive || label == Label::unlabelled;
    };
    require(std::all_of(instance.labels.begin(), instance.labels.end(), is_label) &&
                is_label(instance.unlisted),
            "a label is neither positive, negative nor none");
    for (const LabelledAtom& atom : instance.listed) {
        require(atom.first >= 0 && atom.second >= 0 && atom.first < n && atom.second < n &&
                    is_label(atom.label),
                "an example is of a constant that is not there");
    }
}

Instance instance_from(SharedSchema schema, const py::tuple& state) {
    Instance instance;
    instance.schema = std::move(schema);
    instance.constants = state[0].cast<int>();
    instance.names = state[1].cast<std::vector<std::string>>();
    for (const py::handle& table : state[2]) {
        std::vector<Fact>& facts = instance.facts.emplace_back();
        for (const py::handle& row : table) {
            const auto [first, second, value] =
                row.cast<std::tuple<std::int32_t, std::int32_t, float>>();
            facts.push_back({first, second, value});
        }
    }
    const auto labels = state[3].cast<std::string>();
    instance.labels.resize(labels.size());
    std::memcpy(instance.labels.data(), labels.data(), labels.size());
    for (const py::handle& row : state[4]) {
        const auto [first, second, label] = row.cast<std::tuple<std::int32_t, std::int32_t, int>>();
        instance.listed.push_back({first, second, static_cast<Label>(label)});
    }
    instance.unlisted = static_cast<Label>(state[5].cast<int>());
    check_pickled(instance);
    return instance;
}

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

void bind_instance(py::module_& module) {
    py::class_<Instance>(module, "Instance", "Constants, their facts and the target's labels.")
        .def_property_readonly(
            "constants",
            [](const Instance& self) {
                py::list names;
                for (int i = 0; i < self.constants; ++i) {
                    names.append(self.name_of(i));
                }
                return names;
            },
            "Names, in the order of rows and columns of valuations.")
        .def_property_readonly(
            "inputs", [](const Instance& self) { return self.inputs(); },
            "Predicates with facts: (name, arity).")
        .def("facts", &facts_of, py::arg("predicate"), "Tuples that hold.")
        .def("valuation", &valuation_of, py::arg("predicate"),
             "The facts as an array of shape (n,) * arity.")
        .def_property_readonly("labels", &labels_of,
                               "Of the target's atoms in row-major order: 1, 0, or 2 for none. A "
                               "view, without a copy.")
        .def("__len__", [](const Instance& self) { return self.constants; })
        .def("__repr__",
             [](const Instance& self) {
                 std::size_t facts = 0;
                 for (const std::vector<Fact>& table : self.facts) {
                     facts += table.size();
                 }
                 return "<hri.Instance of " + std::to_string(self.constants) + " constants and " +
                        std::to_string(facts) + " facts>";
             })
        .def(py::pickle(
            [](const Instance& self) {
                return py::make_tuple(schema_state(*self.schema), instance_state(self));
            },
            [](const py::tuple& state) {
                return instance_from(schema_from(state[0].cast<py::tuple>()),
                                     state[1].cast<py::tuple>());
            }));
    module.def("dense_instance", &dense_instance, py::arg("valuations"), py::arg("constants"));
}

}  // namespace hri::python
