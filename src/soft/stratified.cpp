// SPDX-License-Identifier: Apache-2.0
#include "soft/stratified.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::soft {

namespace {

constexpr int kFirstInput = Hierarchy::kFalse + 1;

}  // namespace

template <class Real>
StratifiedInference<Real>::StratifiedInference(const Hierarchy& hierarchy,
                                               const ProtoRules& protorules, const Options& options,
                                               base::ThreadPool* pool, bool input_gradients)
    : hierarchy_(&hierarchy), input_gradients_(input_gradients) {
    if (!options.negation) {
        whole_.emplace(hierarchy, protorules, options, input_gradients ? kFirstInput : -1, pool);
        return;
    }
    for (int layer = 1; layer <= hierarchy.auxiliaries.back().layer; ++layer)
        add_layer(layer, protorules, options, pool);
}

template <class Real>
void StratifiedInference<Real>::add_layer(int number, const ProtoRules& protorules,
                                          const Options& options, base::ThreadPool* pool) {
    layers_.push_back(std::make_unique<Layer>());
    Layer& layer = *layers_.back();
    const Hierarchy& h = *hierarchy_;
    const bool is_top = number == h.auxiliaries.back().layer;
    std::vector<char> is_read(static_cast<std::size_t>(h.predicates()), 0);
    std::vector<int> own;
    for (std::size_t a = 0; a < h.auxiliaries.size(); ++a) {
        if (h.auxiliaries[a].layer != number)
            continue;
        own.push_back(h.first_auxiliary() + static_cast<int>(a));
        for (const int slot : h.auxiliaries[a].slots)
            for (const int p : h.slots[static_cast<std::size_t>(slot)].candidates)
                is_read[static_cast<std::size_t>(p)] = 1;
    }
    const auto is_own = [&](int p) { return std::find(own.begin(), own.end(), p) != own.end(); };
    for (int p = 0; p < h.first_auxiliary(); ++p)
        layer.predicates.push_back(p);
    layer.learned = h.first_auxiliary();
    for (int p = h.first_auxiliary(); p < h.predicates(); ++p)
        if (is_read[static_cast<std::size_t>(p)] != 0 && !is_own(p))
            layer.predicates.push_back(p);
    layer.hierarchy.inputs = static_cast<int>(layer.predicates.size()) - 2;
    layer.predicates.insert(layer.predicates.end(), own.begin(), own.end());

    std::vector<int> local(static_cast<std::size_t>(h.predicates()), -1);
    for (std::size_t i = 0; i < layer.predicates.size(); ++i) {
        const auto p = static_cast<std::size_t>(layer.predicates[i]);
        local[p] = static_cast<int>(i);
        layer.hierarchy.arity.push_back(h.arity[p]);
    }
    const auto add_slot = [&](int slot, const std::vector<int>& candidates) {
        layer.slots.push_back(slot);
        Slot& added = layer.hierarchy.slots.emplace_back();
        for (const int p : candidates)
            added.candidates.push_back(local[static_cast<std::size_t>(p)]);
        std::sort(added.candidates.begin(), added.candidates.end());
        return static_cast<int>(layer.slots.size()) - 1;
    };
    for (const int p : own) {
        Auxiliary auxiliary = h.auxiliaries[static_cast<std::size_t>(p - h.first_auxiliary())];
        for (int& slot : auxiliary.slots)
            slot = add_slot(slot, h.slots[static_cast<std::size_t>(slot)].candidates);
        layer.hierarchy.auxiliaries.push_back(std::move(auxiliary));
    }
    if (is_top)
        add_slot(h.target_slot(), h.slots.back().candidates);
    else
        add_slot(-1, own);  // all of them are wanted
    layer.hierarchy.target_arity = h.target_arity;
    layer.inference.emplace(layer.hierarchy, protorules, options,
                            input_gradients_ ? kFirstInput : layer.learned, pool);
}

template <class Real>
typename StratifiedInference<Real>::Layer& StratifiedInference<Real>::owner(int predicate,
                                                                            int& local) {
    const auto& all = hierarchy_->auxiliaries;
    const int a = predicate - hierarchy_->first_auxiliary();
    Layer& layer = *layers_[static_cast<std::size_t>(all[static_cast<std::size_t>(a)].layer - 1)];
    local =
        static_cast<int>(std::find(layer.predicates.begin(), layer.predicates.end(), predicate) -
                         layer.predicates.begin());
    return layer;
}

// The layer's scores and inputs, as numbered there.
template <class Real>
void StratifiedInference<Real>::prepare(Layer& layer, const Real* alpha,
                                        const DenseInstance<Real>& instance) {
    const auto width = layer.predicates.size();
    layer.alpha.assign(layer.slots.size() * width, Real(0));
    for (std::size_t s = 0; s < layer.slots.size(); ++s)
        for (std::size_t i = 0; i < width && layer.slots[s] >= 0; ++i)
            layer.alpha[s * width + i] =
                alpha[layer.slots[s] * hierarchy_->predicates() + layer.predicates[i]];

    const int n = instance.n;
    const int ld = instance.ld;
    const auto area = static_cast<std::ptrdiff_t>(n) * ld;
    DenseInstance<Real>& dense = layer.instance;
    const int inputs = layer.hierarchy.first_auxiliary();
    dense.n = n;
    dense.ld = ld;
    dense.constants = instance.constants;
    dense.target_arity = instance.target_arity;
    dense.values.assign(
        base::checked_size("matrices of a layer",
                           {{"predicates", inputs}, {"constants", n}, {"columns", ld}},
                           sizeof(Real)),
        Real(0));
    std::copy_n(instance.values.begin(), layer.learned * area, dense.values.begin());
    dense.zero.assign(static_cast<std::size_t>(inputs), false);
    std::copy_n(instance.zero.begin(), layer.learned, dense.zero.begin());
    for (int i = layer.learned; i < inputs; ++i) {
        const int p = layer.predicates[static_cast<std::size_t>(i)];
        int local = 0;
        Layer& below = owner(hierarchy_->positive(p), local);
        const Real* from = below.inference->value(local);
        Real* to = dense.values.data() + i * area;
        const bool negated = hierarchy_->is_negation(p);
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y)
                to[x * ld + y] =
                    negated ? std::max(Real(0), 1 - from[x * ld + y]) : from[x * ld + y];
    }
}

