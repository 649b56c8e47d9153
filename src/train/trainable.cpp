// SPDX-License-Identifier: Apache-2.0
#include "hri/trainable.hpp"

#include "base/index.hpp"
#include "base/thread_pool.hpp"
#include "soft/dense.hpp"
#include "soft/stratified.hpp"
#include "soft/unification.hpp"
#include "train/adam.hpp"
#include "train/objective.hpp"

#include <algorithm>

namespace hri {

namespace {

constexpr std::size_t kRunBytes = std::size_t(256) << 20;  // of all runs that are kept for backward

using base::at;

}  // namespace

namespace training {

/// Inference over one instance at a time, and what its backward found.
template <class Real>
struct InstanceRun {
    InstanceRun(const Model& model, bool input_gradients)
        : inference(model.hierarchy, model.protorules, model.options, nullptr, input_gradients) {}

    soft::StratifiedInference<Real> inference;
    int holds = -1;  // the instance whose forward pass it did last
};

}  // namespace training

template <class Real>
struct Trainable<Real>::State {
    State(const Model& given, const TrainableSettings& given_settings)
        : model(given),
          settings(given_settings),
          predicates(given.parameters.predicates.begin(), given.parameters.predicates.end()),
          slots(given.parameters.slots.begin(), given.parameters.slots.end()),
          unification(model.hierarchy, model.parameters.dimension, model.options.similarity),
          pool(std::max(settings.threads, 1)),
          predicate_adam(predicates.size(), model.options.learning_rate),
          slot_adam(slots.size(), model.options.learning_rate_rules),
          d_predicates(predicates.size()),
          d_slots(slots.size()) {}

    int batch() const { return static_cast<int>(worlds.size()); }

    /// The atoms of one instance; a wide number, since it is multiplied by the batch.
    std::ptrdiff_t atoms(int arity) const {
        const std::ptrdiff_t n = worlds.front().n;
        return arity == 0 ? 1 : arity == 1 ? n : n * n;
    }

    std::ptrdiff_t area() const {
        return static_cast<std::ptrdiff_t>(worlds.front().n) * worlds.front().ld;
    }

    std::size_t input_index(int input) const {
        if (input < 0 || at(input) >= model.inputs.size())
            throw Error("there is no input " + std::to_string(input));
        return at(input);
    }

    /// The input that is the negation of an input; -1: none.
    int negation_of(std::size_t input) const {
        const PredicateSymbol& symbol = model.inputs[input];
        for (std::size_t i = 0; i < model.inputs.size(); ++i)
            if (model.inputs[i].negated && !symbol.negated && model.inputs[i].name == symbol.name &&
                model.inputs[i].arity == symbol.arity)
                return static_cast<int>(i);
        return -1;
    }

    void make_runs();
    void fill(soft::DenseInstance<Real>& world, std::size_t input, const Real* values) const;
    void run_forward(training::InstanceRun<Real>& run, int instance);

    /// work(run, instance) for all of the batch: instance i has run i % runs, and each run takes
    /// its instances from the first to the last, or back.
    template <class Work>
    void each_instance(bool backwards, const Work& work) {
        const int count = static_cast<int>(runs.size());
        pool.each(count, [&](int r) {
            const int last = r + (batch() - 1 - r) / count * count;
            for (int k = 0; r + k * count <= last; ++k)
                work(*runs[at(r)], backwards ? last - k * count : r + k * count);
        });
    }

