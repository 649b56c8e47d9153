// SPDX-License-Identifier: Apache-2.0
// The max-and product: the hot loop of the whole system.

// A block of `Blocks` vectors of one output row at a time, two rows together so that right's rows
// are loaded once for both.
template <class Op, class Real, std::size_t Blocks>
inline void join_rows(Real* out, const Real* left, const Real* right, int n, int ld) {
    using V = Vector<Real>;
    int x = 0;
    for (; x + 1 < n; x += 2) {
        V best0[Blocks];
        V best1[Blocks];
        for (std::size_t b = 0; b < Blocks; ++b) {
            best0[b] = V{};
            best1[b] = V{};
        }
        const Real* row0 = left + x * ld;
        const Real* row1 = row0 + ld;
        const Real* q = right;
        for (int z = 0; z < n; ++z, q += ld) {
            const V p0 = splat<Real>(row0[z]);
            const V p1 = splat<Real>(row1[z]);
            for (std::size_t b = 0; b < Blocks; ++b) {
                const V r = vectors(q)[b];
                const V m0 = Op::apply(p0, r);
                const V m1 = Op::apply(p1, r);
                best0[b] = best0[b] > m0 ? best0[b] : m0;
                best1[b] = best1[b] > m1 ? best1[b] : m1;
            }
        }
        for (std::size_t b = 0; b < Blocks; ++b) {
            vectors(out + x * ld)[b] = best0[b];
            vectors(out + (x + 1) * ld)[b] = best1[b];
        }
    }
    if (x < n) {
        V best[Blocks];
        for (std::size_t b = 0; b < Blocks; ++b)
            best[b] = V{};
        const Real* q = right;
        for (int z = 0; z < n; ++z, q += ld) {
            const V p = splat<Real>(left[x * ld + z]);
            for (std::size_t b = 0; b < Blocks; ++b) {
                const V m = Op::apply(p, vectors(q)[b]);
                best[b] = best[b] > m ? best[b] : m;
            }
        }
        for (std::size_t b = 0; b < Blocks; ++b)
            vectors(out + x * ld)[b] = best[b];
    }
}

template <class Op, class Real>
void join(Real* out, const Real* left, const Real* right, int n, int ld) {
    constexpr int width = lanes<Real>();
    int y = 0;
    for (; y + 3 * width <= ld; y += 3 * width)
        join_rows<Op, Real, 3>(out + y, left, right + y, n, ld);
    if (y + 2 * width <= ld)
        join_rows<Op, Real, 2>(out + y, left, right + y, n, ld);
    else if (y + width <= ld)
        join_rows<Op, Real, 1>(out + y, left, right + y, n, ld);
}

template <class Op, class Real>
void join_with_winner(Real* out, Index<Real>* winner, const Real* left, const Real* right, int n,
                      int ld) {
    using V = Vector<Real>;
    using I = IndexVector<Real>;
    constexpr int width = lanes<Real>();
    for (int x = 0; x < n; ++x) {
        const Real* row = left + x * ld;
        for (int y = 0; y < ld; y += width) {
            V best = Op::apply(splat<Real>(row[0]), *vectors(right + y));
            I arg{};
            for (int z = 1; z < n; ++z) {
                const V m = Op::apply(splat<Real>(row[z]), *vectors(right + z * ld + y));
                const I larger = m > best;
                best = larger ? m : best;
                arg = larger ? (I{} + static_cast<Index<Real>>(z)) : arg;
            }
            *vectors(out + x * ld + y) = best;
            *reinterpret_cast<I*>(winner + x * ld + y) = arg;
        }
    }
}

// Cell by cell along diagonals: neighbours in that order share neither row nor column, so that no
// addition waits for the one before.
template <class Op, class Real, bool Left, bool Right>
inline void scatter(Real* d_left, Real* d_right, const Real* d_out, const Index<Real>* winner,
                    const Real* left, const Real* right, int n, int ld) {
    for (int shift = 0; shift < n; ++shift) {
        for (int y = 0; y < n; ++y) {
            const int x = y + shift < n ? y + shift : y + shift - n;
            const int at = x * ld + y;
            const int z = static_cast<int>(winner[at]);
            const int from_left = x * ld + z;
            const int from_right = z * ld + y;
            const Real l = left[from_left];
            const Real r = right[from_right];
            if constexpr (Left)
                d_left[from_left] += d_out[at] * Op::d_left(l, r);
            if constexpr (Right)
                d_right[from_right] += d_out[at] * Op::d_right(l, r);
        }
    }
}

template <class Op, class Real>
void join_backward(Real* d_left, Real* d_right, const Real* d_out, const Index<Real>* winner,
                   const Real* left, const Real* right, int n, int ld) {
    if (d_left == nullptr)
        scatter<Op, Real, false, true>(d_left, d_right, d_out, winner, left, right, n, ld);
    else if (d_right == nullptr)
        scatter<Op, Real, true, false>(d_left, d_right, d_out, winner, left, right, n, ld);
    else
        scatter<Op, Real, true, true>(d_left, d_right, d_out, winner, left, right, n, ld);
}

// A join whose right side does not depend on y, from the transposed left side.
template <class Op, class Real>
void join_column(Real* out, Index<Real>* winner, const Real* left_transposed, const Real* right,
                 int n, int ld) {
    using V = Vector<Real>;
    using I = IndexVector<Real>;
    for (int x = 0; x < ld; x += lanes<Real>()) {
        V best = Op::apply(*vectors(left_transposed + x), splat<Real>(right[0]));
        I arg{};
        for (int z = 1; z < n; ++z) {
            const V m =
                Op::apply(*vectors(left_transposed + z * ld + x), splat<Real>(right[z * ld]));
            const I larger = m > best;
            best = larger ? m : best;
            arg = larger ? (I{} + static_cast<Index<Real>>(z)) : arg;
        }
        *vectors(out + x) = best;
        *reinterpret_cast<I*>(winner + x) = arg;
    }
}

template <class Op, class Real>
void join_column_backward(Real* d_left_transposed, Real* d_right, const Real* d_out,
                          const Index<Real>* winner, const Real* left_transposed, const Real* right,
                          int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const int z = static_cast<int>(winner[x]);
        const Real l = left_transposed[z * ld + x];
        const Real r = right[z * ld];
        if (d_left_transposed != nullptr)
            d_left_transposed[z * ld + x] += d_out[x] * Op::d_left(l, r);
        if (d_right != nullptr)
            d_right[z * ld] += d_out[x] * Op::d_right(l, r);
    }
}

template <class Op, class Real>
void outer(Real* out, const Real* left, const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Vector<Real> p = splat<Real>(left[x * ld]);
        for (int y = 0; y < ld; y += lanes<Real>())
            *vectors(out + x * ld + y) = Op::apply(p, *vectors(right + y));
    }
}

template <class Op, class Real>
void outer_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                    const Real* right, int n, int ld) {
    using V = Vector<Real>;
    for (int x = 0; x < n; ++x) {
        const V l = splat<Real>(left[x * ld]);
        V sum{};
        for (int y = 0; y < ld; y += lanes<Real>()) {
            const V g = *vectors(d_out + x * ld + y);
            const V r = *vectors(right + y);
            sum += g * Op::d_left(l, r);
            if (d_right != nullptr)
                *vectors(d_right + y) += g * Op::d_right(l, r);
        }
        if (d_left != nullptr)
            d_left[x * ld] += sum_of_lanes<Real>(sum);
    }
}
