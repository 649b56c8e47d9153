// SPDX-License-Identifier: Apache-2.0
#include "hri/trainable.hpp"

#include "soft/dense.hpp"
#include "soft/inference.hpp"
#include "soft/unification.hpp"
#include "train/adam.hpp"
#include "train/objective.hpp"

#include <algorithm>

namespace hri {

template <class Real>
struct Trainable<Real>::State {
    explicit State(const Model& given)
        : model(given),
          predicates(given.parameters.predicates.begin(), given.parameters.predicates.end()),
          slots(given.parameters.slots.begin(), given.parameters.slots.end()),
          unification(model.hierarchy, model.parameters.dimension, model.options.similarity),
          inference(model.hierarchy, model.protorules, model.options),
          predicate_adam(predicates.size(), model.options.learning_rate),
          slot_adam(slots.size(), model.options.learning_rate_rules),
          d_predicates(predicates.size()),
          d_slots(slots.size()) {}

    Model model;
    std::vector<Real> predicates, slots;
    soft::Unification<Real> unification;
    soft::Inference<Real> inference;
    training::Adam<Real> predicate_adam, slot_adam;
    soft::DenseInstance<Real> world;
    std::vector<Real> d_predicates, d_slots, d_alpha;
    bool has_world = false;
    bool has_scores = false;
    bool has_values = false;
    bool has_all = false;
    bool has_gradient = false;
};

template <class Real>
Trainable<Real>::Trainable(const Model& model) : state_(std::make_unique<State>(model)) {
    if (model.options.negation)
        throw Error("a model with negation runs layer by layer, not step by step", {},
                    "train it by train() or hri learn");
}

template <class Real>
Trainable<Real>::Trainable(Trainable&& other) noexcept = default;
template <class Real>
Trainable<Real>& Trainable<Real>::operator=(Trainable&& other) noexcept = default;
template <class Real>
Trainable<Real>::~Trainable() = default;

template <class Real>
Model Trainable<Real>::model() const {
    Model model = state_->model;
    const auto to_float = [](const std::vector<Real>& from, std::vector<float>& to) {
        std::transform(from.begin(), from.end(), to.begin(),
                       [](Real x) { return static_cast<float>(x); });
    };
    to_float(state_->predicates, model.parameters.predicates);
    to_float(state_->slots, model.parameters.slots);
    return model;
}

template <class Real>
std::vector<Real>& Trainable<Real>::predicates() {
    return state_->predicates;
}

template <class Real>
std::vector<Real>& Trainable<Real>::slots() {
    return state_->slots;
}

template <class Real>
void Trainable<Real>::set_facts(const Instance& instance) {
    if (instance.constants < 1)
        throw Error("a world without constants has nothing to infer", {}, "give it facts");
    const Model& model = state_->model;
    soft::make_dense(state_->world, instance, soft::columns_of(instance.inputs(), model.inputs),
                     model.inputs, model.target.arity, constants_of(model.protorules));
    state_->has_world = true;
    state_->has_values = false;
}

template <class Real>
void Trainable<Real>::set_facts(int constants) {
    set_facts(make_instance(make_schema({}), std::max(constants, 0)));
}

template <class Real>
void Trainable<Real>::set_input(int input, const Real* values) {
    State& state = *state_;
    if (!state.has_world)
        throw Error("there is no world to set an input of", {}, "set_facts() first");
    const auto index = static_cast<std::size_t>(input);
    if (input < 0 || index >= state.model.inputs.size())
        throw Error("there is no input " + std::to_string(input));
    const int n = state.world.n;
    const int arity = state.model.inputs[index].arity;
    const int across = arity == 2 ? n : 1;
    const int count = arity == 0 ? 1 : n * across;
    if (!std::all_of(values, values + count, [](Real v) { return v >= 0 && v <= 1; }))
        throw Error("valuations of " + state.model.inputs[index].name +
                    " are expected to be numbers from 0 to 1");
    Real* matrix = state.world.values.data() + (2 + input) * n * state.world.ld;
    for (int x = 0; x < n; ++x) {
        const Real* row = values + (arity == 0 ? 0 : x * across);
        if (arity == 2)
            std::copy_n(row, n, matrix + x * state.world.ld);
        else
            std::fill_n(matrix + x * state.world.ld, n, *row);
    }
    state.world.zero[2 + index] =
        std::all_of(values, values + count, [](Real v) { return v == 0; });
    state.has_values = false;
}

template <class Real>
int Trainable<Real>::constants() const {
    return state_->has_world ? state_->world.n : 0;
}

template <class Real>
const std::vector<Real>& Trainable<Real>::unify(const Point& point) {
    State& state = *state_;
    const Real* predicates = point.predicates ? point.predicates : state.predicates.data();
    const Real* slots = point.slots ? point.slots : state.slots.data();
    const double temperature =
        point.temperature > 0 ? point.temperature : state.model.options.temperature;
    if (state.model.options.mask_absent && state.has_world)
        state.unification.hide(state.world.zero);
    state.unification.forward(predicates, slots, point.noise, static_cast<Real>(temperature));
    state.has_scores = true;
    state.has_values = false;
    return state.unification.alpha();
}

template <class Real>
const std::vector<Real>& Trainable<Real>::infer(int steps, bool all) {
    State& state = *state_;
    if (!state.has_world || !state.has_scores)
        throw Error("inference needs facts and scores", {}, "set_facts() and unify() first");
    if (steps < 1)
        throw Error("expected at least one step, found " + std::to_string(steps));
    state.inference.keep_all(all);
    state.inference.forward(state.unification.alpha().data(), state.world, steps);
    state.has_values = true;
    state.has_all = all;
    return state.inference.target();
}

template <class Real>
typename Trainable<Real>::Matrix Trainable<Real>::valuation(int predicate) const {
    const State& state = *state_;
    const Hierarchy& hierarchy = state.model.hierarchy;
    if (predicate < 0 || predicate >= hierarchy.predicates())
        throw Error("there is no predicate " + std::to_string(predicate));
    const bool input = predicate < hierarchy.first_auxiliary();
    if (input ? !state.has_world : !(state.has_values && state.has_all))
        throw Error("the valuations of this predicate are not there", {},
                    input ? "set_facts() first" : "infer with `all` first");
    return {input ? state.world.matrix(predicate) : state.inference.value(predicate), state.world.n,
            state.world.ld};
}

template <class Real>
void Trainable<Real>::backward(const Real* d_target, const Real* d_alpha) {
    State& state = *state_;
    if (!state.has_values)
        throw Error("there is nothing to differentiate", {}, "unify() and infer() first");
    const std::size_t scores = state.unification.alpha().size();
    state.d_alpha.assign(scores, Real(0));
    if (d_alpha != nullptr)
        std::copy_n(d_alpha, scores, state.d_alpha.begin());
    state.inference.backward(state.d_alpha.data(), d_target);
    state.unification.backward(state.d_predicates.data(), state.d_slots.data(),
                               state.d_alpha.data());
    training::clear_fixed(state.d_predicates.data(), state.model.hierarchy,
                          state.model.parameters.dimension);
    state.has_gradient = true;
}

template <class Real>
const std::vector<Real>& Trainable<Real>::d_predicates() const {
    return state_->d_predicates;
}

template <class Real>
const std::vector<Real>& Trainable<Real>::d_slots() const {
    return state_->d_slots;
}

template <class Real>
void Trainable<Real>::step() {
    State& state = *state_;
    if (!state.has_gradient)
        throw Error("there is no gradient to step against", {}, "backward() first");
    if (state.model.options.train_predicates)
        state.predicate_adam.step(state.predicates.data(), state.d_predicates.data());
    state.slot_adam.step(state.slots.data(), state.d_slots.data());
}

template class Trainable<float>;
template class Trainable<double>;

}  // namespace hri
