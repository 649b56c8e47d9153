// SPDX-License-Identifier: Apache-2.0

// Signatures for inspect.signature(), help() and notebooks. Python reads them from the first line
// of a built-in function's documentation: "predict(self, facts, steps=-1)\n--\n\n".

#include "bind.hpp"

#include <cstdlib>
#include <cstring>

namespace hri::python {

#if PYBIND11_VERSION_MAJOR < 3

namespace {

/// A default that Python's parser takes; others are written as `...`.
std::string default_text(const py::object& value) {
    const bool plain = value.is_none() || py::isinstance<py::bool_>(value) ||
                       py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value) ||
                       py::isinstance<py::str>(value);
    return plain ? std::string(py::repr(value)) : "...";
}

std::string parameters_of(const py::detail::function_record& record) {
    std::string text;
    const auto add = [&](const std::string& parameter) {
        text += (text.empty() ? "" : ", ") + parameter;
    };
    const std::size_t positional = record.nargs_pos;
    for (std::size_t i = 0; i < record.args.size(); ++i) {
        if (i == positional && !record.has_args) {
            add("*");
        }
        if (i == positional && record.has_args) {
            add("*args");
        }
        const py::detail::argument_record& argument = record.args[i];
        std::string parameter = argument.name != nullptr ? argument.name : "arg";
        if (argument.value) {
            parameter += "=" + default_text(py::reinterpret_borrow<py::object>(argument.value));
        }
        add(parameter);
    }
    if (record.args.empty()) {
        if (record.is_method) {
            add("self");
        }
        for (std::size_t i = record.is_method ? 1 : 0; i < positional; ++i) {
            add("arg" + std::to_string(i));
        }
    }
    if (record.has_args && record.args.size() <= positional) {
        add("*args");
    }
    if (record.has_kwargs) {
        add("**keywords");
    }
    return text;
}

/// None where it is no function of pybind11's.
const py::detail::function_record* record_of(PyObject* object) {
    if (PyInstanceMethod_Check(object)) {
        object = PyInstanceMethod_Function(object);
    }
    if (Py_TYPE(object) != &PyCFunction_Type || PyCFunction_GET_SELF(object) == nullptr ||
        !PyCapsule_CheckExact(PyCFunction_GET_SELF(object))) {
        return nullptr;
    }
    const auto capsule = py::reinterpret_borrow<py::capsule>(PyCFunction_GET_SELF(object));
    return capsule.get_pointer<py::detail::function_record>();
}

/// Of functions without overloads; what has no record is none of ours.
void add_signature(const py::handle& value) {
    PyObject* object = value.ptr();
    const py::detail::function_record* record = record_of(object);
    if (record == nullptr || record->next != nullptr) {
        return;
    }
    if (PyInstanceMethod_Check(object)) {
        object = PyInstanceMethod_Function(object);
    }
    PyMethodDef* definition = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
    const std::string text = std::string(definition->ml_name) + "(" + parameters_of(*record) +
                             ")\n--\n\n" +
                             (definition->ml_doc == nullptr ? "" : definition->ml_doc);
    // pybind11 owns the text, as allocated by strdup
    std::free(const_cast<char*>(definition->ml_doc));
    definition->ml_doc = ::strdup(text.c_str());
}

}  // namespace

void add_signatures(py::module_& module) {
    const auto add_all = [](const py::object& of) {
        for (const auto& item : of.attr("__dict__").attr("items")()) {
            const auto pair = item.cast<py::tuple>();
            const auto name = pair[0].cast<std::string>();
            if (!name.starts_with("__") || name == "__init__") {
                add_signature(PyStaticMethod_Type.tp_name ==
                                      std::string_view(Py_TYPE(pair[1].ptr())->tp_name)
                                  ? py::object(pair[1].attr("__func__"))
                                  : py::object(pair[1]));
            }
        }
    };
    add_all(module);
    for (const auto& item : module.attr("__dict__").attr("items")()) {
        const auto value = item.cast<py::tuple>()[1].cast<py::object>();
        if (PyType_Check(value.ptr())) {
            add_all(value);
        }
    }
}

#else

void add_signatures(py::module_& /*module*/) {}

#endif

}  // namespace hri::python
