// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loss of valuations in [0, 1] against labels; unlabelled atoms do not count.

#include "hri/data.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hri::training {

/// Binary cross-entropy summed over labelled atoms. Logs are clamped at -100 as usual; the
/// gradient, which is overwritten, keeps `floor` away from 0 and 1.
template <class Real>
Real cross_entropy(std::vector<Real>& d_values, const std::vector<Real>& values,
                   const std::vector<Label>& labels, Real floor) {
    d_values.assign(values.size(), Real(0));
    Real total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (labels[i] == Label::unlabelled)
            continue;
        const bool positive = labels[i] == Label::positive;
        const Real right = positive ? values[i] : 1 - values[i];  // given to the truth
        total -= std::max(std::log(right), Real(-100));
        const Real slope = 1 / std::max(right, floor);
        d_values[i] = positive ? -slope : slope;
    }
    return total;
}

template <class Real>
double mean_square_error(const std::vector<Real>& values, const std::vector<Label>& labels) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (labels[i] == Label::unlabelled)
            continue;
        const double error =
            static_cast<double>(values[i]) - (labels[i] == Label::positive ? 1.0 : 0.0);
        sum += error * error;
        ++count;
    }
    return count == 0 ? 0.0 : sum / count;
}

}  // namespace hri::training
