// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arithmetic of inference: free functions over matrices with row stride ld, a multiple of lanes<Real>().
// Rows have n entries; the entries from n to ld are 0 in every input and stay 0 in every output.
//
// The same source (*.ipp) is compiled for several instruction sets and chosen once at run time. All sums have a
// fixed order of 8 lanes, so that every instruction set gives the same bits.
//
// Ties: min and max of two values give half the gradient to each side; max over an index gives all of it to
// the first index that attains it.

#include <cstdint>

#include "hri/options.hpp"

namespace hri {

/// Entries per vector register block; row strides are multiples of it.
template <class Real>
constexpr int lanes() {
    return static_cast<int>(32 / sizeof(Real));
}

template <class Real>
constexpr int stride_for(int n) {
    return (n + lanes<Real>() - 1) / lanes<Real>() * lanes<Real>();
}

/// An index as wide as a Real, so that both fit the same vector register.
template <class Real>
struct IndexOf;
template <>
struct IndexOf<float> {
    using type = std::int32_t;
};
template <>
struct IndexOf<double> {
    using type = std::int64_t;
};
template <class Real>
using Index = typename IndexOf<Real>::type;

template <class Real>
struct Kernels {
    const char* instruction_set;

    // out[x,y] = max_z and(left[x,z], right[z,y])
    void (*join)(Real* out, const Real* left, const Real* right, int n, int ld);
    // the same, and winner[x,y] = the first z that attains it
    void (*join_with_winner)(Real* out, Index<Real>* winner, const Real* left, const Real* right, int n,
                             int ld);
    // accumulates into d_left and d_right, through z = winner[x,y]
    void (*join_backward)(Real* d_left, Real* d_right, const Real* d_out, const Index<Real>* winner,
                          const Real* left, const Real* right, int n, int ld);

    // out[i] = and(left[i], right[i])
    void (*meet)(Real* out, const Real* left, const Real* right, int count);
    // accumulates
    void (*meet_backward)(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                          const Real* right, int count);

    // out[x,y] = and(left[x,0], right[y]): a join whose left side does not depend on z
    void (*outer)(Real* out, const Real* left, const Real* right, int n, int ld);
    // d_left[x,0] and d_right[y] accumulate
    void (*outer_backward)(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                           const Real* right, int n, int ld);

    // out[i] += weight * in[i]
    void (*add_scaled)(Real* out, const Real* in, Real weight, int count);
    // out[i] = max(out[i], weight * in[i])
    void (*keep_larger)(Real* out, const Real* in, Real weight, int count);
    // sum_i a[i] b[i]
    Real (*dot)(const Real* a, const Real* b, int count);
    // max_i |a[i]|
    Real (*largest)(const Real* a, int count);

    // out[x] = max_y in[x,y] over y < n, winner[x] = the first y that attains it
    void (*row_max)(Real* out, Index<Real>* winner, const Real* in, int n, int ld);
    // out[y] = max_x in[x,y], winner[y] = the first x that attains it; all ld columns
    void (*column_max)(Real* out, Index<Real>* winner, const Real* in, int n, int ld);
    // out[y,x] = in[x,y]
    void (*transpose)(Real* out, const Real* in, int n, int ld);
};

/// The best version for this machine.
template <class Real>
const Kernels<Real>& kernels(And op);

/// One by name ("plain", "avx2", "avx512"), or null where the machine lacks it. For tests and benchmarks.
template <class Real>
const Kernels<Real>* kernels_for(const char* instruction_set, And op);

}  // namespace hri