template <class Real>
void StratifiedInference<Real>::forward(const Real* alpha, const DenseInstance<Real>& instance,
                                        int steps) {
    if (whole_) {
        whole_->forward(alpha, instance, steps);
        return;
    }
    for (const auto& layer : layers_) {
        prepare(*layer, alpha, instance);
        layer->inference->forward(layer->alpha.data(), layer->instance, steps);
    }
}

template <class Real>
void StratifiedInference<Real>::forward_only(const Real* alpha, const DenseInstance<Real>& instance,
                                             int steps) {
    if (whole_) {
        whole_->forward_only(alpha, instance, steps);
        return;
    }
    for (const auto& layer : layers_) {
        prepare(*layer, alpha, instance);
        layer->inference->forward_only(layer->alpha.data(), layer->instance, steps);
    }
}

template <class Real>
const std::vector<Real>& StratifiedInference<Real>::target() const {
    return whole_ ? whole_->target() : layers_.back()->inference->target();
}

// What the layer's inputs got, to the auxiliaries below that they are.
template <class Real>
void StratifiedInference<Real>::pass_down(const Layer& layer) {
    const int area = layer.instance.n * layer.instance.ld;
    for (int i = layer.learned; i < layer.hierarchy.first_auxiliary(); ++i) {
        const int p = layer.predicates[static_cast<std::size_t>(i)];
        int local = 0;
        Layer& below = owner(hierarchy_->positive(p), local);
        Real* to = below.d_values.data() + (local - below.hierarchy.first_auxiliary()) * area;
        const Real* from = layer.inference->d_input(i);
        const Real sign = hierarchy_->is_negation(p) ? Real(-1) : Real(1);
        for (int k = 0; k < area; ++k)
            to[k] += sign * from[k];
    }
}

template <class Real>
void StratifiedInference<Real>::backward(Real* d_alpha, const Real* d_target) {
    if (whole_) {
        whole_->backward(d_alpha, d_target);
        return;
    }
    for (const auto& layer : layers_)
        layer->d_values.assign(layer->hierarchy.auxiliaries.size() *
                                   static_cast<std::size_t>(layer->instance.n) *
                                   static_cast<std::size_t>(layer->instance.ld),
                               Real(0));
    for (std::size_t l = layers_.size(); l-- > 0;) {
        Layer& layer = *layers_[l];
        layer.d_alpha.assign(layer.alpha.size(), Real(0));
        if (l + 1 == layers_.size())
            layer.inference->backward(layer.d_alpha.data(), d_target);
        else
            layer.inference->backward_values(layer.d_alpha.data(), layer.d_values.data());
        const std::size_t width = layer.predicates.size();
        for (std::size_t s = 0; s < layer.slots.size(); ++s)
            for (std::size_t i = 0; i < width && layer.slots[s] >= 0; ++i)
                d_alpha[layer.slots[s] * hierarchy_->predicates() + layer.predicates[i]] +=
                    layer.d_alpha[s * width + i];
        pass_down(layer);
    }
}

template <class Real>
void StratifiedInference<Real>::add_d_input(int predicate, Real* d_value) const {
    const auto add = [&](const Inference<Real>& inference, int area) {
        const Real* from = inference.d_input(predicate);
        for (int k = 0; k < area; ++k)
            d_value[k] += from[k];
    };
    if (whole_)
        add(*whole_, whole_->area());
    for (const auto& layer : layers_)
        add(*layer->inference, layer->inference->area());
}

template <class Real>
void StratifiedInference<Real>::keep_all(bool all) {
    if (whole_)
        whole_->keep_all(all);
    for (const auto& layer : layers_)
        layer->inference->keep_all(all);
}

template <class Real>
const Real* StratifiedInference<Real>::value(int predicate) {
    if (whole_)
        return whole_->value(predicate);
    int local = 0;
    const Layer& layer = owner(predicate, local);
    return layer.inference->value(local);
}

template <class Real>
const Real* StratifiedInference<Real>::value_at(int predicate, int s) {
    if (whole_)
        return whole_->value_at(predicate, s);
    int local = 0;
    const Layer& layer = owner(predicate, local);
    return layer.inference->value_at(local, s);
}

template <class Real>
int StratifiedInference<Real>::steps_done(int predicate) {
    int local = 0;
    return whole_ ? whole_->steps_done() : owner(predicate, local).inference->steps_done();
}

template class StratifiedInference<float>;
template class StratifiedInference<double>;

}  // namespace hri::soft
