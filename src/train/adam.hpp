// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adam with the usual betas (0.9, 0.999) and epsilon 1e-8.

#include "kernels/kernels.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace hri {

template <class Real>
class Adam {
  public:
    Adam(std::size_t size, double rate)
        : rate_(rate), mean_(size, Real(0)), square_(size, Real(0)) {}

    void step(Real* parameters, const Real* gradient) {
        ++steps_;
        power1_ *= 0.9;
        power2_ *= 0.999;
        const Real rate = static_cast<Real>(rate_ / (1 - power1_));
        const Real correction = static_cast<Real>(1 / std::sqrt(1 - power2_));
        kernels_->adam(parameters, mean_.data(), square_.data(), gradient, rate, correction,
                       static_cast<int>(mean_.size()));
    }

    long steps() const { return steps_; }

    const std::vector<Real>& mean() const { return mean_; }

    const std::vector<Real>& square() const { return square_; }

    /// As it was after so many steps, which left these.
    void resume(long steps, std::vector<Real> mean, std::vector<Real> square) {
        mean_ = std::move(mean);
        square_ = std::move(square);
        power1_ = power2_ = 1;
        for (steps_ = 0; steps_ < steps; ++steps_) {
            power1_ *= 0.9;
            power2_ *= 0.999;
        }
    }

  private:
    const Kernels<Real>* kernels_ = &kernels<Real>(And::min);
    double rate_;
    long steps_ = 0;
    double power1_ = 1;  // beta^t
    double power2_ = 1;
    std::vector<Real> mean_;
    std::vector<Real> square_;
};

}  // namespace hri
