// SPDX-License-Identifier: Apache-2.0
// What unification, noise and the optimiser need: small products, exponentials and logarithms of
// whole rows.

// Rows at a time, so that no addition waits for the one before.
template <std::size_t Rows, class K, class Real>
inline void multiply_rows(Real* out, const Real* a, const Real* b, int inner, int columns,
                          int lda) {
    using V = typename K::V;
    V sum[Rows]{};
    for (int k = 0; k < inner; ++k) {
        const V row = load<K>(b + k * columns);
        for (std::size_t i = 0; i < Rows; ++i)
            sum[i] += splat<K>(a[static_cast<int>(i) * lda + k]) * row;
    }
    for (std::size_t i = 0; i < Rows; ++i)
        at<K>(out + static_cast<int>(i) * columns) = sum[i];
}

template <class Real>
void multiply(Real* out, const Real* a, const Real* b, int rows, int inner, int columns, int lda) {
    constexpr int kRows = 6;
    along<Real>(columns, [&](auto kind, int j) {
        using K = decltype(kind);
        int i = 0;
        for (; i + kRows <= rows; i += kRows)
            multiply_rows<kRows, K>(out + i * columns + j, a + i * lda, b + j, inner, columns, lda);
        for (; i + 2 <= rows; i += 2)
            multiply_rows<2, K>(out + i * columns + j, a + i * lda, b + j, inner, columns, lda);
        if (i < rows)
            multiply_rows<1, K>(out + i * columns + j, a + i * lda, b + j, inner, columns, lda);
    });
}

// exp of values <= 0: 2^k e^f with |f| <= ln(2) / 2 and a Taylor polynomial of e^f, relative error
// below 2e-7.
template <class K>
inline typename K::V exp_float(typename K::V x) {
    using V = typename K::V;
    using I = typename K::I;
    x = x < -87.0F ? V{} - 87.0F : x;
    const V scaled = x * 1.44269504F;
    const V rounded = (scaled + 12582912.0F) - 12582912.0F;  // to the nearest integer
    const V f = (x - rounded * 0.693359375F) + rounded * 2.12194440e-4F;
    V e = f * (1.0F / 720) + 1.0F / 120;
    e = e * f + 1.0F / 24;
    e = e * f + 1.0F / 6;
    e = e * f + 0.5F;
    e = e * f + 1.0F;
    e = e * f + 1.0F;
    const I k = __builtin_convertvector(rounded, I);
    const I bits = (k + 127) << 23;
    return e * reinterpret_cast<V>(bits);
}

template <class K>
inline typename K::V exp_vector(typename K::V x) {
    if constexpr (sizeof(typename K::Real) == sizeof(float)) {
        return exp_float<K>(x);
    } else {
        for (int i = 0; i < K::count; ++i)
            x[i] = __builtin_exp(x[i]);
        return x;
    }
}

// log of positive normal values: m 2^k with m near 1 and the series of the inverse hyperbolic
// tangent.
inline Wide<float>::V log_vector(Wide<float>::V x) {
    using K = Wide<float>;
    using V = K::V;
    using I = typename K::I;
    const I bits = reinterpret_cast<I>(x);
    // shifts the mantissa's range to [sqrt(1/2), sqrt(2))
    const I shifted = bits - 0x3F3504F3;
    const I k = shifted >> 23;
    const I mantissa = bits - (k << 23);
    const V m = reinterpret_cast<V>(mantissa);
    const V s = (m - 1.0F) / (m + 1.0F);
    const V q = s * s;
    V series = q * (1.0F / 9) + 1.0F / 7;
    series = series * q + 1.0F / 5;
    series = series * q + 1.0F / 3;
    series = series * q + 1.0F;
    return 2.0F * s * series + __builtin_convertvector(k, V) * 0.693147181F;
}

