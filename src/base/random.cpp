// SPDX-License-Identifier: Apache-2.0
#include "hri/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace hri {
namespace {

// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
std::uint64_t splitmix64(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t of_stream = stream;
    std::uint64_t mixed = seed ^ splitmix64(of_stream);
    for (std::uint64_t& word : state_) {
        word = splitmix64(mixed);
    }
}

// Blackman, Vigna: Scrambled linear pseudorandom number generators (2018).
std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

int Random::below(int bound) {
    // Lemire's multiplication over 32 random bits, rejecting the few values that would favour some
    // results
    const auto range = static_cast<std::uint32_t>(bound);
    std::uint64_t product = (next() >> 32U) * range;
    if (static_cast<std::uint32_t>(product) < range) {
        const std::uint32_t threshold = (0U - range) % range;
        while (static_cast<std::uint32_t>(product) < threshold) {
            product = (next() >> 32U) * range;
        }
    }
    return static_cast<int>(product >> 32U);
}

double Random::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    // Marsaglia's polar method: no sine or cosine, whose last bit differs between libraries
    double u = 0;
    double v = 0;
    double square = 0;
    do {
        u = uniform(-1, 1);
        v = uniform(-1, 1);
        square = u * u + v * v;
    } while (square >= 1 || square == 0);
    const double scale = std::sqrt(-2 * std::log(square) / square);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
}

}  // namespace hri
