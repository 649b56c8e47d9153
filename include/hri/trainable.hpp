// SPDX-License-Identifier: Apache-2.0
#pragma once

// A model inside somebody's own training loop: scores, inference, a loss gradient from outside, the
// gradient of the parameters, Adam.
//
//   Trainable<float> net(model);
//   net.set_facts(instance);
//   net.unify();                              // alpha
//   net.infer(options.train_steps);           // the target's valuations
//   net.backward(d_target);                   // yours; fills d_predicates() and d_slots()
//   net.step();                               // Adam, with the rates of the model's options
//
// A batch is several instances with the same number of constants, whose facts something else
// computed; backward gives the gradients of the facts too:
//
//   Trainable<float> net(model, {.input_gradients = true});
//   net.set_facts(constants, batch);
//   net.set_input(0, values);                 // (batch, constants^arity)
//   ... unify, infer and backward as above    // targets: (batch, constants^arity)
//   net.d_input(0);                           // (batch, constants^arity)

#include "hri/data.hpp"
#include "hri/fields.hpp"
#include "hri/model.hpp"

#include <memory>
#include <vector>

namespace hri {

struct TrainableSettings {
    bool input_gradients = false;  ///< backward fills d_input()
    int threads = 1;               ///< share a batch; the result does not depend on them
};

template <>
const std::vector<Field<TrainableSettings>>& fields_of<TrainableSettings>();

/// In float as training runs, or in double for checks of gradients.
template <class Real>
class Trainable {
  public:
    explicit Trainable(const Model& model, const TrainableSettings& settings = {});
    Trainable(Trainable&& other) noexcept;
    Trainable& operator=(Trainable&& other) noexcept;
    ~Trainable();

    /// The model with the present parameters.
    Model model() const;

    /// (predicates, dimension) and (slots, dimension). Rows of True and False are fixed, and so are
    /// the first two columns of all other predicates: their gradient is 0.
    std::vector<Real>& predicates();
    std::vector<Real>& slots();

    /// The facts to infer from.
    void set_facts(const Instance& instance);
    /// Makes room for `batch` instances without facts.
    void set_facts(int constants, int batch = 1);
    /// All facts of an input at once, instance after instance: constants^arity values each, in
    /// row-major order, from 0 to 1.
    void set_input(int input, const Real* values);

    int constants() const;
    int batch() const;

    /// Other sources of the scores than the parameters; null: the parameters.
    struct Point {
        const Real* predicates = nullptr;  ///< with noise of one's own
        const Real* slots = nullptr;
        const Real* noise = nullptr;  ///< (slots, predicates), added to similarities
        double temperature = 0;       ///< 0: of the model's options
    };

    /// Unification scores, (slots, predicates).
    const std::vector<Real>& unify(const Point& point = {});
    /// The target's valuations after `steps` steps from the last scores, instance after instance.
    /// With `all`, the valuations of every predicate too.
    const std::vector<Real>& infer(int steps, bool all = false);

    /// Valuations as inference holds them: entry (x, y) is at x * stride + y. A unary predicate
    /// repeats its value along a row, one without arguments everywhere.
    struct Matrix {
        const Real* values;
        int constants;
        int stride;
    };

    /// A valuation of the first instance after the last infer(). Auxiliaries need its `all`.
    Matrix valuation(int predicate) const;

    /// Gradients of the parameters from those of target and, if wanted, scores (null: none). Needs
    /// unify() and infer() before.
    void backward(const Real* d_target, const Real* d_alpha = nullptr);
    const std::vector<Real>& d_predicates() const;
    const std::vector<Real>& d_slots() const;
    /// The gradient of an input's facts: as set_input() takes them. Needs `input_gradients`.
    std::vector<Real> d_input(int input) const;

    /// One step of Adam against the last gradient.
    void step();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class Trainable<float>;
extern template class Trainable<double>;

}  // namespace hri
