// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adam with the usual betas (0.9, 0.999) and epsilon 1e-8.

#include <cmath>
#include <vector>

namespace hri {

template <class Real>
class Adam {
  public:
    Adam(std::size_t size, double rate) : rate_(rate), mean_(size, Real(0)), square_(size, Real(0)) {}

    void step(Real* parameters, const Real* gradient) {
        constexpr double beta1 = 0.9;
        constexpr double beta2 = 0.999;
        power1_ *= beta1;
        power2_ *= beta2;
        const Real rate = static_cast<Real>(rate_ / (1 - power1_));
        const Real correction = static_cast<Real>(1 / std::sqrt(1 - power2_));
        Real* mean = mean_.data();
        Real* square = square_.data();
        const std::size_t count = mean_.size();
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i) {
            mean[i] = static_cast<Real>(beta1) * mean[i] + static_cast<Real>(1 - beta1) * gradient[i];
            square[i] = static_cast<Real>(beta2) * square[i] +
                        static_cast<Real>(1 - beta2) * gradient[i] * gradient[i];
            parameters[i] -= rate * mean[i] / (std::sqrt(square[i]) * correction + Real(1e-8));
        }
    }

  private:
    double rate_;
    double power1_ = 1;
    double power2_ = 1;
    std::vector<Real> mean_;
    std::vector<Real> square_;
};

}  // namespace hri
