// SPDX-License-Identifier: Apache-2.0
#include "rl/gru.hpp"

namespace hri::rl {
namespace {

/// The parameters as matrices.
template <class Real, class Pointer>
struct Weights {
    using M = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>,
                                 const Matrix<Real>, Matrix<Real>>;
    using V = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>,
                                 const Eigen::Matrix<Real, Eigen::Dynamic, 1>,
                                 Eigen::Matrix<Real, Eigen::Dynamic, 1>>;
    Eigen::Map<M> w, u;
    Eigen::Map<V> b, c;

    Weights(Pointer p, int inputs, int hidden)
        : w(p, 3 * hidden, inputs),
          u(p + 3 * hidden * inputs, 3 * hidden, hidden),
          b(p + 3 * hidden * (inputs + hidden), 3 * hidden),
          c(p + 3 * hidden * (inputs + hidden + 1), 3 * hidden) {}
};

}  // namespace

template <class Real>
const Matrix<Real>& Gru<Real>::forward(const Real* parameters, std::vector<Matrix<Real>> sequence) {
    const Weights<Real, const Real*> p(parameters, inputs_, hidden_);
    x_ = std::move(sequence);
    const std::size_t length = x_.size();
    const Eigen::Index batch = x_[0].cols();
    h_.resize(length + 1);
    gates_.resize(length);
    um_.resize(length);
    h_[0] = Matrix<Real>::Zero(hidden_, batch);
    Matrix<Real> uh(3 * hidden_, batch);
    for (std::size_t t = 0; t < length; ++t) {
        Matrix<Real>& gates = gates_[t];
        gates.noalias() = p.w * x_[t];
        gates.colwise() += p.b;
        if (t == 0) {
            uh.setZero();
        } else {
            uh.noalias() = p.u * h_[t];
        }
        uh.colwise() += p.c;
        um_[t] = uh.bottomRows(hidden_);
        auto rz = gates.topRows(2 * hidden_).array();
        rz = ((rz + uh.topRows(2 * hidden_).array()) * Real(-1)).exp();
        rz = (rz + Real(1)).inverse();
        auto m = gates.bottomRows(hidden_).array();
        m = (m + gates.topRows(hidden_).array() * um_[t].array()).tanh();
        const auto z = gates.middleRows(hidden_, hidden_).array();
        h_[t + 1] = ((Real(1) - z) * m + z * h_[t].array()).matrix();
    }
    return h_[length];
}

template <class Real>
void Gru<Real>::backward(Real* d_parameters, std::vector<Matrix<Real>>* d_sequence,
                         const Real* parameters, const Matrix<Real>& d_last) {
    const Weights<Real, const Real*> p(parameters, inputs_, hidden_);
    Weights<Real, Real*> d(d_parameters, inputs_, hidden_);
    if (d_sequence != nullptr) {
        d_sequence->resize(x_.size());
    }
    Matrix<Real> d_h = d_last;
    Matrix<Real> d_w(3 * hidden_, d_h.cols());  // of what the gates add up from x
    Matrix<Real> d_u(3 * hidden_, d_h.cols());  // and from h
    for (std::size_t t = x_.size(); t-- > 0;) {
        const auto r = gates_[t].topRows(hidden_).array();
        const auto z = gates_[t].middleRows(hidden_, hidden_).array();
        const auto m = gates_[t].bottomRows(hidden_).array();
        const auto g = d_h.array();
        d_w.bottomRows(hidden_) = (g * (Real(1) - z) * (Real(1) - m * m)).matrix();
        const auto d_m = d_w.bottomRows(hidden_).array();
        d_w.topRows(hidden_) = (d_m * um_[t].array() * r * (Real(1) - r)).matrix();
        d_w.middleRows(hidden_, hidden_) = (g * (h_[t].array() - m) * z * (Real(1) - z)).matrix();
        d_u.topRows(2 * hidden_) = d_w.topRows(2 * hidden_);
        d_u.bottomRows(hidden_) = (d_m * r).matrix();
        d.w.noalias() += d_w * x_[t].transpose();
        d.b += d_w.rowwise().sum();
        d.c += d_u.rowwise().sum();
        if (d_sequence != nullptr) {
            (*d_sequence)[t].noalias() = p.w.transpose() * d_w;
        }
        if (t > 0) {
            d.u.noalias() += d_u * h_[t].transpose();
            d_h = (g * z).matrix();
            d_h.noalias() += p.u.transpose() * d_u;
        }
    }
}

template class Gru<float>;
template class Gru<double>;

}  // namespace hri::rl
