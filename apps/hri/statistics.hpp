// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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

/// How many of some runs succeeded.
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