    Model model;
    TrainableSettings settings;
    std::vector<Real> predicates, slots;
    soft::Unification<Real> unification;
    base::ThreadPool pool;
    std::vector<std::unique_ptr<training::InstanceRun<Real>>> runs;
    std::vector<soft::DenseInstance<Real>> worlds;  // the batch
    training::Adam<Real> predicate_adam, slot_adam;
    std::vector<Real> target;    // (batch, atoms)
    std::vector<Real> d_inputs;  // (batch, inputs, n, ld)
    std::vector<Real> d_alphas;  // (batch, slots, predicates)
    std::vector<Real> d_predicates, d_slots, d_alpha;
    int steps = 0;
    bool has_scores = false;
    bool has_values = false;
    bool has_all = false;
    bool has_gradient = false;
    bool has_input_gradient = false;
};

// Makes as many runs as fit into kRunBytes, at least one for each worker. Other instances are
// inferred again by backward.
template <class Real>
void Trainable<Real>::State::make_runs() {
    const std::size_t bytes = 3 * sizeof(Real) * at(steps + 1) *
                              model.hierarchy.auxiliaries.size() * static_cast<std::size_t>(area());
    const std::size_t fitting = kRunBytes / std::max<std::size_t>(bytes, 1);
    const std::size_t wanted = std::min(worlds.size(), std::max(fitting, at(pool.size())));
    runs.resize(std::min(runs.size(), wanted));
    while (runs.size() < wanted)
        runs.push_back(
            std::make_unique<training::InstanceRun<Real>>(model, settings.input_gradients));
}

template <class Real>
void Trainable<Real>::State::run_forward(training::InstanceRun<Real>& run, int instance) {
    run.inference.keep_all(has_all);
    run.inference.forward(unification.alpha().data(), worlds[at(instance)], steps);
    run.holds = instance;
}

/// values: (constants^arity); unary ones are repeated along rows.
template <class Real>
void Trainable<Real>::State::fill(soft::DenseInstance<Real>& world, std::size_t input,
                                  const Real* values) const {
    const int n = world.n;
    const int arity = model.inputs[input].arity;
    const auto matrix_of = [&](std::size_t i) {
        return world.values.data() + (2 + static_cast<int>(i)) * n * world.ld;
    };
    Real* matrix = matrix_of(input);
    for (int x = 0; x < n; ++x) {
        const Real* row = values + (arity == 0 ? 0 : arity == 1 ? x : x * n);
        if (arity == 2)
            std::copy_n(row, n, matrix + x * world.ld);
        else
            std::fill_n(matrix + x * world.ld, n, *row);
    }
    // A predicate that is 0 everywhere is passed over, and would get no gradient.
    world.zero[2 + input] = !settings.input_gradients && std::all_of(values, values + atoms(arity),
                                                                     [](Real v) { return v == 0; });
    if (const int negation = negation_of(input); negation >= 0) {
        Real* negated = matrix_of(at(negation));
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y)
                negated[x * world.ld + y] = 1 - matrix[x * world.ld + y];
        world.zero[2 + at(negation)] = false;
    }
}

template <class Real>
Trainable<Real>::Trainable(const Model& model, const TrainableSettings& settings)
    : state_(std::make_unique<State>(model, settings)) {}

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
    State& state = *state_;
    const Model& model = state.model;
    state.worlds.resize(1);
    soft::DenseInstance<Real>& world = state.worlds.front();
    soft::make_dense(world, instance, soft::columns_of(instance.inputs(), model.inputs),
                     model.inputs, model.target.arity, constants_of(model.protorules));
    if (state.settings.input_gradients)
        std::fill(world.zero.begin() + 2, world.zero.end(), false);
    state.has_values = false;
}

template <class Real>
void Trainable<Real>::set_facts(int constants, int batch) {
    if (batch < 1)
        throw Error("expected a batch of at least one instance, found " + std::to_string(batch));
    set_facts(make_instance(make_schema({}), std::max(constants, 0)));
    state_->worlds.resize(at(batch), state_->worlds.front());
}

template <class Real>
void Trainable<Real>::set_input(int input, const Real* values) {
    State& state = *state_;
    if (state.worlds.empty())
        throw Error("there is no world to set an input of", {}, "set_facts() first");
    const std::size_t index = state.input_index(input);
    const std::ptrdiff_t atoms = state.atoms(state.model.inputs[index].arity);
    if (!std::all_of(values, values + state.batch() * atoms,
                     [](Real v) { return v >= 0 && v <= 1; }))
        throw Error("valuations of " + state.model.inputs[index].name +
                    " are expected to be numbers from 0 to 1");
    for (int i = 0; i < state.batch(); ++i)
        state.fill(state.worlds[at(i)], index, values + i * atoms);
    state.has_values = false;
}

template <class Real>
int Trainable<Real>::constants() const {
    return state_->worlds.empty() ? 0 : state_->worlds.front().n;
}

template <class Real>
int Trainable<Real>::batch() const {
    return state_->batch();
}

template <class Real>
const std::vector<Real>& Trainable<Real>::unify(const Point& point) {
    State& state = *state_;
    const Real* predicates = point.predicates ? point.predicates : state.predicates.data();
    const Real* slots = point.slots ? point.slots : state.slots.data();
    const double temperature =
        point.temperature > 0 ? point.temperature : state.model.options.temperature;
    if (state.model.options.mask_absent && state.batch() > 1)
        throw Error("absent inputs differ between the instances of a batch", {},
                    "leave out {mask_absent}, or give one instance at a time");
    if (state.model.options.mask_absent && state.batch() == 1)
        state.unification.hide(state.worlds.front().zero);
    state.unification.forward(predicates, slots, point.noise, static_cast<Real>(temperature));
    state.has_scores = true;
    state.has_values = false;
    return state.unification.alpha();
}

