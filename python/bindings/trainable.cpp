// SPDX-License-Identifier: Apache-2.0

// A model inside one's own training loop.

#include "hri/trainable.hpp"

#include "bind.hpp"

#include <algorithm>
#include <atomic>

namespace hri::python {
namespace {

template <class Real>
struct Net {
    Net(const Model& given, const TrainableSettings& settings)
        : model(given), trainable(given, settings) {}

    Model model;  // as it was given: its parameters stay behind
    Trainable<Real> trainable;
    bool batched = false;  // arrays have the instances of the batch as their first dimension
    std::atomic<bool> in_use = false;

    /// Held during a call. Calls release the interpreter's lock, so that a second thread may come.
    class Use {
      public:
        explicit Use(Net& net) : net_(net) {
            if (net_.in_use.exchange(true)) {
                throw Error("this trainable is in use by another thread", {},
                            "give each thread its own, or use a lock");
            }
        }

        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        ~Use() { net_.in_use = false; }

      private:
        Net& net_;
    };

    py::ssize_t dimension() const { return model.parameters.dimension; }

    py::ssize_t predicates() const { return model.hierarchy.predicates(); }

    py::ssize_t slots() const { return static_cast<py::ssize_t>(model.hierarchy.slots.size()); }

    std::vector<py::ssize_t> scores_shape() const { return {slots(), predicates()}; }

    int predicate_named(const py::object& which) const {
        if (py::isinstance<py::int_>(which)) {
            return which.cast<int>();
        }
        const auto name = which.cast<std::string>();
        const std::vector<std::string> names = row_names(model);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found != names.end()) {
            return static_cast<int>(found - names.begin());
        }
        throw py::key_error(name);
    }

    void set_facts(const py::object& facts, std::optional<int> batch) {
        const Use use(*this);
        if (py::isinstance<py::int_>(facts)) {
            trainable.set_facts(facts.cast<int>(), batch.value_or(1));
        } else if (batch) {
            throw py::type_error(
                "batch: goes with a number of constants, whose facts set_input() gives");
        } else {
            trainable.set_facts(instance_of(facts, model.target));
        }
        batched = batch.has_value();
    }

    /// Of valuations of a predicate.
    std::vector<py::ssize_t> valuations_shape(int arity) const {
        std::vector<py::ssize_t> shape = shape_of(trainable.constants(), arity);
        if (batched) {
            shape.insert(shape.begin(), trainable.batch());
        }
        return shape;
    }

    int input_named(const py::object& which) const {
        const int input = predicate_named(which) - 2;
        if (input < 0 || input >= model.hierarchy.inputs) {
            throw py::value_error("expected an input predicate, found " +
                                  std::string(py::repr(which)));
        }
        return input;
    }

    int arity_of(int input) const { return model.inputs[static_cast<std::size_t>(input)].arity; }

    void set_input(const py::object& which, const py::object& values) {
        const Use use(*this);
        const int input = input_named(which);
        const auto array = shaped<Real>(values, valuations_shape(arity_of(input)), "valuations");
        const py::gil_scoped_release nogil;
        trainable.set_input(input, array.data());
    }

