// SPDX-License-Identifier: Apache-2.0
#pragma once

// Generalised advantage estimation.
//   delta_t = r_t + gamma V_{t+1} - V_t,   A_t = delta_t + gamma lambda A_{t+1}

#include <cmath>
#include <vector>

namespace hri::rl {

/// `values` has one entry more than `rewards`: that of what follows the last step, 0 where nothing
/// does.
inline std::vector<double> advantages(const std::vector<double>& rewards,
                                      const std::vector<double>& values, double discount,
                                      double lambda) {
    std::vector<double> result(rewards.size());
    double next = 0;
    for (std::size_t t = rewards.size(); t-- > 0;) {
        const double delta = rewards[t] + discount * values[t + 1] - values[t];
        next = delta + discount * lambda * next;
        result[t] = next;
    }
    return result;
}

/// Mean 0 and (sample) standard deviation 1, but for 1e-7 in the divisor.
inline void normalise(std::vector<double>& numbers) {
    const auto count = static_cast<double>(numbers.size());
    double mean = 0;
    for (const double x : numbers) {
        mean += x / count;
    }
    double square = 0;
    for (const double x : numbers) {
        square += (x - mean) * (x - mean);
    }
    const double deviation = numbers.size() < 2 ? 0.0 : std::sqrt(square / (count - 1));
    for (double& x : numbers) {
        x = (x - mean) / (deviation + 1e-7);
    }
}

}  // namespace hri::rl
