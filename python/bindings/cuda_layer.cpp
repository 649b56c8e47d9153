// SPDX-License-Identifier: Apache-2.0

// Inference over tensors that lie on a GPU. Addresses come as numbers; hri.torch checks shapes.

#include "bind.hpp"

#include <cstdint>
#include <map>

namespace hri::python {
namespace {

using Address = std::uintptr_t;

template <class Real>
Real* pointer(Address address) {
    return reinterpret_cast<Real*>(address);
}

/// [input of the model]; a negation follows from the input itself.
template <class Entry>
std::vector<Entry*> by_input(const std::vector<PredicateSymbol>& inputs,
                             const std::map<std::string, Address>& given) {
    std::vector<Entry*> result(inputs.size(), nullptr);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto found = given.find(inputs[i].name);
        if (found != given.end() && !inputs[i].negated) {
            result[i] = pointer<Entry>(found->second);
        }
    }
    return result;
}

template <class Real>
struct Layer {
    explicit Layer(const Model& model) : inputs(model.inputs), layer(model) {}

    std::vector<PredicateSymbol> inputs;
    CudaLayer<Real> layer;
};

template <class Real>
void bind_layer(py::module_& module, const char* name) {
    using Given = std::map<std::string, Address>;
    py::class_<Layer<Real>>(module, name, "The computation behind hri.torch.RuleLayer on a GPU.")
        .def(py::init<const Model&>(), py::arg("model"))
        .def(
            "infer",
            [](Layer<Real>& self, int device, Address stream, int constants, int batch, int steps,
               double temperature, Address predicates, Address slots, Address noise,
               const Given& inputs, Address target, Address alphas) {
                LayerCall<Real> call{.device = device,
                                     .stream = pointer<void>(stream),
                                     .constants = constants,
                                     .batch = batch,
                                     .steps = steps,
                                     .temperature = temperature,
                                     .predicates = pointer<const Real>(predicates),
                                     .slots = pointer<const Real>(slots),
                                     .noise = pointer<const Real>(noise),
                                     .inputs = by_input<const Real>(self.inputs, inputs),
                                     .target = pointer<Real>(target),
                                     .alphas = pointer<Real>(alphas)};
                const py::gil_scoped_release nogil;
                self.layer.infer(call);
            },
            py::kw_only(), py::arg("device"), py::arg("stream"), py::arg("constants"),
            py::arg("batch"), py::arg("steps"), py::arg("temperature"), py::arg("predicates"),
            py::arg("slots"), py::arg("noise"), py::arg("inputs"), py::arg("target"),
            py::arg("alphas"), "Target and scores; all addresses are of the GPU's memory.")
        .def(
            "backward",
            [](Layer<Real>& self, Address d_target, Address d_alphas, Address d_predicates,
               Address d_slots, const Given& d_inputs) {
                LayerGradient<Real> gradient{.d_target = pointer<const Real>(d_target),
                                             .d_alphas = pointer<const Real>(d_alphas),
                                             .d_predicates = pointer<Real>(d_predicates),
                                             .d_slots = pointer<Real>(d_slots),
                                             .d_inputs = by_input<Real>(self.inputs, d_inputs)};
                const py::gil_scoped_release nogil;
                self.layer.backward(gradient);
            },
            py::kw_only(), py::arg("d_target"), py::arg("d_alphas"), py::arg("d_predicates"),
            py::arg("d_slots"), py::arg("d_inputs"), "Gradients of the last infer().");
}

}  // namespace

void bind_cuda_layer(py::module_& module) {
    bind_layer<float>(module, "CudaLayer32");
    bind_layer<double>(module, "CudaLayer64");
    module.def("back_ends", &back_ends,
               "What this build can run on, such as 'cpu' and 'cuda (NVIDIA H200, 139 GiB)'.");
}

}  // namespace hri::python
