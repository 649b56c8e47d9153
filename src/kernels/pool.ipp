// SPDX-License-Identifier: Apache-2.0
// Weighted pooling over predicates, and reductions over an index. Counts are multiples of
// grain<Real>().

template <class Real>
void add_scaled(Real* out, const Real* in, Real weight, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        at<K>(out + i) += splat<K>(weight) * load<K>(in + i);
    });
}

template <class Real>
void keep_larger(Real* out, const Real* in, Real weight, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        at<K>(out + i) = larger(load<K>(out + i), splat<K>(weight) * load<K>(in + i));
    });
}

template <class Real>
Real dot(const Real* a, const Real* b, int count) {
    Collected<Real> sum{};
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        sum.of(kind) += load<K>(a + i) * load<K>(b + i);
    });
    return sum.sum();
}

template <class Real>
Real pool_backward(Real* d_in, const Real* d_out, const Real* in, Real weight, int count) {
    Collected<Real> sum{};
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V d = load<K>(d_out + i);
        sum.of(kind) += d * load<K>(in + i);
        at<K>(d_in + i) += splat<K>(weight) * d;
    });
    return sum.sum();
}

// Terms at a time: few enough for the registers.
constexpr int kTerms = 4;

template <std::size_t Count, class Real>
inline void pool_few(Real* sums, const Weighted<Real>* terms, const Real* in, int stride,
                     int count) {
    Real* out[Count];
    for (std::size_t t = 0; t < Count; ++t)
        out[t] = sums + terms[t].rule * stride;
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V v = load<K>(in + i);
        for (std::size_t t = 0; t < Count; ++t)
            at<K>(out[t] + i) += splat<K>(terms[t].weight) * v;
    });
}

template <class Real>
void pool(Real* sums, const Weighted<Real>* terms, int term_count, const Real* in, int stride,
          int count) {
    for (; term_count >= kTerms; terms += kTerms, term_count -= kTerms)
        pool_few<kTerms>(sums, terms, in, stride, count);
    if (term_count == 1)
        pool_few<1>(sums, terms, in, stride, count);
    else if (term_count == 2)
        pool_few<2>(sums, terms, in, stride, count);
    else if (term_count == 3)
        pool_few<3>(sums, terms, in, stride, count);
}

template <std::size_t Count, bool First, class Real>
inline Real pool_few_backward(Real* d_in, Real* d_weights, const Real* d_sums,
                              const Weighted<Real>* terms, const Real* in, int stride, int count) {
    const Real* d_out[Count];
    Collected<Real> sum[Count];
    Collected<Real> most{};
    for (std::size_t t = 0; t < Count; ++t) {
        d_out[t] = d_sums + terms[t].rule * stride;
        sum[t].clear();
    }
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V v = load<K>(in + i);
        V total = First ? V{} : load<K>(d_in + i);
        for (std::size_t t = 0; t < Count; ++t) {
            const V d = load<K>(d_out[t] + i);
            sum[t].of(kind) += d * v;
            total += splat<K>(terms[t].weight) * d;
        }
        at<K>(d_in + i) = total;
        most.of(kind) = larger(most.of(kind), magnitude(total));
    });
    store_sums<Count>(d_weights, sum);
    return most.largest();
}

template <bool First, class Real>
inline Real pool_rest_backward(Real* d_in, Real* d_weights, const Real* d_sums,
                               const Weighted<Real>* terms, int term_count, const Real* in,
                               int stride, int count) {
    switch (term_count) {
        case 1:
            return pool_few_backward<1, First>(d_in, d_weights, d_sums, terms, in, stride, count);
        case 2:
            return pool_few_backward<2, First>(d_in, d_weights, d_sums, terms, in, stride, count);
        case 3:
            return pool_few_backward<3, First>(d_in, d_weights, d_sums, terms, in, stride, count);
        default:
            return pool_few_backward<4, First>(d_in, d_weights, d_sums, terms, in, stride, count);
    }
}

