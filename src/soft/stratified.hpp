// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inference layer by layer, for hierarchies with negations.
//
// With synchronous steps and MERGE = max a predicate that is negated too early would stay true. So
// a layer takes all its steps before the next one begins; to that one the predicates below are
// inputs, and their negations, 1 - v, too. Without negation it is plain Inference over all layers.

#include "soft/inference.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hri::soft {

template <class Real>
class StratifiedInference {
  public:
    /// With `input_gradients`, backward gives the gradients of the facts too.
    StratifiedInference(const Hierarchy& hierarchy, const ProtoRules& protorules,
                        const Options& options, base::ThreadPool* pool = nullptr,
                        bool input_gradients = false);

    /// Like the functions of Inference; each layer takes `steps` steps.
    void forward(const Real* alpha, const DenseInstance<Real>& instance, int steps);
    void forward_only(const Real* alpha, const DenseInstance<Real>& instance, int steps);
    const std::vector<Real>& target() const;
    void backward(Real* d_alpha, const Real* d_target);
    /// Adds the gradient of an input, by its number among the predicates, to d_value: (n, ld).
    void add_d_input(int predicate, Real* d_value) const;

    void keep_all(bool all);
    /// Like the function of Inference, for predicates that are no negations.
    const Real* value(int predicate);
    /// An auxiliary's valuation after step s, and its number of steps.
    const Real* value_at(int predicate, int s);
    int steps_done(int predicate);

  private:
    /// One layer as a hierarchy of its own.
    struct Layer {
        Hierarchy hierarchy;
        std::vector<int> predicates;  // [predicate here] its number in the whole
        std::vector<int> slots;       // [slot here]; the target's stands last, -1 below the top
        int learned = 0;              // first predicate that comes from a lower layer
        std::optional<Inference<Real>> inference;
        DenseInstance<Real> instance;
        std::vector<Real> alpha, d_alpha;  // (slots, predicates), as numbered here
        std::vector<Real> d_values;        // (auxiliaries, n, ld)
    };

    void add_layer(int layer, const ProtoRules& protorules, const Options& options,
                   base::ThreadPool* pool);
    void prepare(Layer& layer, const Real* alpha, const DenseInstance<Real>& instance);
    void pass_down(const Layer& layer);
    /// The layer that a predicate belongs to, and its number there.
    Layer& owner(int predicate, int& local);

    const Hierarchy* hierarchy_;
    bool input_gradients_;
    std::optional<Inference<Real>> whole_;        // without negation
    std::vector<std::unique_ptr<Layer>> layers_;  // otherwise
};

extern template class StratifiedInference<float>;
extern template class StratifiedInference<double>;

}  // namespace hri::soft
