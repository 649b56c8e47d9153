// SPDX-License-Identifier: Apache-2.0

// The extension module hri._core.

#include "hri/version.hpp"

#include "bind.hpp"

#include <exception>

namespace hri::python {

/// {reify=true} as reify=True, {split=always} as split='always', {target} as target=
std::string keyword(const std::string& name, const std::string& value) {
    if (name.ends_with("()")) {
        return name;
    }
    const bool number =
        !value.empty() && value.find_first_not_of("0123456789.-") == std::string::npos;
    return name + "=" +
           (value == "true"           ? "True"
            : value == "false"        ? "False"
            : number || value.empty() ? value
                                      : "'" + value + "'");
}

namespace {

/// Raises a class of hri._errors with the place and the hint.
void raise(const char* name, const Error& error) {
    const Place& place = error.place();
    const py::module_ errors = py::module_::import("hri._errors");
    const py::object type = errors.attr(name);
    const std::string hint = show_fields(error.hint(), keyword);
    const py::object value =
        type(error.message(), errors.attr("Place")(place.file, place.line, place.column), hint,
             std::string(Error(error.message(), place, hint).what()));
    PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) {
            std::rethrow_exception(std::move(thrown));
        }
    } catch (const OptionError& error) {
        raise("OptionError", error);
    } catch (const Error& error) {
        raise(error.place().line > 0 ? "ParseError" : "Error", error);
    }
}

/// Arrays of NumPy 2 have another layout, which pybind11 knows from 2.12 on. Without it their
/// contents would be wrong.
void check_numpy() {
#if PYBIND11_VERSION_MAJOR == 2 && PYBIND11_VERSION_MINOR < 12
    const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
    if (version.substr(0, version.find('.')).size() > 1 || version[0] >= '2') {
        const std::string message =
            "this hri was built with pybind11 " + std::to_string(PYBIND11_VERSION_MAJOR) + "." +
            std::to_string(PYBIND11_VERSION_MINOR) + ", which knows NumPy 1 only; found NumPy " +
            version +
            ". Build it by `pip install .`, which takes a newer pybind11, or install 'numpy<2'";
        throw py::import_error(message);
    }
#endif
}

}  // namespace
}  // namespace hri::python

PYBIND11_MODULE(_core, module) {
    namespace bind = hri::python;
    bind::check_numpy();
    pybind11::options docs;
    docs.disable_function_signatures();
    module.doc() = "The C++ library; use the package hri.";
    module.attr("__version__") = std::string(hri::version());
    pybind11::register_exception_translator(&bind::translate);
    bind::bind_options(module);
    bind::bind_instance(module);
    bind::bind_problem(module);
    bind::bind_program(module);
    bind::bind_learn(module);
    bind::bind_graph(module);
    bind::bind_model(module);
    bind::bind_trainable(module);
    bind::bind_cuda_layer(module);
    bind::bind_judge(module);
    bind::bind_policies(module);
    bind::bind_scenes(module);
    bind::bind_scene_rules(module);
    bind::add_signatures(module);
}
