// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the parts of the extension module share. Each part binds what one or two public headers
// hold; nothing is computed here.

#include "hri/hri.hpp"
#include "hri/smallest_hierarchy.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace pybind11::detail {

/// A predicate is ("parent", 2) in Python, or "parent/2" where one is given.
template <>
struct type_caster<hri::PredicateSymbol> {
    PYBIND11_TYPE_CASTER(hri::PredicateSymbol, const_name("Tuple[str, int]"));

    bool load(handle from, bool);
    static handle cast(const hri::PredicateSymbol& symbol, return_value_policy, handle);
};

}  // namespace pybind11::detail

namespace hri::python {

namespace py = pybind11;

/// An option that does not exist or has no such value.
class OptionError : public Error {
    using Error::Error;
};

/// An array over a vector that `owner` keeps alive, without a copy.
template <class Value>
py::array_t<Value> view(std::vector<Value>& values, std::vector<py::ssize_t> shape,
                        py::handle owner) {
    return py::array_t<Value>(std::move(shape), values.data(), owner);
}

/// The same, not to be written to.
template <class Value>
py::array_t<Value> const_view(const std::vector<Value>& values, std::vector<py::ssize_t> shape,
                              py::handle owner) {
    py::array_t<Value> array(std::move(shape), values.data(), owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

/// An array that owns the vector, without a copy.
template <class Value>
py::array_t<Value> moved(std::vector<Value>&& values, std::vector<py::ssize_t> shape) {
    auto* kept = new std::vector<Value>(std::move(values));
    const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<Value>*>(p); });
    return py::array_t<Value>(std::move(shape), kept->data(), owner);
}

/// (n, ..., n), as many times as the predicate has arguments.
inline std::vector<py::ssize_t> shape_of(int constants, int arity) {
    return std::vector<py::ssize_t>(static_cast<std::size_t>(arity), constants);
}

/// Throws a ValueError that names `what` unless the array has that shape and no NaN or infinity.
void check(const py::array& array, const std::vector<py::ssize_t>& shape, const char* what);

/// Anything like an array as one of this type, checked. Copied only where type or layout differ.
template <class Value>
auto shaped(const py::object& given, const std::vector<py::ssize_t>& shape, const char* what) {
    using Array = py::array_t<Value, py::array::c_style | py::array::forcecast>;
    Array array = Array::ensure(given);
    if (!array) {
        PyErr_Clear();
        throw py::type_error(std::string(what) + ": expected an array of numbers, found " +
                             std::string(py::repr(given)));
    }
    check(array, shape, what);
    return array;
}

/// A field's value, given as text, as Python has it.
py::object value_of(const FieldInfo& field, const std::string& value);
/// What a field's `set` takes. Python's True is no number here, and 4.0 no integer.
std::string text_of(const FieldInfo& field, const py::handle& value);

/// Throws OptionError on a bad value and a TypeError on one of the wrong type.
template <class Settings>
void set_field_from_python(Settings& settings, const std::string& name, const py::handle& value) {
    try {
        const Field<Settings>& field = find_field<Settings>(name);
        field.set(settings, text_of(field, value));
    } catch (const Error& error) {
        throw OptionError(error.message(), error.place(), error.hint());
    }
}

/// Sets the fields that keywords name; the others stay in `keywords`.
template <class Settings>
void take_fields(Settings& settings, py::kwargs& keywords) {
    for (const Field<Settings>& field : fields_of<Settings>()) {
        if (keywords.contains(field.name)) {
            set_field_from_python(settings, field.name, keywords[field.name.c_str()]);
            keywords.attr("pop")(field.name);
        }
    }
}

/// Options from keywords; the others stay in `keywords`.
Options take_options(py::kwargs& keywords, const Options& base = {});
/// Sets one option from a Python value.
void set_from_python(Options& options, const std::string& name, const py::handle& value);
/// A TypeError that names the nearest where keywords are left.
void refuse_rest(const py::kwargs& keywords, const std::vector<std::string>& known,
                 const char* function);
std::vector<std::string> option_names();

/// Keywords of reading: the fields of ReadOptions and SplitOptions.
ReadOptions reading_of(py::kwargs keywords, const char* function);
/// A field of the library as Python writes it: reify=True, split='always'.
std::string keyword(const std::string& name, const std::string& value);

/// As pickles keep them. Instances share the schema, so that it is kept apart.
py::tuple schema_state(const Schema& schema);
SharedSchema schema_from(const py::tuple& state);
py::tuple instance_state(const Instance& instance);
Instance instance_from(SharedSchema schema, const py::tuple& state);

/// "parent/2"
std::string text_of(const PredicateSymbol& symbol);

/// A problem's "training" or "evaluation". Throws a ValueError for another word.
const Source& part_of(const Problem& problem, const std::string& part);

/// Of facts in any form that hri.problem() takes, an Instance or a problem of one instance.
Instance instance_of(const py::object& facts, const PredicateSymbol& target);

/// The same for predicates of any arity.
std::shared_ptr<const Database> database_of(const py::object& facts, const PredicateSymbol& target);

void bind_options(py::module_& module);
void bind_instance(py::module_& module);
void bind_problem(py::module_& module);
void bind_program(py::module_& module);
void bind_model(py::module_& module);
void bind_trainable(py::module_& module);
void bind_cuda_layer(py::module_& module);
void bind_learn(py::module_& module);
void bind_judge(py::module_& module);
void bind_policies(py::module_& module);
void bind_scenes(py::module_& module);
void bind_scene_rules(py::module_& module);
/// What inspect.signature() reads, for all functions and methods that are bound so far.
void add_signatures(py::module_& module);
void bind_graph(py::module_& module);

}  // namespace hri::python
