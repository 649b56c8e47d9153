// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels as one would write them on a blackboard: what each function of Kernels<Real> means,
// and what tests and benchmarks compare the fast versions with.
//
//   naive::join<And::min>(out, left, right, n, ld);
//   const Kernels<float>& slow = naive::kernels<float>(And::min);     // the whole table
//
// Matrices have n rows of n entries with stride ld; padding columns are left alone.

#include "hri/options.hpp"

#include "kernels/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace hri::naive {

template <And op, class Real>
Real conjunction(Real a, Real b) {
    if constexpr (op == And::min) {
        return std::min(a, b);
    } else if constexpr (op == And::product) {
        return a * b;
    } else {
        return std::max(Real(0), a + b - 1);
    }
}

/// The derivative of conjunction(a, b) by a. Two equal values share min's evenly; Lukasiewicz's
/// passes at its kink. By symmetry the derivative by b is d_conjunction(b, a).
template <And op, class Real>
Real d_conjunction(Real a, Real b) {
    if constexpr (op == And::min) {
        return a == b ? Real(0.5) : Real(a < b);
    } else if constexpr (op == And::product) {
        return b;
    } else {
        return Real(a + b - 1 >= 0);
    }
}

// out[x,y] = max_z and(left[x,z], right[z,y])
// winner[x,y] = the first z that attains it
template <And op, class Real>
void join_with_winner(Real* out, Index<Real>* winner, const Real* left, const Real* right, int n,
                      int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            int best = 0;
            for (int z = 1; z < n; ++z) {
                if (conjunction<op>(left[x * ld + z], right[z * ld + y]) >
                    conjunction<op>(left[x * ld + best], right[best * ld + y])) {
                    best = z;
                }
            }
            out[x * ld + y] = conjunction<op>(left[x * ld + best], right[best * ld + y]);
            winner[x * ld + y] = best;
        }
    }
}

// d_left[x,z] += d_out[x,y] and'(left[x,z], right[z,y]) with z = winner[x,y]; d_right alike
template <And op, class Real>
void join_backward(Real* d_left, Real* d_right, const Real* d_out, const Index<Real>* winner,
                   const Real* left, const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            const int l = x * ld + static_cast<int>(winner[x * ld + y]);
            const int r = static_cast<int>(winner[x * ld + y]) * ld + y;
            d_left[l] += d_out[x * ld + y] * d_conjunction<op>(left[l], right[r]);
            d_right[r] += d_out[x * ld + y] * d_conjunction<op>(right[r], left[l]);
        }
    }
}

// out[x,y] = max_z and(left[x,z], right[z,y])
template <And op, class Real>
void join(Real* out, const Real* left, const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            Real best = 0;
            for (int z = 0; z < n; ++z) {
                best = std::max(best, conjunction<op>(left[x * ld + z], right[z * ld + y]));
            }
            out[x * ld + y] = best;
        }
    }
}

// out[i] = and(left[i], right[i])
template <And op, class Real>
void meet(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        out[i] = conjunction<op>(left[i], right[i]);
    }
}

// d_left[i] += d_out[i] and'(left[i], right[i]); d_right alike; both may be the same buffer
template <And op, class Real>
void meet_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                   const Real* right, int count) {
    for (int i = 0; i < count; ++i) {
        d_left[i] += d_out[i] * d_conjunction<op>(left[i], right[i]);
        d_right[i] += d_out[i] * d_conjunction<op>(right[i], left[i]);
    }
}

// out[x,y] = and(left[x,0], right[y])
template <And op, class Real>
void outer(Real* out, const Real* left, const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            out[x * ld + y] = conjunction<op>(left[x * ld], right[y]);
        }
    }
}

// d_left[x,0] += sum_y d_out[x,y] and'(left[x,0], right[y]); d_right[y] alike
template <And op, class Real>
void outer_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                    const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            d_left[x * ld] += d_out[x * ld + y] * d_conjunction<op>(left[x * ld], right[y]);
            d_right[y] += d_out[x * ld + y] * d_conjunction<op>(right[y], left[x * ld]);
        }
    }
}

// out[i] += weight * in[i]
template <class Real>
void add_scaled(Real* out, const Real* in, Real weight, int count) {
    for (int i = 0; i < count; ++i) {
        out[i] += weight * in[i];
    }
}

// out[i] = max(out[i], weight * in[i])
template <class Real>
void keep_larger(Real* out, const Real* in, Real weight, int count) {
    for (int i = 0; i < count; ++i) {
        out[i] = std::max(out[i], weight * in[i]);
    }
}

// sum_i a[i] b[i]
template <class Real>
Real dot(const Real* a, const Real* b, int count) {
    Real sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// max_i |a[i]|
template <class Real>
Real largest(const Real* a, int count) {
    Real result = 0;
    for (int i = 0; i < count; ++i) {
        result = std::max(result, std::abs(a[i]));
    }
    return result;
}

// out[x] = max_y in[x,y], winner[x] = the first y that attains it
template <class Real>
void row_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real* row = in + x * ld;
        const Real* best = std::max_element(row, row + n);  // the first of equals
        out[x] = *best;
        winner[x] = static_cast<Index<Real>>(best - row);
    }
}

// out[y] = max_x in[x,y], winner[y] = the first x that attains it
template <class Real>
void column_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    for (int y = 0; y < n; ++y) {
        int best = 0;
        for (int x = 1; x < n; ++x) {
            if (in[x * ld + y] > in[best * ld + y]) {
                best = x;
            }
        }
        out[y] = in[best * ld + y];
        winner[y] = best;
    }
}

// out[y,x] = in[x,y]
template <class Real>
void transpose(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            out[y * ld + x] = in[x * ld + y];
        }
    }
}

/// The table of the above for one conjunction.
template <And op, class Real>
const Kernels<Real>& table() {
    static constexpr Kernels<Real> all = {"naive",
                                          join<op, Real>,
                                          join_with_winner<op, Real>,
                                          join_backward<op, Real>,
                                          meet<op, Real>,
                                          meet_backward<op, Real>,
                                          outer<op, Real>,
                                          outer_backward<op, Real>,
                                          add_scaled<Real>,
                                          keep_larger<Real>,
                                          dot<Real>,
                                          largest<Real>,
                                          row_max<Real>,
                                          column_max<Real>,
                                          transpose<Real>};
    return all;
}

template <class Real>
const Kernels<Real>& kernels(And op) {
    return op == And::min       ? table<And::min, Real>()
           : op == And::product ? table<And::product, Real>()
                                : table<And::lukasiewicz, Real>();
}

}  // namespace hri::naive
