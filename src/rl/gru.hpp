// SPDX-License-Identifier: Apache-2.0
#pragma once

// A gated recurrent unit over a batch of sequences of one length, and its gradient.
//   r = s(Wr x + br + Ur h + cr)     z = s(Wz x + bz + Uz h + cz)
//   m = tanh(Wm x + bm + r (Um h + cm))                  h' = (1 - z) m + z h,  from h = 0
// Parameters lie in one array: W (3 hidden, inputs), U (3 hidden, hidden), b, c (3 hidden), the
// gates in the order r, z, m.

#include <Eigen/Core>
#include <vector>

namespace hri::rl {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

template <class Real>
class Gru {
  public:
    Gru(int inputs, int hidden) : inputs_(inputs), hidden_(hidden) {}

    int parameters() const { return 3 * hidden_ * (inputs_ + hidden_ + 2); }

    /// sequence[t]: (inputs, batch). Keeps what backward needs. Returns the last h: (hidden,
    /// batch).
    const Matrix<Real>& forward(const Real* parameters, std::vector<Matrix<Real>> sequence);

    /// d_last: (hidden, batch). Accumulates into d_parameters; overwrites d_sequence unless null.
    void backward(Real* d_parameters, std::vector<Matrix<Real>>* d_sequence, const Real* parameters,
                  const Matrix<Real>& d_last);

  private:
    int inputs_;
    int hidden_;
    std::vector<Matrix<Real>> x_;      // (inputs, batch) each
    std::vector<Matrix<Real>> h_;      // (hidden, batch), h_[0] = 0
    std::vector<Matrix<Real>> gates_;  // (3 hidden, batch): r, z, m
    std::vector<Matrix<Real>> um_;     // (hidden, batch): Um h + cm
};

extern template class Gru<float>;
extern template class Gru<double>;

}  // namespace hri::rl
