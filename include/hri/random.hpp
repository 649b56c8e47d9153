// SPDX-License-Identifier: Apache-2.0
#pragma once

// The random numbers of the whole system: small, fast, equal on every machine.
// A stream is named by a seed and a purpose, so that parts do not disturb each other:
//
//   Random data(seed, Random::kData);      // which instances are drawn
//   Random noise(seed, Random::kNoise);    // what training adds to the embeddings

#include <cstdint>
#include <utility>

namespace hri {

/// xoshiro256++, seeded by splitmix64.
class Random {
  public:
    enum Stream : std::uint64_t {
        kStart = 1,
        kNoise = 2,
        kData = 3,
        kEvaluation = 4,
        kSearch = 5,
        kCheck = 6
    };

    explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

    std::uint64_t next();

    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Uniform in 0 .. bound-1. bound > 0.
    int below(int bound);

    bool chance(double probability) { return uniform() < probability; }

    /// Standard normal.
    double normal();

    template <class Sequence>
    void shuffle(Sequence& items) {
        for (int i = static_cast<int>(items.size()) - 1; i > 0; --i) {
            const auto j = static_cast<decltype(items.size())>(below(i + 1));
            using std::swap;
            swap(items[static_cast<decltype(items.size())>(i)], items[j]);
        }
    }

  private:
    std::uint64_t state_[4];
    double spare_ = 0;
    bool has_spare_ = false;
};

}  // namespace hri
