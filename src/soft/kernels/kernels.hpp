// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arithmetic of inference: free functions over matrices with row stride ld, a multiple of
// grain<Real>(). Rows have n entries; the entries from n to ld are 0 in every input and stay 0 in
// every output.
//
// The same source (*.ipp) is compiled for several instruction sets and chosen once at run time. All
// sums have a fixed order of lanes, so that every instruction set gives the same bits.
//
// Ties: min and max of two values give half the gradient to each side; max over an index gives all
// of it to the first index that attains it.

#include "hri/options.hpp"

#include <cstdint>

namespace hri::soft {

/// Entries of a vector.
template <class Real>
constexpr int lanes() {
    return static_cast<int>(32 / sizeof(Real));
}

/// Entries of half a vector; row strides are multiples of it, so that few are wasted where n is
/// small.
template <class Real>
constexpr int grain() {
    return lanes<Real>() / 2;
}

template <class Real>
constexpr int stride_for(int n) {
    return (n + grain<Real>() - 1) / grain<Real>() * grain<Real>();
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

/// The parts of a join, cell by cell: the product, the first z that attains it, and the two
/// values that met there.
template <class Real>
struct Joined {
    Real* product;        // (n, ld)
    Index<Real>* winner;  // (n, ld)
    Real* left;           // (n, ld): left[x,z]
    Real* right;          // (n, ld): right[z,y]
};

/// A matrix is pooled into that of a rule, with a weight.
template <class Real>
struct Weighted {
    int rule;
    Real weight;
};

/// The axes that the conjunction of two predicates depends on, which decide its cost.
enum class Shape {
    meet,    // (n, ld), elementwise
    join,    // (n, ld), n^3
    outer,   // (n, ld): the left side does not depend on the shared variable
    column,  // (ld): does not depend on y
    row,     // (ld): does not depend on x
};
constexpr int kShapes = 5;

/// Rows of pairs that are worked off in lists have at most so many entries.
template <class Real>
constexpr int kPairColumns() {
    return 2 * lanes<Real>();
}

/// One of a list of pairs of the same shape; sides as the shape's own functions below take them.
template <class Real>
struct PairWork {
    const Real* const* left;
    const Real* const* right;
    Real* d_left;  // null where nobody needs it
    Real* d_right;
    const Weighted<Real>* terms;  // rules that take the product, then those that take its maxima
    Real* d_weights;              // (terms), added to
    int direct;                   // how many of each kind
    int reduced;                  // of a meet alone
    char* left_touched;           // set to 1 where gradients are added to both sides
    char* right_touched;
};

template <class Real>
struct Kernels {
    const char* instruction_set;

    // out[x,y] = max_z and(left[x,z], right[z,y]) for the first `rows` of x
    void (*join)(Real* out, const Real* left, const Real* right, int rows, int n, int ld);
    // the same, with what attains it
    void (*join_with_winner)(const Joined<Real>& out, const Real* left, const Real* right, int rows,
                             int n, int ld);
    // Backward functions of conjunctions accumulate; a side whose gradient nobody needs is null.
    void (*join_backward)(Real* d_left, Real* d_right, const Real* d_out,
                          const Joined<Real>& joined, int n, int ld);

    // out[x] = max_z and(left[x,z], right[z,0]): a join whose right side does not depend on y
    void (*join_column)(Real* out, Index<Real>* winner, const Real* left_transposed,
                        const Real* right, int n, int ld);
    void (*join_column_backward)(Real* d_left_transposed, Real* d_right, const Real* d_out,
                                 const Index<Real>* winner, const Real* left_transposed,
                                 const Real* right, int n, int ld);

    // out[x,y] = and(left[x,0], right[y]): a join whose left side does not depend on z
    void (*outer)(Real* out, const Real* left, const Real* right, int n, int ld);
    void (*outer_backward)(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                           const Real* right, int n, int ld);

    // out[i] = and(left[i], right[i])
    void (*meet)(Real* out, const Real* left, const Real* right, int count);
    void (*meet_backward)(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                          const Real* right, int count);

    // out[i] = or(left[i], right[i]), by Or; backward overwrites, d_left may be d_out
    void (*disjunction[3])(Real* out, const Real* left, const Real* right, int count);
    void (*either_backward[3])(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                               const Real* right, int count);

    // out[i] += weight * in[i]
    void (*add_scaled)(Real* out, const Real* in, Real weight, int count);
    // out[i] = max(out[i], weight * in[i])
    void (*keep_larger)(Real* out, const Real* in, Real weight, int count);
    // backward of add_scaled: d_in[i] += weight * d_out[i]; returns the weight's gradient
    Real (*pool_backward)(Real* d_in, const Real* d_out, const Real* in, Real weight, int count);
    // The same for several rules, t = 0 .. term_count - 1, at least one:
    // sums[rule_t * stride + i] += weight_t in[i]
    void (*pool)(Real* sums, const Weighted<Real>* terms, int term_count, const Real* in,
                 int stride, int count);
    // d_in[i] = sum_t weight_t d_sums[rule_t * stride + i], overwriting; d_weights[t] += sum_i
    // d_sums[rule_t * stride + i] in[i]; returns max_i |d_in[i]|
    Real (*pool_terms_backward)(Real* d_in, Real* d_weights, const Real* d_sums,
                                const Weighted<Real>* terms, int term_count, const Real* in,
                                int stride, int count);
    // d_weights alone
    void (*pool_weights)(Real* d_weights, const Real* d_sums, const Weighted<Real>* terms,
                         int term_count, const Real* in, int stride, int count);
    // Through a list of pairs, by Shape: the product of each is pooled as by `pool`, and its maxima
    // over the first axis likewise. Products that are vectors have the stride ld.
    void (*pool_pairs[kShapes])(Real* sums, const PairWork<Real>* pairs, int count, int n, int ld);
    // Adds to d_left and d_right of a pair, unless no gradient of its product is above `least`.
    void (*pool_pairs_backward[kShapes])(const PairWork<Real>* pairs, int count, const Real* d_sums,
                                         Real least, int n, int ld);
    // sum_i a[i] b[i]
    Real (*dot)(const Real* a, const Real* b, int count);
    // max_i |a[i]|
    Real (*largest)(const Real* a, int count);

    // out[x] = max_y in[x,y] over y < n, winner[x] = the first y that attains it; in is not
    // negative, and both have room for ld entries
    void (*row_max)(Real* out, Index<Real>* winner, const Real* in, int n, int ld);
    // out[y] = max_x in[x,y], winner[y] = the first x that attains it; all ld columns
    void (*column_max)(Real* out, Index<Real>* winner, const Real* in, int n, int ld);
    // out[x] = sum_y in[x,y]; out[y] = sum_x in[x,y]
    void (*row_sum)(Real* out, const Real* in, int n, int ld);
    void (*column_sum)(Real* out, const Real* in, int n, int ld);
    // out[x,y] += column[x] + row[y]
    void (*add_outer_sum)(Real* out, const Real* column, const Real* row, int n, int ld);
    // out[y,x] = in[x,y]; out[y,x] += in[x,y]
    void (*transpose)(Real* out, const Real* in, int n, int ld);
    void (*add_transposed)(Real* out, const Real* in, int n, int ld);

    // out[i,j] = sum_k a[i,k] b[k,j]; a has row stride lda, b and out have `columns`, a multiple of
    // grain
    void (*multiply)(Real* out, const Real* a, const Real* b, int rows, int inner, int columns,
                     int lda);
    // each row := softmax(scale * row + mask); mask is 0, or very negative where an entry is left
    // out
    void (*softmax_rows)(Real* rows, const Real* mask, Real scale, int count, int width);
    void (*softmax_backward_rows)(Real* d_rows, const Real* d_out, const Real* out, Real scale,
                                  int count, int width);
    // one step of Adam (betas 0.9 and 0.999); rate and correction carry the bias terms
    void (*adam)(Real* parameters, Real* mean, Real* square, const Real* gradient, Real rate,
                 Real correction, int count);
    // Uniform numbers in [0, 1) turned in place into Gumbel noise, or standard normal numbers;
    // count is a multiple of lanes, or of twice the lanes.
    void (*gumbel_from_uniform)(float* values, float scale, bool inside, int count);
    void (*normal_from_uniform)(float* values, int count);
};

/// The best version for this machine, and at most the one that the environment's
/// HRI_INSTRUCTION_SET names: "avx2" or "plain".
template <class Real>
const Kernels<Real>& kernels(And op);

/// One by name ("plain", "avx2", "avx512"), or null where the machine lacks it. For tests and
/// benchmarks.
template <class Real>
const Kernels<Real>* kernels_for(const char* instruction_set, And op);

}  // namespace hri::soft
