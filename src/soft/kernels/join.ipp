// SPDX-License-Identifier: Apache-2.0
// The max-and product: the hot loop of the whole system.

// Rows of right that are read again and again for all rows of left: with three vectors of each they
// fill half of the first cache.
constexpr int kJoinDepth = 160;

// Some vectors of a row, and perhaps a half after them.
template <class Real, std::size_t Blocks, bool Tail>
struct Strip {
    using K = Wide<Real>;
    using H = Half<Real>;
    static constexpr std::size_t width = lanes<Real>();
    typename K::V whole[Blocks == 0 ? 1 : Blocks];
    typename H::V half;

    void load_from(const Real* p) {
        for (std::size_t b = 0; b < Blocks; ++b)
            whole[b] = load<K>(p + b * width);
        if constexpr (Tail)
            half = load<H>(p + Blocks * width);
    }

    void store_to(Real* p) const {
        for (std::size_t b = 0; b < Blocks; ++b)
            at<K>(p + b * width) = whole[b];
        if constexpr (Tail)
            at<H>(p + Blocks * width) = half;
    }

    void fill(Real value) {
        for (std::size_t b = 0; b < Blocks; ++b)
            whole[b] = splat<K>(value);
        if constexpr (Tail)
            half = splat<H>(value);
    }

    /// this = max(this, and(left, right))
    template <class Op>
    void keep(Real left, const Strip& right) {
        const typename K::V l = splat<K>(left);
        for (std::size_t b = 0; b < Blocks; ++b)
            whole[b] = larger(whole[b], Op::apply(l, right.whole[b]));
        if constexpr (Tail)
            half = larger(half, Op::apply(low(l), right.half));
    }
};

// A strip of all output rows, two of them together so that right's rows are loaded once for both.
// In all but the first block of z, the maximum so far is in out.
template <class Op, std::size_t Blocks, bool Tail, class Real>
inline void join_strip(Real* out, const Real* left, const Real* right, int right_ld, int rows,
                       int depth, int ld, bool first) {
    Strip<Real, Blocks, Tail> best0;
    Strip<Real, Blocks, Tail> best1;
    Strip<Real, Blocks, Tail> r;
    const auto begin = [&](auto& best, const Real* from) {
        if (first)
            best.fill(Real(0));
        else
            best.load_from(from);
    };
    int x = 0;
    for (; x + 1 < rows; x += 2) {
        const Real* row0 = left + x * ld;
        const Real* row1 = row0 + ld;
        begin(best0, out + x * ld);
        begin(best1, out + (x + 1) * ld);
        const Real* q = right;
        for (int z = 0; z < depth; ++z, q += right_ld) {
            r.load_from(q);
            best0.template keep<Op>(row0[z], r);
            best1.template keep<Op>(row1[z], r);
        }
        best0.store_to(out + x * ld);
        best1.store_to(out + (x + 1) * ld);
    }
    if (x < rows) {
        begin(best0, out + x * ld);
        for (int z = 0; z < depth; ++z) {
            r.load_from(right + z * right_ld);
            best0.template keep<Op>(left[x * ld + z], r);
        }
        best0.store_to(out + x * ld);
    }
}

constexpr int kWorthCopying = 64;  // rows

template <class Real>
inline void copy_strip(Real* to, int width, const Real* from, int ld, int depth) {
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < width; ++y)
            to[z * width + y] = from[z * ld + y];
}

template <class Op, class Real>
void join(Real* out, const Real* left, const Real* right, int rows, int n, int ld) {
    constexpr int width = lanes<Real>();
    for (int z = 0; z < n; z += kJoinDepth) {
        const int depth = n - z < kJoinDepth ? n - z : kJoinDepth;
        const Real* l = left + z;
        const Real* r = right + z * ld;
        const bool first = z == 0;
        int y = 0;
        for (; y + 3 * width <= ld; y += 3 * width) {
            // Side by side: rows that are a power of two apart would push each other out of the
            // cache.
            if (rows >= kWorthCopying) {
                Real strip[static_cast<std::size_t>(kJoinDepth * 3 * width)];
                copy_strip(strip, 3 * width, r + y, ld, depth);
                join_strip<Op, 3, false>(out + y, l, strip, 3 * width, rows, depth, ld, first);
            } else {
                join_strip<Op, 3, false>(out + y, l, r + y, ld, rows, depth, ld, first);
            }
        }
        switch ((ld - y) / grain<Real>()) {
            case 1:
                join_strip<Op, 0, true>(out + y, l, r + y, ld, rows, depth, ld, first);
                break;
            case 2:
                join_strip<Op, 1, false>(out + y, l, r + y, ld, rows, depth, ld, first);
                break;
            case 3:
                join_strip<Op, 1, true>(out + y, l, r + y, ld, rows, depth, ld, first);
                break;
            case 4:
                join_strip<Op, 2, false>(out + y, l, r + y, ld, rows, depth, ld, first);
                break;
            case 5:
                join_strip<Op, 2, true>(out + y, l, r + y, ld, rows, depth, ld, first);
                break;
            default:
                break;
        }
    }
}

