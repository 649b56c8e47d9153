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

// body(count, done) for all terms, up to kTerms at a time; count is a constant.
template <class Body>
[[gnu::always_inline]] inline void in_fours(int term_count, const Body& body) {
    int done = 0;
    for (; term_count - done >= kTerms; done += kTerms)
        body(std::integral_constant<std::size_t, kTerms>{}, done);
    switch (term_count - done) {
        case 1:
            return body(std::integral_constant<std::size_t, 1>{}, done);
        case 2:
            return body(std::integral_constant<std::size_t, 2>{}, done);
        case 3:
            return body(std::integral_constant<std::size_t, 3>{}, done);
        default:
            return;
    }
}

template <std::size_t Count, class Real>
[[gnu::always_inline]] inline void pool_few(Real* sums, const Weighted<Real>* terms, const Real* in,
                                            int stride, int count) {
    Real* out[Count];
    typename Wide<Real>::V weight[Count];
    for (std::size_t t = 0; t < Count; ++t) {
        out[t] = sums + terms[t].rule * stride;
        weight[t] = splat<Wide<Real>>(terms[t].weight);
    }
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V v = load<K>(in + i);
        for (std::size_t t = 0; t < Count; ++t)
            at<K>(out[t] + i) += first_lanes<K>(weight[t]) * v;
    });
}

template <class Real>
void pool(Real* sums, const Weighted<Real>* terms, int term_count, const Real* in, int stride,
          int count) {
    in_fours(
        term_count, [&](auto few, int done) __attribute__((always_inline)) {
            pool_few<decltype(few)::value>(sums, terms + done, in, stride, count);
        });
}

template <std::size_t Count, bool First, class Real>
[[gnu::always_inline]] inline Real pool_few_backward(Real* d_in, Real* d_weights,
                                                     const Real* d_sums,
                                                     const Weighted<Real>* terms, const Real* in,
                                                     int stride, int count) {
    const Real* d_out[Count];
    typename Wide<Real>::V weight[Count];
    Collected<Real> sum[Count];
    Collected<Real> most{};
    for (std::size_t t = 0; t < Count; ++t) {
        d_out[t] = d_sums + terms[t].rule * stride;
        weight[t] = splat<Wide<Real>>(terms[t].weight);
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
            total += first_lanes<K>(weight[t]) * d;
        }
        at<K>(d_in + i) = total;
        most.of(kind) = larger(most.of(kind), magnitude(total));
    });
    add_sums<Count>(d_weights, sum);
    return most.largest();
}

template <class Real>
Real pool_terms_backward(Real* d_in, Real* d_weights, const Real* d_sums,
                         const Weighted<Real>* terms, int term_count, const Real* in, int stride,
                         int count) {
    Real most = 0;
    in_fours(
        term_count, [&](auto few, int done) __attribute__((always_inline)) {
            if (done == 0)
                most = pool_few_backward<decltype(few)::value, true>(d_in, d_weights, d_sums, terms,
                                                                     in, stride, count);
            else
                most = pool_few_backward<decltype(few)::value, false>(
                    d_in, d_weights + done, d_sums, terms + done, in, stride, count);
        });
    return most;
}

template <std::size_t Count, class Real>
[[gnu::always_inline]] inline void pool_few_weights(Real* d_weights, const Real* d_sums,
                                                    const Weighted<Real>* terms, const Real* in,
                                                    int stride, int count) {
    const Real* d_out[Count];
    Collected<Real> sum[Count];
    for (std::size_t t = 0; t < Count; ++t) {
        d_out[t] = d_sums + terms[t].rule * stride;
        sum[t].clear();
    }
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        const typename K::V v = load<K>(in + i);
        for (std::size_t t = 0; t < Count; ++t)
            sum[t].of(kind) += load<K>(d_out[t] + i) * v;
    });
    add_sums<Count>(d_weights, sum);
}

template <class Real>
void pool_weights(Real* d_weights, const Real* d_sums, const Weighted<Real>* terms, int term_count,
                  const Real* in, int stride, int count) {
    in_fours(
        term_count, [&](auto few, int done) __attribute__((always_inline)) {
            pool_few_weights<decltype(few)::value>(d_weights + done, d_sums, terms + done, in,
                                                   stride, count);
        });
}

template <std::size_t Count, class Real>
[[gnu::always_inline]] inline Real pool_few_to(Real* d_in, const Real* d_sums,
                                               const Weighted<Real>* terms, bool first, int stride,
                                               int count) {
    const Real* d_out[Count];
    typename Wide<Real>::V weight[Count];
    for (std::size_t t = 0; t < Count; ++t) {
        d_out[t] = d_sums + terms[t].rule * stride;
        weight[t] = splat<Wide<Real>>(terms[t].weight);
    }
    Collected<Real> most{};
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        V total = first ? V{} : load<K>(d_in + i);
        for (std::size_t t = 0; t < Count; ++t)
            total += first_lanes<K>(weight[t]) * load<K>(d_out[t] + i);
        at<K>(d_in + i) = total;
        most.of(kind) = larger(most.of(kind), magnitude(total));
    });
    return most.largest();
}

// pool_terms_backward without the weights' gradients
template <class Real>
inline Real pool_terms_to(Real* d_in, const Real* d_sums, const Weighted<Real>* terms,
                          int term_count, int stride, int count) {
    Real most = 0;
    in_fours(
        term_count, [&](auto few, int done) __attribute__((always_inline)) {
            most = pool_few_to<decltype(few)::value>(d_in, d_sums, terms + done, done == 0, stride,
                                                     count);
        });
    return most;
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

// Square blocks in registers. Rows have whole blocks; of columns, those beyond n are not there, and
// what they would hold is 0.
template <bool Add, class Real>
inline void transpose_blocks(Real* out, const Real* in, int n, int ld) {
    using H = Half<Real>;
    constexpr int side = grain<Real>();
    for (int x = 0; x < n; x += side) {
        const int there = n - x < side ? n - x : side;
        for (int y = 0; y < n; y += side) {
            typename H::V rows[static_cast<std::size_t>(side)]{};
            for (int k = 0; k < there; ++k)
                rows[k] = load<H>(in + (x + k) * ld + y);
            transpose_block(rows);
            const int kept = n - y < side ? n - y : side;
            for (int k = 0; k < kept; ++k) {
                const auto to = at<H>(out + (y + k) * ld + x);
                if constexpr (Add)
                    to += rows[k];
                else
                    to = rows[k];
            }
        }
    }
}

template <class Real>
void transpose(Real* out, const Real* in, int n, int ld) {
    transpose_blocks<false>(out, in, n, ld);
}

template <class Real>
void add_transposed(Real* out, const Real* in, int n, int ld) {
    transpose_blocks<true>(out, in, n, ld);
}

// Few rows are maximised side by side, which needs no search for the winner.
template <class Real>
void row_max(Real* out, Index<Real>* winner, const Real* in, int n, int ld) {
    constexpr int few = 2 * lanes<Real>();
    if (ld <= few) {
        Real turned[static_cast<std::size_t>(few * few)];
        transpose(turned, in, n, ld);
        column_max(out, winner, turned, n, ld);
        return;
    }
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
