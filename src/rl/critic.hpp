// SPDX-License-Identifier: Apache-2.0
#pragma once

// The value of a state, for any number of objects.
//
// With c1 unary and c2 binary inputs, each object has the width c1 + 6 c2 + 2 hidden: its unary
// facts; max, mean and min of its row and of its column of the binary facts; the last state of a
// GRU over its row and of the same GRU over its column, the others in a random order. Over the
// objects: max, mean, min, and the last state of a second GRU. Then a linear layer, ReLU, a linear
// layer.
//
//   Critic<float> critic(inputs, 64, seed);
//   const std::vector<float>& values = critic.forward(states, random);
//   critic.backward(d_values);      // into critic.gradient()

#include "hri/data.hpp"
#include "hri/random.hpp"

#include "rl/gru.hpp"
#include "rl/state_table.hpp"

#include <cstdint>
#include <vector>

namespace hri::rl {

template <class Real>
class Critic {
  public:
    Critic(const std::vector<PredicateSymbol>& inputs, int hidden, std::uint64_t seed);

    /// One value for each state; all states have the same number of constants.
    const std::vector<Real>& forward(const std::vector<State>& states, Random& random);
    /// Overwrites gradient() by that of sum_i d_values[i] values[i], of the last forward.
    void backward(const std::vector<Real>& d_values);

    std::vector<Real>& parameters() { return parameters_; }

    const std::vector<Real>& gradient() const { return gradient_; }

  private:
    void read_objects(const std::vector<State>& states, Random& random);
    void pool_objects();

    int unary_ = 0;   // c1
    int binary_ = 0;  // c2
    int hidden_;
    int width_;                // of an object
    std::vector<int> column_;  // [input]: its place among those of its arity, -1 for nullary ones
    std::vector<int> arity_;
    Gru<Real> facts_gru_;
    Gru<Real> objects_gru_;
    std::vector<Real>
        parameters_;  // first GRU, second GRU, first layer and its bias, second layer and its bias
    std::vector<Real> gradient_;

    int states_ = 0;
    int objects_ = 0;                      // per state
    std::vector<Matrix<Real>> sequences_;  // [t]: (c2, distinct sequences)
    std::vector<int> sequence_of_;  // (states, objects, row or column): among the distinct ones
    std::vector<Matrix<Real>> features_;  // [object]: (width, states)
    std::vector<int> most_, least_;       // (states, width): the object that max and min took
    Matrix<Real> pooled_;                 // (3 width + hidden, states)
    Matrix<Real> layer_;                  // (hidden, states), after ReLU
    std::vector<Real> values_;
};

extern template class Critic<float>;
extern template class Critic<double>;

}  // namespace hri::rl
