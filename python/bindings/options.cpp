// SPDX-License-Identifier: Apache-2.0

// Options: a property per field of the C++ struct, by its own description of its fields.

#include "bind.hpp"

#include <algorithm>

namespace hri::python {
namespace {

using Kind = FieldInfo::Kind;

const char* kind_name(Kind kind) {
    switch (kind) {
        case Kind::integer:
            return "int";
        case Kind::real:
            return "float";
        case Kind::boolean:
            return "bool";
        case Kind::list:
            return "list";
        case Kind::text:
        case Kind::choice:
            break;
    }
    return "str";
}

py::dict as_dict(const Options& options) {
    py::dict dict;
    for (const OptionField& field : fields_of<Options>()) {
        dict[field.name.c_str()] = value_of(field, field.get(options));
    }
    return dict;
}

std::string shown(const Options& options) {
    const Options defaults;
    std::string text;
    for (const OptionField& field : fields_of<Options>()) {
        if (field.get(options) != field.get(defaults)) {
            text += (text.empty() ? "" : ", ") + field.name + "=" +
                    std::string(py::repr(value_of(field, field.get(options))));
        }
    }
    return "Options(" + text + ")";
}

}  // namespace

py::object value_of(const FieldInfo& field, const std::string& value) {
    const py::str text(value);
    switch (field.kind) {
        case Kind::integer:
            return py::int_(text);
        case Kind::real:
            return py::float_(text);
        case Kind::boolean:
            return py::bool_(value == "true");
        case Kind::list:
            return value.empty() ? py::list() : py::list(text.attr("split")(","));
        case Kind::text:
        case Kind::choice:
            break;
    }
    return text;
}

std::string text_of(const FieldInfo& field, const py::handle& value) {
    const auto numpy_number = py::module_::import("numbers").attr("Number");
    const bool boolean = py::isinstance<py::bool_>(value) ||
                         py::isinstance(value, py::module_::import("numpy").attr("bool_"));
    const bool number = !boolean && py::isinstance(value, numpy_number);
    const bool path = py::hasattr(value, "__fspath__");
    const bool text = py::isinstance<py::str>(value) || (path && field.kind == Kind::text);
    const char* expected = nullptr;
    switch (field.kind) {
        case Kind::integer:
            expected = number ? nullptr : "an integer";
            break;
        case Kind::real:
            expected = number ? nullptr : "a number";
            break;
        case Kind::boolean:
            expected = boolean ? nullptr : "True or False";
            break;
        case Kind::list:
            expected = py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)
                           ? nullptr
                           : "a list of strings";
            break;
        case Kind::text:
        case Kind::choice:
            expected = text ? nullptr : "a string";
            break;
    }
    if (expected != nullptr) {
        throw py::type_error(field.name + ": expected " + expected + ", found " +
                             std::string(py::repr(value)));
    }
    if (boolean) {
        return value.cast<bool>() ? "true" : "false";
    }
    if (field.kind == Kind::real) {
        return py::repr(py::float_(py::reinterpret_borrow<py::object>(value)));
    }
    if (field.kind == Kind::list) {
        return py::str(py::str(",").attr("join")(value));
    }
    return py::str(value);
}

std::vector<std::string> option_names() { return field_names<Options>(); }

void set_from_python(Options& options, const std::string& name, const py::handle& value) {
    set_field_from_python(options, name, value);
}

Options take_options(py::kwargs& keywords, const Options& base) {
    Options options = base;
    take_fields(options, keywords);
    try {
        validate(options);
    } catch (const Error& error) {
        throw OptionError(error.message(), error.place(), error.hint());
    }
    return options;
}

void refuse_rest(const py::kwargs& keywords, const std::vector<std::string>& known,
                 const char* function) {
    for (const auto& item : keywords) {
        const auto name = item.first.cast<std::string>();
        throw py::type_error(std::string(function) + "() has no keyword '" + name +
                             "' (did you mean " + nearest(name, known) + "?)");
    }
}

void bind_options(py::module_& module) {
    py::class_<Options> options(module, "Options",
                                R"(Every choice of the method; the defaults are the paper's.

>>> import hri
>>> options = hri.Options(layers=3, similarity="l2")
>>> options.layers, options.temperature
(3, 0.1)
>>> options
Options(layers=3, similarity='l2')
>>> hri.Options(similarity="l3")
Traceback (most recent call last):
    ...
hri.OptionError: similarity: 'l3' is not one of cosine, l1, l2, scalar_product (did you mean l1?)
)");
    options.def(py::init([](py::kwargs keywords) {
        Options made = take_options(keywords);
        refuse_rest(keywords, option_names(), "Options");
        return made;
    }));
    for (const OptionField& field : fields_of<Options>()) {
        std::string help = field.help;
        for (std::size_t i = 0; i < field.choices.size(); ++i) {
            help += (i == 0 ? " (" : ", ") + field.choices[i] +
                    (i + 1 == field.choices.size() ? ")" : "");
        }
        options.def_property(
            field.name.c_str(),
            [&field](const Options& self) { return value_of(field, field.get(self)); },
            [&field](Options& self, const py::object& value) {
                set_from_python(self, field.name, value);
            },
            py::doc(help.c_str()));
    }
    options.def("to_dict", &as_dict, "All fields by name.")
        .def("__repr__", &shown)
        .def("__eq__", [](const Options& self, const Options& other) { return self == other; })
        .def("__eq__", [](const Options&, const py::object&) { return false; })
        .def("__copy__", [](const Options& self) { return self; })
        .def(py::pickle([](const Options& self) { return as_dict(self); },
                        [](const py::dict& fields) {
                            py::kwargs keywords(fields);
                            return take_options(keywords);
                        }));
    options.attr("__hash__") = py::none();
    module.def("nearest", &nearest, py::arg("name"), py::arg("names"));
    module.def(
        "option_fields",
        [] {
            py::list fields;
            for (const OptionField& field : fields_of<Options>()) {
                fields.append(
                    py::dict(py::arg("name") = field.name, py::arg("type") = kind_name(field.kind),
                             py::arg("default") = value_of(field, field.get(Options{})),
                             py::arg("help") = field.help, py::arg("choices") = field.choices,
                             py::arg("group") = field.group));
            }
            return fields;
        },
        "The fields of Options: name, type, default, help, choices and group.");
}

}  // namespace hri::python