template <class Real>
Real pool_terms_backward(Real* d_in, Real* d_weights, const Real* d_sums,
                         const Weighted<Real>* terms, int term_count, const Real* in, int stride,
                         int count) {
    Real most =
        pool_rest_backward<true>(d_in, d_weights, d_sums, terms, term_count, in, stride, count);
    for (int done = kTerms; done < term_count; done += kTerms)
        most = pool_rest_backward<false>(d_in, d_weights + done, d_sums, terms + done,
                                         term_count - done, in, stride, count);
    return most;
}

template <class Real>
void pool_weights(Real* d_weights, const Real* d_sums, const Weighted<Real>* terms, int term_count,
                  const Real* in, int stride, int count) {
    for (int t = 0; t < term_count; ++t)
        d_weights[t] = dot(d_sums + terms[t].rule * stride, in, count);
}

template <class Real>
void row_sum(Real* out, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        Collected<Real> sum{};
        along<Real>(
            ld, [&](auto kind, int y) { sum.of(kind) += load<decltype(kind)>(in + x * ld + y); });
        out[x] = sum.sum();
    }
    for (int x = n; x < ld; ++x)
        out[x] = 0;
}

template <class Real>
void column_sum(Real* out, const Real* in, int n, int ld) {
    along<Real>(ld, [&](auto kind, int y) {
        using K = decltype(kind);
        using V = typename K::V;
        V sum{};
        for (int x = 0; x < n; ++x)
            sum += load<K>(in + x * ld + y);
        at<K>(out + y) = sum;
    });
}

template <class Real>
void add_outer_sum(Real* out, const Real* column, const Real* row, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real c = column[x];
#pragma omp simd
        for (int y = 0; y < n; ++y)
            out[x * ld + y] += c + row[y];
    }
}

template <class Real>
Real largest(const Real* a, int count) {
    Collected<Real> most{};
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V v = load<K>(a + i);
        most.of(kind) = larger(most.of(kind), magnitude(v));
    });
    return most.largest();
}

template <class Real>
void row_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real* row = in + x * ld;
        Collected<Real> most{};  // values are not negative, and padding is 0
        along<Real>(ld, [&](auto kind, int y) {
            using K = decltype(kind);
            most.of(kind) = larger(most.of(kind), load<K>(row + y));
        });
        const Real best = most.largest();
        int arg = 0;
        while (row[arg] < best)
            ++arg;
        out[x] = best;
        winner[x] = arg;
    }
    for (int x = n; x < ld; ++x)
        out[x] = 0;
}

template <class Real>
void column_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    along<Real>(ld, [&](auto kind, int y) {
        using K = decltype(kind);
        using V = typename K::V;
        using I = typename K::I;
        V best = load<K>(in + y);
        I arg{};
        I index{};
        for (int x = 1; x < n; ++x) {
            index = index + 1;
            const V v = load<K>(in + x * ld + y);
            const I wins = v > best;
            best = larger(v, best);
            arg = wins ? index : arg;
        }
        at<K>(out + y) = best;
        store<K>(winner + y, arg);
    });
}

// Square blocks in registers, then the rows and columns that are left.
template <bool Add, class Real>
inline void transpose_blocks(Real* out, const Real* in, int n, int ld) {
    constexpr int side = grain<Real>();
    const int whole = n / side * side;
    for (int x = 0; x < whole; x += side) {
        for (int y = 0; y < whole; y += side) {
            typename Half<Real>::V rows[static_cast<std::size_t>(side)];
            for (int k = 0; k < side; ++k)
                rows[k] = load<Half<Real>>(in + (x + k) * ld + y);
            transpose_block(rows);
            for (int k = 0; k < side; ++k) {
                const auto to = at<Half<Real>>(out + (y + k) * ld + x);
                if constexpr (Add)
                    to += rows[k];
                else
                    to = rows[k];
            }
        }
    }
    const auto move = [&](int x, int y) {
        Real& to = out[y * ld + x];
        to = Add ? to + in[x * ld + y] : in[x * ld + y];
    };
    for (int x = 0; x < n; ++x)
        for (int y = x < whole ? whole : 0; y < n; ++y)
            move(x, y);
}

template <class Real>
void transpose(Real* out, const Real* in, int n, int ld) {
    transpose_blocks<false>(out, in, n, ld);
}

template <class Real>
void add_transposed(Real* out, const Real* in, int n, int ld) {
    transpose_blocks<true>(out, in, n, ld);
}