// One vector of one output row: the maximum and what attains it first.
template <class K>
struct Winners {
    using V = typename K::V;
    using I = typename K::I;
    V best;
    V left;
    V right;
    I z;

    template <class Op>
    void begin(V l, V r) {
        best = Op::apply(l, r);
        left = l;
        right = r;
        z = I{};
    }

    template <class Op>
    void add(V l, V r, I index) {
        const V m = Op::apply(l, r);
        const I wins = m > best;
        best = larger(m, best);
        left = wins ? l : left;
        right = wins ? r : right;
        z = wins ? index : z;
    }

    void store_to(const Joined<typename K::Real>& out, int offset) const {
        at<K>(out.product + offset) = best;
        at<K>(out.left + offset) = left;
        at<K>(out.right + offset) = right;
        store<K>(out.winner + offset, z);
    }
};

// The rows of one vector of columns, `Rows` of them together.
template <class Op, class K, std::size_t Rows, class Real>
inline void join_winners(const Joined<Real>& out, const Real* left, const Real* right, int right_ld,
                         int depth, int ld, int offset) {
    Winners<K> rows[Rows];
    const Real* row[Rows];
    for (std::size_t k = 0; k < Rows; ++k) {
        row[k] = left + static_cast<int>(k) * ld;
        rows[k].template begin<Op>(splat<K>(row[k][0]), load<K>(right));
    }
    typename K::I index{};
    for (int z = 1; z < depth; ++z) {
        index = index + 1;
        const typename K::V r = load<K>(right + z * right_ld);
        for (std::size_t k = 0; k < Rows; ++k)
            rows[k].template add<Op>(splat<K>(row[k][z]), r, index);
    }
    for (std::size_t k = 0; k < Rows; ++k)
        rows[k].store_to(out, offset + static_cast<int>(k) * ld);
}

// One row of a vector and a half of columns.
template <class Op, class Real>
inline void join_winners_and_half(const Joined<Real>& out, const Real* left, const Real* right,
                                  int depth, int ld, int offset) {
    using K = Wide<Real>;
    using H = Half<Real>;
    Winners<K> whole;
    Winners<H> half;
    whole.template begin<Op>(splat<K>(left[0]), load<K>(right));
    half.template begin<Op>(splat<H>(left[0]), load<H>(right + K::count));
    typename K::I index{};
    typename H::I half_index{};
    for (int z = 1; z < depth; ++z) {
        index = index + 1;
        half_index = half_index + 1;
        const typename K::V l = splat<K>(left[z]);
        whole.template add<Op>(l, load<K>(right + z * ld), index);
        half.template add<Op>(low(l), load<H>(right + z * ld + K::count), half_index);
    }
    whole.store_to(out, offset);
    half.store_to(out, offset + K::count);
}

template <class Op, class Real>
void join_with_winner(const Joined<Real>& out, const Real* left, const Real* right, int rows, int n,
                      int ld) {
    constexpr int width = lanes<Real>();
    int y = 0;
    const auto by_rows = [&](auto kind, const Real* r, int right_ld) {
        using K = decltype(kind);
        int x = 0;
        for (; x + 1 < rows; x += 2)
            join_winners<Op, K, 2>(out, left + x * ld, r, right_ld, n, ld, x * ld + y);
        if (x < rows)
            join_winners<Op, K, 1>(out, left + x * ld, r, right_ld, n, ld, x * ld + y);
    };
    constexpr int kMaxCopied = 512;
    for (; ld - y >= 2 * width || ld - y == width; y += width) {
        if (rows >= kWorthCopying && n <= kMaxCopied) {
            Real strip[static_cast<std::size_t>(kMaxCopied * width)];
            copy_strip(strip, width, right + y, ld, n);
            by_rows(Wide<Real>{}, strip, width);
        } else {
            by_rows(Wide<Real>{}, right + y, ld);
        }
    }
    if (ld - y > width)
        for (int x = 0; x < rows; ++x)
            join_winners_and_half<Op>(out, left + x * ld, right + y, n, ld, x * ld + y);
    else if (y < ld)
        by_rows(Half<Real>{}, right + y, ld);
}