template <class Real>
const std::vector<Real>& Trainable<Real>::infer(int steps, bool all) {
    State& state = *state_;
    if (state.worlds.empty() || !state.has_scores)
        throw Error("inference needs facts and scores", {}, "set_facts() and unify() first");
    if (steps < 1)
        throw Error("expected at least one step, found " + std::to_string(steps));
    state.steps = steps;
    state.has_all = all;
    state.make_runs();
    const std::ptrdiff_t atoms = state.atoms(state.model.target.arity);
    state.target.resize(static_cast<std::size_t>(state.batch() * atoms));
    state.each_instance(false, [&](training::InstanceRun<Real>& run, int i) {
        state.run_forward(run, i);
        std::copy_n(run.inference.target().begin(), atoms, state.target.begin() + i * atoms);
    });
    state.has_values = true;
    return state.target;
}

template <class Real>
typename Trainable<Real>::Matrix Trainable<Real>::valuation(int predicate) const {
    State& state = *state_;
    const Hierarchy& hierarchy = state.model.hierarchy;
    if (predicate < 0 || predicate >= hierarchy.predicates())
        throw Error("there is no predicate " + std::to_string(predicate));
    const bool input = predicate < hierarchy.first_auxiliary();
    if (input ? state.worlds.empty() : !(state.has_values && state.has_all))
        throw Error("the valuations of this predicate are not there", {},
                    input ? "set_facts() first" : "infer with `all` first");
    if (hierarchy.is_negation(predicate))
        throw Error("the valuations of negations are not kept", {},
                    "take 1 minus those of the predicate itself");
    const soft::DenseInstance<Real>& world = state.worlds.front();
    if (!input && state.runs.front()->holds != 0)
        state.run_forward(*state.runs.front(), 0);
    return {input ? world.matrix(predicate) : state.runs.front()->inference.value(predicate),
            world.n, world.ld};
}

template <class Real>
void Trainable<Real>::backward(const Real* d_target, const Real* d_alpha) {
    State& state = *state_;
    if (!state.has_values)
        throw Error("there is nothing to differentiate", {}, "unify() and infer() first");
    const std::size_t scores = state.unification.alpha().size();
    const int inputs = state.settings.input_gradients ? state.model.hierarchy.inputs : 0;
    const std::ptrdiff_t area = state.area();
    const std::ptrdiff_t atoms = state.atoms(state.model.target.arity);
    state.d_alphas.assign(scores * at(state.batch()), Real(0));
    state.d_inputs.assign(static_cast<std::size_t>(state.batch() * inputs * area), Real(0));
    // The first instance goes on from the gradient that was given, as a sum over one would.
    if (d_alpha != nullptr)
        std::copy_n(d_alpha, scores, state.d_alphas.begin());
    state.each_instance(true, [&](training::InstanceRun<Real>& run, int i) {
        if (run.holds != i)
            state.run_forward(run, i);
        run.inference.backward(state.d_alphas.data() + at(i) * scores, d_target + i * atoms);
        for (int p = 0; p < inputs; ++p)
            run.inference.add_d_input(2 + p, state.d_inputs.data() + (i * inputs + p) * area);
    });
    state.d_alpha.assign(state.d_alphas.begin(),
                         state.d_alphas.begin() + static_cast<std::ptrdiff_t>(scores));
    for (std::size_t i = 1; i < at(state.batch()); ++i)
        for (std::size_t k = 0; k < scores; ++k)
            state.d_alpha[k] += state.d_alphas[i * scores + k];
    state.unification.backward(state.d_predicates.data(), state.d_slots.data(),
                               state.d_alpha.data());
    training::clear_fixed(state.d_predicates.data(), state.model.hierarchy,
                          state.model.parameters.dimension);
    state.has_gradient = true;
    state.has_input_gradient = inputs > 0;
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
std::vector<Real> Trainable<Real>::d_input(int input) const {
    const State& state = *state_;
    const std::size_t index = state.input_index(input);
    if (!state.has_input_gradient)
        throw Error("there are no gradients of facts", {},
                    "ask for them when the network is made, and call backward() first");
    const int n = state.worlds.front().n;
    const int ld = state.worlds.front().ld;
    const int arity = state.model.inputs[index].arity;
    const std::ptrdiff_t atoms = state.atoms(arity);
    std::vector<Real> result(static_cast<std::size_t>(state.batch() * atoms));
    const auto add = [&](std::size_t p, Real sign) {
        for (int i = 0; i < state.batch(); ++i) {
            const Real* from =
                state.d_inputs.data() +
                (i * state.model.hierarchy.inputs + static_cast<int>(p)) * state.area();
            Real* to = result.data() + i * atoms;
            for (int x = 0; x < n; ++x)
                for (int y = 0; y < n; ++y)
                    to[arity == 0 ? 0 : arity == 1 ? x : x * n + y] += sign * from[x * ld + y];
        }
    };
    add(index, Real(1));
    if (const int negation = state.negation_of(index); negation >= 0)
        add(at(negation), Real(-1));
    return result;
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
