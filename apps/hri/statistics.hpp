// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace hri::cli {

/// In percent.
struct Interval {
    double low = 0;
    double high = 100;
};

/// The share `p` of the values lies at or below it; 0 of none.
inline double quantile(std::vector<double> values, double p) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

/// 0 of none.
inline double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Student's interval at 95 % for the mean of percentages, or of differences (`low` = -100).
/// Fewer than two values give the whole range.
inline Interval mean_interval(const std::vector<double>& values, double low = 0,
                              double high = 100) {
    constexpr std::array kT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                               2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                               2.131,  2.120, 2.110, 2.101, 2.093, 2.086};  // 1 to 20 degrees of
                                                                            // freedom
    if (values.size() < 2) {
        return {low, high};
    }
    const double middle = mean(values);
    double squares = 0;
    for (const double value : values) {
        squares += (value - middle) * (value - middle);
    }
    const std::size_t freedom = values.size() - 1;
    const double t = freedom <= kT.size() ? kT[freedom - 1] : 2.0;
    const auto n = static_cast<double>(values.size());
    const double half = t * std::sqrt(squares / static_cast<double>(freedom) / n);
    return {std::max(middle - half, low), std::min(middle + half, high)};
}

/// The number of successful runs among all.
struct Successes {
    int runs = 0;
    int successes = 0;

    void add(bool success) {
        ++runs;
        successes += success ? 1 : 0;
    }

    double percent() const { return runs == 0 ? 0 : 100.0 * successes / runs; }

    /// Wilson's score interval at 95 %.
    Interval interval() const {
        if (runs == 0) {
            return {};
        }
        constexpr double kZ = 1.959963984540054;
        const double n = runs;
        const double p = successes / n;
        const double scale = 1 + kZ * kZ / n;
        const double middle = (p + kZ * kZ / (2 * n)) / scale;
        const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) / scale;
        return {100 * std::max(middle - half, 0.0), 100 * std::min(middle + half, 1.0)};
    }
};

}  // namespace hri::cli