// The gradient of cells (x, y) goes to (x, z) on the left and (z, y) on the right: one cell after
// the other, rows and columns in ascending order.
template <class Op, class Real, bool Left, bool Right>
inline void scatter(Real* d_left, Real* d_right, const Real* d_out, const Joined<Real>& joined,
                    int n, int ld) {
    for (int x = 0; x < n; ++x) {
        Real* d_row = Left ? d_left + x * ld : nullptr;
        along<Real>(ld, [&](auto kind, int y) {
            using K = decltype(kind);
            using V = typename K::V;
            const int first = x * ld + y;
            const V l = load<K>(joined.left + first);
            const V r = load<K>(joined.right + first);
            const V g = load<K>(d_out + first);
            Real to_left[K::count];
            Real to_right[K::count];
            if constexpr (Left)
                at<K>(to_left) = g * Op::d_left(l, r);
            if constexpr (Right)
                at<K>(to_right) = g * Op::d_right(l, r);
            const Index<Real>* winner = joined.winner + first;
            const int count = n - y < K::count ? n - y : K::count;
            Real* d_column = Right ? d_right + y : nullptr;
            for (int k = 0; k < count; ++k) {
                const auto z = static_cast<std::ptrdiff_t>(winner[k]);
                if constexpr (Left)
                    d_row[z] += to_left[k];
                if constexpr (Right)
                    d_column[z * ld + k] += to_right[k];
            }
        });
    }
}

template <class Op, class Real>
void join_backward(Real* d_left, Real* d_right, const Real* d_out, const Joined<Real>& joined,
                   int n, int ld) {
    if (d_left == nullptr)
        scatter<Op, Real, false, true>(d_left, d_right, d_out, joined, n, ld);
    else if (d_right == nullptr)
        scatter<Op, Real, true, false>(d_left, d_right, d_out, joined, n, ld);
    else
        scatter<Op, Real, true, true>(d_left, d_right, d_out, joined, n, ld);
}

// A join whose right side does not depend on y, from the transposed left side.
template <class Op, class Real>
void join_column(Real* out, Index<Real>* winner, const Real* left_transposed, const Real* right,
                 int n, int ld) {
    along<Real>(ld, [&](auto kind, int x) {
        using K = decltype(kind);
        using V = typename K::V;
        using I = typename K::I;
        V best = Op::apply(load<K>(left_transposed + x), splat<K>(right[0]));
        I arg{};
        I index{};
        for (int z = 1; z < n; ++z) {
            index = index + 1;
            const V m = Op::apply(load<K>(left_transposed + z * ld + x), splat<K>(right[z * ld]));
            const I wins = m > best;
            best = larger(m, best);
            arg = wins ? index : arg;
        }
        at<K>(out + x) = best;
        store<K>(winner + x, arg);
    });
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
        const Real p = left[x * ld];
        along<Real>(ld, [&](auto kind, int y) {
            using K = decltype(kind);
            at<K>(out + x * ld + y) = Op::apply(splat<K>(p), load<K>(right + y));
        });
    }
}

template <class Op, class Real>
void outer_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                    const Real* right, int n, int ld) {
    for (int x = 0; x < n; ++x) {
        const Real p = left[x * ld];
        Collected<Real> sum{};
        along<Real>(ld, [&](auto kind, int y) {
            using K = decltype(kind);
            using V = typename K::V;
            const V l = splat<K>(p);
            const V g = load<K>(d_out + x * ld + y);
            const V r = load<K>(right + y);
            sum.of(kind) += g * Op::d_left(l, r);
            if (d_right != nullptr)
                at<K>(d_right + y) += g * Op::d_right(l, r);
        });
        if (d_left != nullptr)
            d_left[x * ld] += sum.sum();
    }
}
