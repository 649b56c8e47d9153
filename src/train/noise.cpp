// SPDX-License-Identifier: Apache-2.0
#include "train/noise.hpp"

#include <algorithm>
#include <cmath>

namespace hri {

double gaussian_scale(double scale, int halving, int iteration) {
    const double now = scale * std::pow(0.5, 1 + iteration / halving);
    return now < 1e-9 ? 0.0 : now;
}

double gumbel_scale(double start, int iteration, int iterations) {
    return start * (1.0 - static_cast<double>(iteration) / iterations);
}

double temperature_at(const Options& options, int iteration, int iterations) {
    const double from = options.temperature;
    const double to = options.final_temperature;
    const double share = iterations <= 1 ? 1.0 : static_cast<double>(iteration) / (iterations - 1);
    switch (options.temperature_schedule) {
        case Schedule::linear:
            return from + (to - from) * share;
        case Schedule::exponential:
            return from * std::pow(to / from, share);
        case Schedule::constant:
            break;
    }
    return from;
}

void add_gaussian(std::vector<float>& out, const std::vector<float>& rows, int dimension, int fixed_rows,
                  int fixed_columns, double scale, Random& random) {
    out = rows;
    if (scale == 0)
        return;
    const int count = static_cast<int>(rows.size()) / dimension;
    for (int r = fixed_rows; r < count; ++r)
        for (int k = fixed_columns; k < dimension; ++k)
            out[static_cast<std::size_t>(r * dimension + k)] += static_cast<float>(scale * random.normal());
}

void fill_gumbel(std::vector<float>& out, const Hierarchy& hierarchy, double scale, GumbelReading reading,
                 Random& random) {
    const auto width = static_cast<std::size_t>(hierarchy.predicates());
    for (std::size_t s = 0; s < hierarchy.slots.size(); ++s) {
        for (const int p : hierarchy.slots[s].candidates) {
            const double u = random.uniform();
            double noise = 0;  // where the formula is infinite there is none
            if (u > 0 && scale > 0)
                noise = reading == GumbelReading::inside ? -std::log(-std::log(scale * u))
                                                         : -scale * std::log(-std::log(u));
            out[s * width + static_cast<std::size_t>(p)] = static_cast<float>(noise);
        }
    }
}

}  // namespace hri
