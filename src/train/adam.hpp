// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adam with the usual betas (0.9, 0.999) and epsilon 1e-8.

#include "soft/kernels/kernels.hpp"

#include <cmath>
#include <vector>

namespace hri::training {

template <class Real>
class Adam {
  public:
    Adam(std::size_t size, double rate)
        : rate_(rate), mean_(size, Real(0)), square_(size, Real(0)) {}

    void step(Real* parameters, const Real* gradient) {
        power1_ *= 0.9;
        power2_ *= 0.999;
        const Real rate = static_cast<Real>(rate_ / (1 - power1_));
        const Real correction = static_cast<Real>(1 / std::sqrt(1 - power2_));
        kernels_->adam(parameters, mean_.data(), square_.data(), gradient, rate, correction,
                       static_cast<int>(mean_.size()));
    }

    /// The running means. A later step depends on them and on the number of steps alone.
    std::vector<Real>& mean() { return mean_; }

    std::vector<Real>& square() { return square_; }

    void set_steps(long steps) {
        power1_ = power2_ = 1;
        for (long i = 0; i < steps; ++i) {
            power1_ *= 0.9;
            power2_ *= 0.999;
        }
    }

  private:
    const soft::Kernels<Real>* kernels_ = &soft::kernels<Real>(And::min);
    double rate_;
    double power1_ = 1;  // beta^t
    double power2_ = 1;
    std::vector<Real> mean_;
    std::vector<Real> square_;
};

}  // namespace hri::training