    const std::vector<Real>& unify(std::optional<double> temperature, const py::object& noise,
                                   const py::object& predicate_embeddings,
                                   const py::object& slot_embeddings) {
        if (temperature && !(*temperature > 0)) {
            throw py::value_error("temperature: expected a number above 0");
        }
        typename Trainable<Real>::Point point;
        point.temperature = temperature.value_or(0);
        py::object kept[3];
        const auto take = [](const py::object& given, const std::vector<py::ssize_t>& shape,
                             const char* what, py::object& kept_alive) -> const Real* {
            if (given.is_none()) {
                return nullptr;
            }
            const auto array = shaped<Real>(given, shape, what);
            kept_alive = array;
            return array.data();
        };
        point.noise = take(noise, scores_shape(), "noise", kept[0]);
        point.predicates = take(predicate_embeddings, {predicates(), dimension()},
                                "predicate_embeddings", kept[1]);
        point.slots = take(slot_embeddings, {slots(), dimension()}, "slot_embeddings", kept[2]);
        const py::gil_scoped_release nogil;
        return trainable.unify(point);
    }
};

/// A copy: inference uses its own memory again, and moves it where worlds grow.
template <class Real>
py::array_t<Real> valuation(Net<Real>& net, const py::object& which) {
    const typename Net<Real>::Use use(net);
    const int predicate = net.predicate_named(which);
    const auto matrix = net.trainable.valuation(predicate);
    const int arity = net.model.hierarchy.arity[static_cast<std::size_t>(predicate)];
    const auto one = static_cast<py::ssize_t>(sizeof(Real));
    const std::vector<py::ssize_t> strides = {matrix.stride * one, one};
    return py::array_t<Real>(shape_of(matrix.constants, arity),
                             std::vector<py::ssize_t>(strides.begin(), strides.begin() + arity),
                             matrix.values)
        .attr("copy")();
}

template <class Real>
void bind_net(py::module_& module, const char* name) {
    using N = Net<Real>;
    const auto embeddings = [](const py::object& self, auto which) {
        N& net = self.cast<N&>();
        std::vector<Real>& values = (net.trainable.*which)();
        const auto rows = static_cast<py::ssize_t>(values.size()) / net.dimension();
        return view(values, {rows, net.dimension()}, self);
    };
    const auto gradients = [](const N& net) {
        const auto copy = [&](const std::vector<Real>& values) {
            const auto rows = static_cast<py::ssize_t>(values.size()) / net.dimension();
            return py::array_t<Real>({rows, net.dimension()}, values.data());
        };
        return py::make_tuple(copy(net.trainable.d_predicates()), copy(net.trainable.d_slots()));
    };
    py::class_<N>(module, name, "A model inside one's own training loop: see hri.trainable.")
        .def(py::init([](const Model& model, bool input_gradients, int threads) {
                 return std::make_unique<N>(
                     model,
                     TrainableSettings{.input_gradients = input_gradients, .threads = threads});
             }),
             py::arg("model"), py::arg("input_gradients") = false, py::arg("threads") = 1)
        .def_property_readonly(
            "model",
            [](N& net) {
                const typename N::Use use(net);
                return net.trainable.model();
            },
            "A copy of the model with the present parameters.")
        .def_property_readonly(
            "constants", [](const N& net) { return net.trainable.constants(); }, "Of an instance.")
        .def_property_readonly(
            "predicate_embeddings",
            [embeddings](const py::object& self) {
                return embeddings(self, &Trainable<Real>::predicates);
            },
            "(predicates, dimension), a view that can be written to.")
        .def_property_readonly(
            "slot_embeddings",
            [embeddings](const py::object& self) {
                return embeddings(self, &Trainable<Real>::slots);
            },
            "(slots, dimension), a view that can be written to.")
        .def_property_readonly(
            "batch", [](const N& net) { return net.trainable.batch(); }, "Instances in the batch.")
        .def("set_facts", &N::set_facts, py::arg("facts"), py::arg("batch") = py::none(),
             "Facts to infer from, in any form; or a number of constants, without facts yet. With "
             "`batch`, of so many instances: arrays then have them as their first dimension.")
        .def("set_input", &N::set_input, py::arg("predicate"), py::arg("valuations"),
             "All facts of an input at once: an array of shape (n,) * arity with values in [0, 1].")
        .def(
            "d_input",
            [](N& net, const py::object& which) {
                const typename N::Use use(net);
                const int input = net.input_named(which);
                return moved(net.trainable.d_input(input),
                             net.valuations_shape(net.arity_of(input)));
            },
            py::arg("predicate"),
            "The gradient of an input's facts after backward(), where `input_gradients` was asked "
            "for: an array as set_input() takes it.")
        .def(
            "unify",
            [](const py::object& self, std::optional<double> temperature, const py::object& noise,
               const py::object& predicates, const py::object& slots) {
                N& net = self.cast<N&>();
                const typename N::Use use(net);
                // scores are overwritten by the next call, and the caller keeps them: a copy
                return py::array_t<Real>(net.scores_shape(),
                                         net.unify(temperature, noise, predicates, slots).data());
            },
            py::arg("temperature") = py::none(), py::arg("noise") = py::none(),
            py::arg("predicate_embeddings") = py::none(), py::arg("slot_embeddings") = py::none(),
            "Unification scores, (slots, predicates). Noise is added to similarities; embeddings "
            "other than the parameters may be given, with noise of one's own.")
        .def(
            "infer",
            [](N& net, std::optional<int> steps, bool all) {
                const typename N::Use use(net);
                const int count = steps.value_or(net.model.options.train_steps);
                const std::vector<Real>* target = nullptr;
                {
                    const py::gil_scoped_release nogil;
                    target = &net.trainable.infer(count, all);
                }
                return py::array_t<Real>(net.valuations_shape(net.model.target.arity),
                                         target->data());
            },
            py::arg("steps") = py::none(), py::arg("all") = false,
            "The target's valuations, (n,) * arity. With `all`, those of every predicate can be "
            "read by valuation().")
        .def("valuation", &valuation<Real>, py::arg("predicate"),
             "Of a predicate by name or row: of inputs after set_facts(), of others after "
             "infer(all=True).")
        .def(
            "backward",
            [gradients](N& net, const py::object& d_target, const py::object& d_alphas) {
                const typename N::Use use(net);
                const auto target = shaped<Real>(
                    d_target, net.valuations_shape(net.model.target.arity), "d_target");
                py::object kept;
                const Real* scores = nullptr;
                if (!d_alphas.is_none()) {
                    const auto array = shaped<Real>(d_alphas, net.scores_shape(), "d_alphas");
                    kept = array;
                    scores = array.data();
                }
                const Real* values = target.data();
                {
                    const py::gil_scoped_release nogil;
                    net.trainable.backward(values, scores);
                }
                return gradients(net);
            },
            py::arg("d_target"), py::arg("d_alphas") = py::none(),
            "From a loss's gradient with respect to the target's valuations (and scores): the "
            "gradients of predicate and slot embeddings.")
        .def(
            "step",
            [](N& net) {
                const typename N::Use use(net);
                net.trainable.step();
            },
            "One step of Adam against the last gradient, with the options' learning rates.");
}

}  // namespace

void bind_trainable(py::module_& module) {
    bind_net<float>(module, "Trainable32");
    bind_net<double>(module, "Trainable64");
}

}  // namespace hri::python
