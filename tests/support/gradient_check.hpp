// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gradients against central finite differences, for any function of a vector of doubles.
//
//   const GradientCheck check = check_gradient(point, gradient, function);
//   EXPECT_LE(check.norm_error, 1e-6);
//   EXPECT_GE(check.usable, check.coordinates / 2);
//
// min and max have kinks, near which no difference quotient is a derivative. They are found from
// the function alone: where a coordinate's quotients at two step sizes disagree (a kink nearby), or
// where its one-sided quotients keep their distance as the step shrinks (a kink at the point
// itself), the coordinate is left out.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hri {

struct GradientCheckSettings {
    double step = 5e-5;
    /// Disagreement of quotients that marks a kink, as a share of the gradient's largest entry.
    double kink = 1e-7;
    /// Coordinates below this share of the largest entry are judged by that share.
    double floor = 1e-3;
};

struct GradientCheck {
    int coordinates = 0;     ///< that were looked at
    int usable = 0;          ///< of these, without a kink
    double norm_error = 0;   ///< |difference| / |gradient|, Euclidean, over usable coordinates
    double worst_error = 0;  ///< the largest relative difference of one coordinate
    double norm = 0;         ///< of the gradient over usable coordinates
};

/// Compares `gradient` at `point` with the differences of `function`, in `chosen` coordinates (all
/// where empty).
template <class Function>
GradientCheck check_gradient(const std::vector<double>& point, const std::vector<double>& gradient,
                             const Function& function, const std::vector<std::size_t>& chosen = {},
                             const GradientCheckSettings& settings = {}) {
    std::vector<std::size_t> coordinates = chosen;
    if (coordinates.empty()) {
        for (std::size_t i = 0; i < point.size(); ++i) {
            coordinates.push_back(i);
        }
    }
    std::vector<double> x = point;
    const double here = function(x);
    const auto at = [&](std::size_t i, double offset) {
        x[i] = point[i] + offset;
        const double value = function(x);
        x[i] = point[i];
        return value;
    };

    struct Quotients {
        double slope;         // extrapolated from both steps
        double disagreement;  // of the central quotients
        double wide_jump;     // right minus left quotient, full step
        double narrow_jump;   // half step
    };

    std::vector<Quotients> found;
    double largest = 0;
    const double h = settings.step;
    for (const std::size_t i : coordinates) {
        const double right = at(i, h);
        const double left = at(i, -h);
        const double near_right = at(i, h / 2);
        const double near_left = at(i, -h / 2);
        const double wide = (right - left) / (2 * h);
        const double narrow = (near_right - near_left) / h;
        found.push_back({narrow + (narrow - wide) / 3, std::abs(wide - narrow),
                         std::abs(right - 2 * here + left) / h,
                         std::abs(near_right - 2 * here + near_left) / (h / 2)});
        largest = std::max({largest, std::abs(wide), std::abs(narrow)});
    }

    GradientCheck check;
    const double rounding =
        8 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(here)) / h;
    const double kink = rounding + settings.kink * std::max(largest, 1e-12);
    double difference_square = 0;
    double gradient_square = 0;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const Quotients& q = found[k];
        ++check.coordinates;
        // A smooth function's jump halves with the step; a kink's stays.
        const bool stays = q.narrow_jump > kink && q.narrow_jump > 0.75 * q.wide_jump;
        if (q.disagreement > kink || stays) {
            continue;
        }
        ++check.usable;
        // less what rounding does to the quotients; not by std::max, which would swallow a NaN
        const double off = std::abs(gradient[coordinates[k]] - q.slope) - rounding;
        const double difference = off <= 0 ? 0 : off;
        difference_square += difference * difference;
        gradient_square += q.slope * q.slope;
        const double scale = std::max({std::abs(q.slope), settings.floor * largest, 1e-9});
        const double error = difference / scale;
        check.worst_error = error <= check.worst_error ? check.worst_error : error;
    }
    check.norm = std::sqrt(gradient_square);
    check.norm_error = std::sqrt(difference_square) / std::max(check.norm, 1e-9);
    return check;
}

}  // namespace hri
