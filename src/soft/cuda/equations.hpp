// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operators of the soft model, one number at a time, and the shares of a gradient that go to
// their operands. Ties are as on the processor (docs/design/inference.md).

#include "hri/options.hpp"

#include "soft/cuda/portable.hpp"

namespace hri::soft {

template <class Real>
struct Operands {
    Real left;
    Real right;
};

template <class Real>
HRI_BOTH inline Real conjunction(And op, Real a, Real b) {
    if (op == And::min)
        return a < b ? a : b;
    if (op == And::product)
        return a * b;
    const Real s = a + b - 1;
    return s > 0 ? s : Real(0);
}

/// The gradients of the operands for a gradient of 1.
template <class Real>
HRI_BOTH inline Operands<Real> conjunction_backward(And op, Real a, Real b) {
    if (op == And::min) {
        const Real left = a < b ? Real(1) : (b < a ? Real(0) : Real(0.5));
        return {left, 1 - left};
    }
    if (op == And::product)
        return {b, a};
    const Real passes = a + b - 1 >= 0 ? Real(1) : Real(0);
    return {passes, passes};
}

template <class Real>
HRI_BOTH inline Real disjunction(Or op, Real a, Real b) {
    if (op == Or::max)
        return a > b ? a : b;
    if (op == Or::prodminus)
        return a + b - a * b;
    const Real s = a + b;
    return s < 1 ? s : Real(1);
}

template <class Real>
HRI_BOTH inline Operands<Real> disjunction_backward(Or op, Real a, Real b, Real g) {
    if (op == Or::max) {
        const Real left = a > b ? g : (b > a ? Real(0) : g / 2);
        return {left, g - left};
    }
    if (op == Or::prodminus)
        return {g * (1 - b), g * (1 - a)};
    const Real passes = a + b <= 1 ? g : Real(0);
    return {passes, passes};
}

/// A random number for each (seed, iteration, purpose, index): the finaliser of splitmix64, twice.
HRI_BOTH inline unsigned long long counted_bits(unsigned long long seed, unsigned long long stream,
                                                unsigned long long index) {
    const auto mix = [](unsigned long long z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    };
    return mix(mix(seed + 0x9E3779B97F4A7C15ULL * (stream + 1)) +
               0x9E3779B97F4A7C15ULL * (index + 1));
}

}  // namespace hri::soft
