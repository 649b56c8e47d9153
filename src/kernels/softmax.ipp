// SPDX-License-Identifier: Apache-2.0
// What unification, noise and the optimiser need: small products, exponentials and logarithms of
// whole rows.

template <class Real>
void multiply(Real* out, const Real* a, const Real* b, int rows, int inner, int columns, int lda) {
    using V = Vector<Real>;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; j += lanes<Real>()) {
            V sum{};
            for (int k = 0; k < inner; ++k)
                sum += splat<Real>(a[i * lda + k]) * *vectors(b + k * columns + j);
            *vectors(out + i * columns + j) = sum;
        }
    }
}

// exp of values <= 0: 2^k e^f with |f| <= ln(2) / 2 and a Taylor polynomial of e^f, relative error
// below 2e-7.
inline Vector<float> exp_vector(Vector<float> x) {
    using V = Vector<float>;
    using I = IndexVector<float>;
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
    return e * reinterpret_cast<const V&>(bits);
}

inline Vector<double> exp_vector(Vector<double> x) {
    for (int i = 0; i < lanes<double>(); ++i)
        x[i] = __builtin_exp(x[i]);
    return x;
}

// log of positive normal values: m 2^k with m near 1 and the series of the inverse hyperbolic
// tangent.
inline Vector<float> log_vector(Vector<float> x) {
    using V = Vector<float>;
    using I = IndexVector<float>;
    const I bits = reinterpret_cast<const I&>(x);
    // shifts the mantissa's range to [sqrt(1/2), sqrt(2))
    const I shifted = bits - 0x3F3504F3;
    const I k = shifted >> 23;
    const I mantissa = bits - (k << 23);
    const V m = reinterpret_cast<const V&>(mantissa);
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
    using V = Vector<Real>;
    for (int r = 0; r < count; ++r) {
        Real* row = rows + r * width;
        const Real* row_mask = mask + r * width;
        V best = splat<Real>(Real(-1e30));
        for (int i = 0; i < width; i += lanes<Real>()) {
            const V v = *vectors(row + i) * scale + *vectors(row_mask + i);
            *vectors(row + i) = v;
            best = best > v ? best : v;
        }
        Real top = best[0];
        for (int i = 1; i < lanes<Real>(); ++i)
            top = top > best[i] ? top : best[i];
        V sum{};
        for (int i = 0; i < width; i += lanes<Real>()) {
            const V open = *vectors(row_mask + i) < 0 ? V{} : V{} + 1;
            const V e = exp_vector(*vectors(row + i) - top) * open;
            *vectors(row + i) = e;
            sum += e;
        }
        const Real total = sum_of_lanes<Real>(sum);
        for (int i = 0; i < width; i += lanes<Real>())
            *vectors(row + i) = *vectors(row + i) / total;
    }
}

template <class Real>
void softmax_backward_rows(Real* d_rows, const Real* d_out, const Real* out, Real scale, int count,
                           int width) {
    using V = Vector<Real>;
    for (int r = 0; r < count; ++r) {
        V sum{};
        for (int i = r * width; i < (r + 1) * width; i += lanes<Real>())
            sum += *vectors(out + i) * *vectors(d_out + i);
        const Real mean = sum_of_lanes<Real>(sum);
        for (int i = r * width; i < (r + 1) * width; i += lanes<Real>())
            *vectors(d_rows + i) = *vectors(out + i) * (*vectors(d_out + i) - mean) * scale;
    }
}

// In place, from uniform numbers: inside: -log(-log(scale u)), else -scale log(-log u). No noise
// where u = 0.
inline void gumbel_from_uniform(float* values, float scale, bool inside, int count) {
    using V = Vector<float>;
    for (int i = 0; i < count; i += lanes<float>()) {
        const V u = *vectors(values + i);
        const V safe = u > 0 ? u : V{} + 0.5F;
        const V noise = inside ? -log_vector(-log_vector(safe * scale))
                               : -scale * log_vector(-log_vector(safe));
        *vectors(values + i) = u > 0 ? noise : V{};
    }
}

// Box and Muller in place: lanes of the first half give the radius, of the second half the angle.
inline void normal_from_uniform(float* values, int count) {
    using V = Vector<float>;
    const int half = count / 2;
    for (int i = 0; i < half; i += lanes<float>()) {
        const V u = *vectors(values + i);
        const V radius_squared = -2.0F * log_vector(u > 0 ? u : V{} + 5.9604645e-8F);
        V radius = radius_squared;
        for (int k = 0; k < lanes<float>(); ++k)
            radius[k] = __builtin_sqrtf(radius_squared[k]);
        // angle in quarter turns around the nearest one: |f| <= 1/2
        const V turns = *vectors(values + half + i) * 4.0F;
        const V quarter = (turns + 12582912.0F) - 12582912.0F;
        const V f = (turns - quarter) * 1.57079633F;
        const V q = f * f;
        const V sine =
            f *
            (1.0F + q * (-1.0F / 6 + q * (1.0F / 120 + q * (-1.0F / 5040 + q * (1.0F / 362880)))));
        const V cosine =
            1.0F + q * (-0.5F + q * (1.0F / 24 + q * (-1.0F / 720 + q * (1.0F / 40320))));
        const auto k = __builtin_convertvector(quarter, IndexVector<float>);
        const auto odd = (k & 1) != 0;
        V s = odd ? cosine : sine;
        V c = odd ? sine : cosine;
        s = (k & 2) != 0 ? -s : s;
        c = ((k + 1) & 2) != 0 ? -c : c;
        *vectors(values + i) = radius * c;
        *vectors(values + half + i) = radius * s;
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
