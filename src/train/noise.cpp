// SPDX-License-Identifier: Apache-2.0
#include "train/noise.hpp"

#include <cmath>

namespace hri::training {

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

Noise::Noise(std::uint64_t seed)
    : kernels_(&soft::kernels<float>(And::min)), random_(seed, Random::kNoise) {}

Noise::Noise(const Hierarchy& hierarchy, std::uint64_t seed) : Noise(seed) {
    scores_ = hierarchy.slots.size() * static_cast<std::size_t>(hierarchy.predicates());
}

// 24 bits each, two from one draw.
void Noise::fill_uniform(std::vector<float>& values, std::size_t count) {
    values.resize(count);
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        const std::uint64_t bits = random_.next();
        values[i] = static_cast<float>(bits >> 40) * 0x1.0p-24F;
        values[i + 1] = static_cast<float>((bits >> 8) & 0xFFFFFF) * 0x1.0p-24F;
    }
}

void Noise::add_gaussian(std::vector<float>& out, const std::vector<float>& rows, int dimension,
                         int fixed_rows, int fixed_columns, double scale) {
    out = rows;
    if (scale == 0)
        return;
    const std::size_t unit = 2 * soft::lanes<float>();
    const std::size_t count = (rows.size() + unit - 1) / unit * unit;
    fill_uniform(gaussian_, count);
    kernels_->normal_from_uniform(gaussian_.data(), static_cast<int>(count));
    const int row_count = static_cast<int>(rows.size()) / dimension;
    for (int r = fixed_rows; r < row_count; ++r)
        for (int k = fixed_columns; k < dimension; ++k) {
            const auto i = static_cast<std::size_t>(r * dimension + k);
            out[i] += static_cast<float>(scale) * gaussian_[i];
        }
}

const float* Noise::gumbel(double scale, GumbelConvention reading) {
    if (!(scale > 0))
        return nullptr;
    const std::size_t unit = soft::lanes<float>();
    const std::size_t count = (scores_ + unit - 1) / unit * unit;
    fill_uniform(gumbel_, count + count % 2);
    kernels_->gumbel_from_uniform(gumbel_.data(), static_cast<float>(scale),
                                  reading == GumbelConvention::inside, static_cast<int>(count));
    return gumbel_.data();
}

}  // namespace hri::training
