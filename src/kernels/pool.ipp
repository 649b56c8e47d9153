// SPDX-License-Identifier: Apache-2.0
// Weighted pooling over predicates, and reductions over an index. count is a multiple of
// lanes<Real>().

template <class Real>
void add_scaled(Real* out, const Real* in, Real weight, int count) {
    const Vector<Real> w = splat<Real>(weight);
    for (int i = 0; i < count; i += lanes<Real>())
        *vectors(out + i) += w * *vectors(in + i);
}

template <class Real>
void keep_larger(Real* out, const Real* in, Real weight, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> v = weight * *vectors(in + i);
        const Vector<Real> old = *vectors(out + i);
        *vectors(out + i) = old > v ? old : v;
    }
}

template <class Real>
Real dot(const Real* a, const Real* b, int count) {
    Vector<Real> sum{};
    for (int i = 0; i < count; i += lanes<Real>())
        sum += *vectors(a + i) * *vectors(b + i);
    return sum_of_lanes<Real>(sum);
}

template <class Real>
Real pool_backward(Real* d_in, const Real* d_out, const Real* in, Real weight, bool first,
                   int count) {
    using V = Vector<Real>;
    const V w = splat<Real>(weight);
    V sum{};
    if (first) {
        for (int i = 0; i < count; i += lanes<Real>()) {
            const V d = *vectors(d_out + i);
            sum += d * *vectors(in + i);
            *vectors(d_in + i) = w * d;
        }
    } else {
        for (int i = 0; i < count; i += lanes<Real>()) {
            const V d = *vectors(d_out + i);
            sum += d * *vectors(in + i);
            *vectors(d_in + i) += w * d;
        }
    }
    return sum_of_lanes<Real>(sum);
}

template <class Real>
void row_sum(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        Vector<Real> sum{};
        for (int y = 0; y < ld; y += lanes<Real>())
            sum += *vectors(in + x * ld + y);
        out[x] = sum_of_lanes<Real>(sum);
    }
    for (int x = n; x < ld; ++x)
        out[x] = 0;
}

template <class Real>
void column_sum(Real* out, const Real* in, int n, int ld) {
    for (int y = 0; y < ld; y += lanes<Real>()) {
        Vector<Real> sum{};
        for (int x = 0; x < n; ++x)
            sum += *vectors(in + x * ld + y);
        *vectors(out + y) = sum;
    }
}

template <class Real>
void add_outer_sum(Real* out, const Real* column, const Real* row, int n, int ld) {
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            out[x * ld + y] += column[x] + row[y];
}

template <class Real>
Real largest(const Real* a, int count) {
    Vector<Real> best{};
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> v = *vectors(a + i);
        const Vector<Real> m = v < 0 ? -v : v;
        best = best > m ? best : m;
    }
    Real result = 0;
    for (int i = 0; i < lanes<Real>(); ++i)
        result = result > best[i] ? result : best[i];
    return result;
}

template <class Real>
void row_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real* row = in + x * ld;
        Real best = row[0];
        int arg = 0;
        for (int y = 1; y < n; ++y) {
            arg = row[y] > best ? y : arg;
            best = row[y] > best ? row[y] : best;
        }
        out[x] = best;
        winner[x] = arg;
    }
}

template <class Real>
void column_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    using V = Vector<Real>;
    using I = IndexVector<Real>;
    for (int y = 0; y < ld; y += lanes<Real>()) {
        V best = *vectors(in + y);
        I arg{};
        for (int x = 1; x < n; ++x) {
            const V v = *vectors(in + x * ld + y);
            const I larger = v > best;
            best = larger ? v : best;
            arg = larger ? (I{} + static_cast<Index<Real>>(x)) : arg;
        }
        *vectors(out + y) = best;
        *reinterpret_cast<I*>(winner + y) = arg;
    }
}

template <class Real>
void transpose(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            out[y * ld + x] = in[x * ld + y];
}
