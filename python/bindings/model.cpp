// SPDX-License-Identifier: Apache-2.0

// Models: the hierarchy, its embeddings and soft inference.

#include "bind.hpp"

#include <memory>

namespace hri::python {
namespace {

Model made(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
           std::uint64_t seed, py::kwargs options) {
    const Options chosen = take_options(options);
    refuse_rest(options, option_names(), "Model");
    return make_model(inputs, target, chosen, seed);
}

py::array alphas(const Model& self) {
    return moved(unification(self), {static_cast<py::ssize_t>(self.hierarchy.slots.size()),
                                     self.hierarchy.predicates()});
}

/// What each slot belongs to, and its place there.
std::vector<std::pair<std::string, int>> slot_names(const Model& self) {
    std::vector<std::pair<std::string, int>> names(self.hierarchy.slots.size(),
                                                   {self.target.name, 1});
    for (const Auxiliary& auxiliary : self.hierarchy.auxiliaries) {
        int place = 0;
        for (const int slot : auxiliary.slots) {
            names[static_cast<std::size_t>(slot)] = {auxiliary.name, ++place};
        }
    }
    return names;
}

py::array parameters_of(const py::object& self, std::vector<float> Parameters::*which) {
    Model& model = self.cast<Model&>();
    std::vector<float>& values = model.parameters.*which;
    const auto dimension = static_cast<py::ssize_t>(model.parameters.dimension);
    return view(values, {static_cast<py::ssize_t>(values.size()) / dimension, dimension}, self);
}

void set_parameters(Model& self, std::vector<float> Parameters::*which, const py::object& given) {
    std::vector<float>& values = self.parameters.*which;
    const auto dimension = static_cast<py::ssize_t>(self.parameters.dimension);
    const auto array = shaped<float>(
        given, {static_cast<py::ssize_t>(values.size()) / dimension, dimension}, "parameters");
    std::copy_n(array.data(), values.size(), values.begin());
}

py::array inferred(const Model& self, const py::object& facts, std::optional<int> steps) {
    const Instance instance = instance_of(facts, self.target);
    std::vector<float> valuations;
    {
        const py::gil_scoped_release nogil;
        valuations = infer(self, instance, steps.value_or(self.options.eval_steps));
    }
    return moved(std::move(valuations), shape_of(instance.constants, self.target.arity));
}

}  // namespace

void bind_model(py::module_& module) {
    py::class_<Model, std::shared_ptr<Model>>(module, "Model",
                                              R"(A hierarchy of proto-rules and its embeddings.

>>> import hri
>>> rules = '''
... A: H(X) <- P(X,Y)
... C: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)
... '''
>>> model = hri.Model([("parent", 2)], ("grandparent", 2), rules=rules, layers=2)
>>> model.alphas.shape == (len(model.slots), len(model.predicates))
True
>>> model.infer({"parent": [("ann", "bob"), ("bob", "cleo")]}, steps=2).shape
(3, 3)
)")
        .def(
            py::init(&made), py::arg("inputs"), py::arg("target"), py::arg("seed") = 0,
            "Keywords are those of Options; `rules` may be a named set, a file or the text itself.")
        .def_property_readonly(
            "options", [](const Model& self) { return self.options; }, "A copy.")
        .def_property_readonly(
            "inputs", [](const Model& self) { return self.inputs; }, "(name, arity)")
        .def_property_readonly(
            "target", [](const Model& self) { return self.target; }, "(name, arity)")
        .def_property_readonly("predicates", &row_names,
                               "Names in the order of rows: True, False, inputs, auxiliaries.")
        .def_property_readonly(
            "arities", [](const Model& self) { return self.hierarchy.arity; }, "Of predicates.")
        .def_property_readonly("slots", &slot_names,
                               "(predicate, place in its body); the target's is the last.")
        .def_property_readonly(
            "rules",
            [](const Model& self) {
                std::vector<std::string> rules;
                for (const ProtoRule& rule : self.protorules) {
                    rules.push_back(to_text(rule));
                }
                return rules;
            },
            "The proto-rules as text.")
        .def_property(
            "predicate_embeddings",
            [](const py::object& self) { return parameters_of(self, &Parameters::predicates); },
            [](Model& self, const py::object& values) {
                set_parameters(self, &Parameters::predicates, values);
            },
            "(predicates, dimension), a view that can be written to.")
        .def_property(
            "slot_embeddings",
            [](const py::object& self) { return parameters_of(self, &Parameters::slots); },
            [](Model& self, const py::object& values) {
                set_parameters(self, &Parameters::slots, values);
            },
            "(slots, dimension), a view that can be written to.")
        .def_property_readonly("alphas", &alphas,
                               "Unification scores without noise, (slots, predicates).")
        .def(
            "infer", &inferred, py::arg("facts"), py::arg("steps") = py::none(),
            "The target's soft valuations, of shape (n,) * arity; -1 steps: until nothing changes.")
        .def(
            "extract", [](const Model& self) { return extract(self); },
            "The program of the best match of every slot, as it stands.")
        .def(
            "explain",
            [](const Model& self, const py::object& facts, const std::string& atom,
               std::optional<int> steps) {
                const Instance instance = instance_of(facts, self.target);
                const py::gil_scoped_release nogil;
                return explain(self, instance, parse_ground_atom(atom),
                               steps.value_or(self.options.eval_steps));
            },
            py::arg("facts"), py::arg("atom"), py::arg("steps") = py::none(),
            "The path that carries most of an atom's valuation.")
        .def(
            "save", [](const Model& self, const std::string& path) { save_model(path, self); },
            py::arg("path"), "As safetensors, whole or not at all.")
        .def_static(
            "load", [](const std::string& path) { return load_model(path); }, py::arg("path"),
            "What save() wrote.")
        .def(
            "to_bytes", [](const Model& self) { return py::bytes(model_to_bytes(self)); },
            "What save() writes.")
        .def_static(
            "from_bytes", [](const std::string& bytes) { return model_from_bytes(bytes); },
            py::arg("bytes"), "What to_bytes() gave.")
        .def(
            "to_json", [](const Model& self) { return to_json(self); },
            "The argmax program, and the hierarchy with its weights: see docs/reference/json.md.")
        .def(
            "to_dot", [](const Model& self, double min_weight) { return to_dot(self, min_weight); },
            py::arg("min_weight") = kMinWeightDrawn, "For Graphviz.")
        .def(
            "to_svg", [](const Model& self, double min_weight) { return to_svg(self, min_weight); },
            py::arg("min_weight") = kMinWeightDrawn, "The hierarchy as a drawing.")
        .def("__repr__",
             [](const Model& self) {
                 return "<hri.Model for " + text_of(self.target) + ": " +
                        std::to_string(self.options.layers) + " layers, " +
                        std::to_string(self.hierarchy.predicates()) + " predicates, " +
                        std::to_string(self.hierarchy.slots.size()) + " slots>";
             })
        .def(py::pickle([](const Model& self) { return py::bytes(model_to_bytes(self)); },
                        [](const py::bytes& bytes) {
                            return std::make_shared<Model>(model_from_bytes(bytes, "<pickle>"));
                        }));
}

}  // namespace hri::python
