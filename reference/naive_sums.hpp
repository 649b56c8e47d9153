// SPDX-License-Identifier: Apache-2.0
#pragma once

// The other half of naive.hpp: sums, maxima, dense algebra, Adam and noise.

#include "soft/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace hri::reference {

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

// d_in[i] += weight * d_out[i], returns sum_i d_out[i] in[i]
template <class Real>
Real pool_backward(Real* d_in, const Real* d_out, const Real* in, Real weight, int count) {
    Real d_weight = 0;
    for (int i = 0; i < count; ++i) {
        d_in[i] += weight * d_out[i];
        d_weight += d_out[i] * in[i];
    }
    return d_weight;
}

// sums[rule_t * stride + i] += weight_t in[i]
template <class Real>
void pool(Real* sums, const soft::Weighted<Real>* terms, int term_count, const Real* in, int stride,
          int count) {
    for (int t = 0; t < term_count; ++t) {
        for (int i = 0; i < count; ++i) {
            sums[terms[t].rule * stride + i] += terms[t].weight * in[i];
        }
    }
}

// d_weights[t] += sum_i d_sums[rule_t * stride + i] in[i]
template <class Real>
void pool_weights(Real* d_weights, const Real* d_sums, const soft::Weighted<Real>* terms,
                  int term_count, const Real* in, int stride, int count) {
    for (int t = 0; t < term_count; ++t) {
        for (int i = 0; i < count; ++i) {
            d_weights[t] += d_sums[terms[t].rule * stride + i] * in[i];
        }
    }
}

// and d_in[i] = sum_t weight_t d_sums[rule_t * stride + i]; returns max_i |d_in[i]|
template <class Real>
Real pool_terms_backward(Real* d_in, Real* d_weights, const Real* d_sums,
                         const soft::Weighted<Real>* terms, int term_count, const Real* in,
                         int stride, int count) {
    pool_weights(d_weights, d_sums, terms, term_count, in, stride, count);
    Real largest = 0;
    for (int i = 0; i < count; ++i) {
        d_in[i] = 0;
        for (int t = 0; t < term_count; ++t) {
            d_in[i] += terms[t].weight * d_sums[terms[t].rule * stride + i];
        }
        largest = std::max(largest, std::abs(d_in[i]));
    }
    return largest;
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
void row_max(Real* out, soft::Index<Real>* winner, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real* row = in + x * ld;
        const Real* best = std::max_element(row, row + n);  // the first of equals
        out[x] = *best;
        winner[x] = static_cast<soft::Index<Real>>(best - row);
    }
}

// out[y] = max_x in[x,y], winner[y] = the first x that attains it
template <class Real>
void column_max(Real* out, soft::Index<Real>* winner, const Real* in, int n, int ld) {
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

// out[x] = sum_y in[x,y]
template <class Real>
void row_sum(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        out[x] = 0;
        for (int y = 0; y < n; ++y) {
            out[x] += in[x * ld + y];
        }
    }
}

// out[y] = sum_x in[x,y]
template <class Real>
void column_sum(Real* out, const Real* in, int n, int ld) {
    for (int y = 0; y < n; ++y) {
        out[y] = 0;
        for (int x = 0; x < n; ++x) {
            out[y] += in[x * ld + y];
        }
    }
}

// out[x,y] += column[x] + row[y]
template <class Real>
void add_outer_sum(Real* out, const Real* column, const Real* row, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            out[x * ld + y] += column[x] + row[y];
        }
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

// out[y,x] += in[x,y]
template <class Real>
void add_transposed(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y < n; ++y) {
            out[y * ld + x] += in[x * ld + y];
        }
    }
}

// out[i,j] = sum_k a[i,k] b[k,j]; row strides: a lda, b and out `columns`
template <class Real>
void multiply(Real* out, const Real* a, const Real* b, int rows, int inner, int columns, int lda) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            Real sum = 0;
            for (int k = 0; k < inner; ++k) {
                sum += a[i * lda + k] * b[k * columns + j];
            }
            out[i * columns + j] = sum;
        }
    }
}

// each row := softmax of scale * row over the entries with mask 0, and 0 elsewhere
template <class Real>
void softmax_rows(Real* rows, const Real* mask, Real scale, int count, int width) {
    for (int r = 0; r < count; ++r) {
        Real* row = rows + r * width;
        const Real* open = mask + r * width;  // where it is 0
        double top = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < width; ++i) {
            if (open[i] == 0) {
                top = std::max(top, static_cast<double>(row[i] * scale));
            }
        }
        const auto exponential = [&](int i) {
            return open[i] == 0 ? std::exp(static_cast<double>(row[i] * scale) - top) : 0.0;
        };
        double sum = 0;
        for (int i = 0; i < width; ++i) {
            sum += exponential(i);
        }
        for (int i = 0; i < width; ++i) {
            row[i] = static_cast<Real>(exponential(i) / sum);
        }
    }
}

// d_rows[r,i] = scale * out[r,i] (d_out[r,i] - sum_k out[r,k] d_out[r,k]); d_rows may be d_out
template <class Real>
void softmax_backward_rows(Real* d_rows, const Real* d_out, const Real* out, Real scale, int count,
                           int width) {
    for (int r = 0; r < count; ++r) {
        const Real mean = dot(out + r * width, d_out + r * width, width);
        for (int i = r * width; i < (r + 1) * width; ++i) {
            d_rows[i] = scale * out[i] * (d_out[i] - mean);
        }
    }
}

// Adam: moving means of the gradient and its square; rate and correction carry the bias terms
template <class Real>
void adam(Real* parameters, Real* mean, Real* square, const Real* gradient, Real rate,
          Real correction, int count) {
    for (int i = 0; i < count; ++i) {
        mean[i] = Real(0.9) * mean[i] + Real(0.1) * gradient[i];
        square[i] = Real(0.999) * square[i] + Real(0.001) * gradient[i] * gradient[i];
        parameters[i] -= rate * mean[i] / (std::sqrt(square[i]) * correction + Real(1e-8));
    }
}

// u := -log(-log(scale u)) if `inside`, else -scale log(-log u); 0 where u = 0
inline void gumbel_from_uniform(float* values, float scale, bool inside, int count) {
    for (int i = 0; i < count; ++i) {
        const double u = static_cast<double>(values[i]);
        const double g = static_cast<double>(scale);
        const double noise = inside ? -std::log(-std::log(g * u)) : -g * std::log(-std::log(u));
        values[i] = u > 0 ? static_cast<float>(noise) : 0.0F;
    }
}

// Box and Muller: the first half of the numbers gives radii, the second half angles
inline void normal_from_uniform(float* values, int count) {
    for (int i = 0; i < count / 2; ++i) {
        const double u = std::max(static_cast<double>(values[i]), 0x1.0p-24);
        const double radius = std::sqrt(-2 * std::log(u));
        const double angle = 2 * std::numbers::pi * static_cast<double>(values[count / 2 + i]);
        values[i] = static_cast<float>(radius * std::cos(angle));
        values[count / 2 + i] = static_cast<float>(radius * std::sin(angle));
    }
}

}  // namespace hri::reference