template <class Real>
void softmax_rows(Real* rows, const Real* mask, Real scale, int count, int width) {
    for (int r = 0; r < count; ++r) {
        Real* row = rows + r * width;
        const Real* row_mask = mask + r * width;
        Collected<Real> best{splat<Wide<Real>>(Real(-1e30)), splat<Half<Real>>(Real(-1e30))};
        along<Real>(width, [&](auto kind, int i) {
            using K = decltype(kind);
            using V = typename K::V;
            const V v = load<K>(row + i) * scale + load<K>(row_mask + i);
            at<K>(row + i) = v;
            best.of(kind) = larger(best.of(kind), v);
        });
        const Real top = best.largest();
        Collected<Real> sum{};
        along<Real>(width, [&](auto kind, int i) {
            using K = decltype(kind);
            using V = typename K::V;
            const V e = exp_vector<K>(load<K>(row + i) - top);
            const V kept = load<K>(row_mask + i) < 0 ? V{} : e;
            at<K>(row + i) = kept;
            sum.of(kind) += kept;
        });
        const Real share = 1 / sum.sum();
        along<Real>(width, [&](auto kind, int i) {
            using K = decltype(kind);
            at<K>(row + i) = load<K>(row + i) * share;
        });
    }
}

template <class Real>
void softmax_backward_rows(Real* d_rows, const Real* d_out, const Real* out, Real scale, int count,
                           int width) {
    for (int r = 0; r < count; ++r) {
        const int first = r * width;
        const Real mean = dot(out + first, d_out + first, width);
        along<Real>(width, [&](auto kind, int i) {
            using K = decltype(kind);
            at<K>(d_rows + first + i) =
                load<K>(out + first + i) * (load<K>(d_out + first + i) - mean) * scale;
        });
    }
}

// In place, from uniform numbers: inside: -log(-log(scale u)), else -scale log(-log u). No noise
// where u = 0.
inline void gumbel_from_uniform(float* values, float scale, bool inside, int count) {
    using K = Wide<float>;
    using V = K::V;
    for (int i = 0; i < count; i += lanes<float>()) {
        const V u = load<K>(values + i);
        const V safe = u > 0 ? u : V{} + 0.5F;
        const V noise = inside ? -log_vector(-log_vector(safe * scale))
                               : -scale * log_vector(-log_vector(safe));
        at<K>(values + i) = u > 0 ? noise : V{};
    }
}

// Box and Muller in place: lanes of the first half give the radius, of the second half the angle.
inline void normal_from_uniform(float* values, int count) {
    using K = Wide<float>;
    using V = K::V;
    const int half = count / 2;
    for (int i = 0; i < half; i += lanes<float>()) {
        const V u = load<K>(values + i);
        const V radius_squared = -2.0F * log_vector(u > 0 ? u : V{} + 5.9604645e-8F);
        V radius = radius_squared;
        for (int k = 0; k < lanes<float>(); ++k)
            radius[k] = __builtin_sqrtf(radius_squared[k]);
        // angle in quarter turns around the nearest one: |f| <= 1/2
        const V turns = load<K>(values + half + i) * 4.0F;
        const V quarter = (turns + 12582912.0F) - 12582912.0F;
        const V f = (turns - quarter) * 1.57079633F;
        const V q = f * f;
        const V sine =
            f *
            (1.0F + q * (-1.0F / 6 + q * (1.0F / 120 + q * (-1.0F / 5040 + q * (1.0F / 362880)))));
        const V cosine =
            1.0F + q * (-0.5F + q * (1.0F / 24 + q * (-1.0F / 720 + q * (1.0F / 40320))));
        const auto k = __builtin_convertvector(quarter, K::I);
        const auto odd = (k & 1) != 0;
        V s = odd ? cosine : sine;
        V c = odd ? sine : cosine;
        s = (k & 2) != 0 ? -s : s;
        c = ((k + 1) & 2) != 0 ? -c : c;
        at<K>(values + i) = radius * c;
        at<K>(values + half + i) = radius * s;
    }
}

inline float root(float x) { return __builtin_sqrtf(x); }

inline double root(double x) { return __builtin_sqrt(x); }

template <class Real>
void adam(Real* parameters, Real* mean, Real* square, const Real* gradient, Real rate,
          Real correction, int count) {
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const Real g = gradient[i];
        const Real m = Real(0.9) * mean[i] + Real(0.1) * g;
        const Real s = Real(0.999) * square[i] + Real(0.001) * g * g;
        mean[i] = m;
        square[i] = s;
        parameters[i] -= rate * m / (root(s) * correction + Real(1e-8));
    }
}
