// SPDX-License-Identifier: Apache-2.0
// Lists of small pairs: conjunction, pooling and their gradients without a call for each.

/// What kPairColumns allows.
template <class Real>
constexpr std::size_t pair_area() {
    return static_cast<std::size_t>(kPairColumns<Real>()) * kPairColumns<Real>();
}

template <class Real, std::size_t Blocks, bool Tail>
constexpr int row_length() {
    return static_cast<int>(Blocks) * lanes<Real>() + (Tail ? grain<Real>() : 0);
}

/// One row of a join, some vectors and perhaps a half after them: the maxima and what attains them.
template <class Real, std::size_t Blocks, bool Tail>
struct RowWinners {
    using K = Wide<Real>;
    using H = Half<Real>;
    static constexpr std::size_t width = lanes<Real>();
    Winners<K> whole[Blocks == 0 ? 1 : Blocks];
    Winners<H> half;

    template <class Op>
    [[gnu::always_inline]] void find(const Real* left, const Real* right, int n) {
        constexpr int ld = row_length<Real, Blocks, Tail>();
        const typename K::V l0 = splat<K>(left[0]);
        for (std::size_t b = 0; b < Blocks; ++b)
            whole[b].template begin<Op>(l0, load<K>(right + b * width));
        if constexpr (Tail)
            half.template begin<Op>(low(l0), load<H>(right + Blocks * width));
        typename K::I index{};
        typename H::I half_index{};
        for (int z = 1; z < n; ++z) {
            right += ld;
            index = index + 1;
            half_index = half_index + 1;
            const typename K::V l = splat<K>(left[z]);
            for (std::size_t b = 0; b < Blocks; ++b)
                whole[b].template add<Op>(l, load<K>(right + b * width), index);
            if constexpr (Tail)
                half.template add<Op>(low(l), load<H>(right + Blocks * width), half_index);
        }
    }
};

// Gradients of the cells (x, y), (x, y + 1), ..., `count` of them. d is what goes to left, (n, ld),
// and `area` entries later what goes to right. A minimum passes its gradient to one side, but for
// the rare ties: one addition for most cells instead of two.
template <class Op, class K, class Real>
[[gnu::always_inline]] inline void scatter_cells(Real* d, const Winners<K>& won, typename K::V g,
                                                 int x, int y, int count, int ld, int area) {
    using I = typename K::I;
    I lane;
    for (int k = 0; k < K::count; ++k)
        lane[k] = k;
    const I left = won.z + x * ld;
    const I right = won.z * static_cast<Index<Real>>(ld) + (lane + (area + y));
    Index<Real> place[K::count];
    Real amount[K::count];
    if constexpr (Op::one_sided) {
        const I tie = (won.left == won.right) & (g != 0);
        store<K>(place, won.left > won.right ? right : left);
        at<K>(amount) = tie ? g / 2 : g;
        for (int k = 0; k < count; ++k)
            d[place[k]] += amount[k];
        if (any<K>(tie))
            for (int k = 0; k < count; ++k)
                if (tie[k] != 0)
                    d[right[k]] += amount[k];
    } else {
        Index<Real> other[K::count];
        Real rest[K::count];
        store<K>(place, left);
        store<K>(other, right);
        at<K>(amount) = g * Op::d_left(won.left, won.right);
        at<K>(rest) = g * Op::d_right(won.left, won.right);
        for (int k = 0; k < count; ++k) {
            d[place[k]] += amount[k];
            d[other[k]] += rest[k];
        }
    }
}

// product = left join right, and the gradient of its cells goes to both sides.
template <class Op, std::size_t Blocks, bool Tail, class Real>
inline void join_and_scatter(Real* product, Real* d_left, Real* d_right, const Real* d_out,
                             const Real* left, const Real* right, int n) {
    using K = Wide<Real>;
    using H = Half<Real>;
    constexpr int ld = row_length<Real, Blocks, Tail>();
    constexpr int width = lanes<Real>();
    const int area = n * ld;
    Real d[2 * pair_area<Real>()];
    clear(d, 2 * area);
    RowWinners<Real, Blocks, Tail> row;
    for (int x = 0; x < n; ++x) {
        row.template find<Op>(left + x * ld, right, n);
        for (std::size_t b = 0; b < Blocks; ++b) {
            const int y = static_cast<int>(b) * width;
            at<K>(product + x * ld + y) = row.whole[b].best;
            scatter_cells<Op, K>(d, row.whole[b], load<K>(d_out + x * ld + y), x, y,
                                 n - y < width ? n - y : width, ld, area);
        }
        if constexpr (Tail) {
            constexpr int y = static_cast<int>(Blocks) * width;
            at<H>(product + x * ld + y) = row.half.best;
            scatter_cells<Op, H>(d, row.half, load<H>(d_out + x * ld + y), x, y, n - y, ld, area);
        }
    }
    if (d_left != nullptr)
        add_scaled(d_left, d, Real(1), area);
    if (d_right != nullptr)
        add_scaled(d_right, d + area, Real(1), area);
}

template <class Op, std::size_t Blocks, bool Tail, class Real>
void pool_joins(Real* sums, const PairWork<Real>* pairs, int count, int n) {
    constexpr int ld = row_length<Real, Blocks, Tail>();
    Real product[pair_area<Real>()];
    for (const PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
        join_strip<Op, Blocks, Tail>(product, *pair->left, *pair->right, ld, n, n, ld, true);
        pool(sums, pair->terms, pair->direct, product, n * ld, n * ld);
    }
}

template <class Op, std::size_t Blocks, bool Tail, class Real>
void pool_joins_backward(const PairWork<Real>* pairs, int count, const Real* d_sums, Real least,
                         int n) {
    constexpr int ld = row_length<Real, Blocks, Tail>();
    const int area = n * ld;
    Real product[pair_area<Real>()];
    Real d_product[pair_area<Real>()];
    for (const PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
        if ((pair->d_left != nullptr || pair->d_right != nullptr) &&
            pool_terms_to(d_product, d_sums, pair->terms, pair->direct, area, area) > least) {
            *pair->left_touched = *pair->right_touched = 1;
            join_and_scatter<Op, Blocks, Tail>(product, pair->d_left, pair->d_right, d_product,
                                               *pair->left, *pair->right, n);
        } else {
            join_strip<Op, Blocks, Tail>(product, *pair->left, *pair->right, ld, n, n, ld, true);
        }
        pool_weights(pair->d_weights, d_sums, pair->terms, pair->direct, product, area, area);
    }
}

// body(blocks, tail) with a row's vectors as constants.
template <class Real, class Body>
inline void by_row_length(int ld, const Body& body) {
    using std::bool_constant;
    using std::integral_constant;
    switch (ld / grain<Real>()) {
        case 1:
            return body(integral_constant<std::size_t, 0>{}, bool_constant<true>{});
        case 2:
            return body(integral_constant<std::size_t, 1>{}, bool_constant<false>{});
        case 3:
            return body(integral_constant<std::size_t, 1>{}, bool_constant<true>{});
        default:
            return body(integral_constant<std::size_t, 2>{}, bool_constant<false>{});
    }
}

// d_in += d_best where the column's maximum is attained first. The largest of d_in.
template <class Real>
inline Real pass_to_first(Real* d_in, const Real* in, const Real* best, const Real* d_best, int n,
                          int ld) {
    Collected<Real> most{};
    along<Real>(ld, [&](auto kind, int y) {
        using K = decltype(kind);
        using V = typename K::V;
        const V top = load<K>(best + y);
        V rest = load<K>(d_best + y);
        for (int x = 0; x < n; ++x) {
            const int i = x * ld + y;
            const typename K::I first = load<K>(in + i) == top;
            const V d = load<K>(d_in + i) + (first ? rest : V{});
            rest = first ? V{} : rest;
            at<K>(d_in + i) = d;
            most.of(kind) = larger(most.of(kind), magnitude(d));
        }
    });
    return most.largest();
}

template <class Real>
inline void column_best(Real* out, const Real* in, int n, int ld) {
    along<Real>(ld, [&](auto kind, int y) {
        using K = decltype(kind);
        typename K::V best = load<K>(in + y);
        for (int x = 1; x < n; ++x)
            best = larger(best, load<K>(in + x * ld + y));
        at<K>(out + y) = best;
    });
}

template <class Op, Shape shape, class Real>
void pool_pairs(Real* sums, const PairWork<Real>* pairs, int count, int n, int ld) {
    if constexpr (shape == Shape::join) {
        by_row_length<Real>(ld, [&](auto blocks, auto tail) {
            pool_joins<Op, decltype(blocks)::value, decltype(tail)::value>(sums, pairs, count, n);
        });
    } else {
        Real product[pair_area<Real>()];
        Real best[static_cast<std::size_t>(kPairColumns<Real>())];
        Index<Real> winner[static_cast<std::size_t>(kPairColumns<Real>())];
        const int size = shape == Shape::meet || shape == Shape::outer ? n * ld : ld;
        for (const PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
            if constexpr (shape == Shape::meet)
                meet<Op>(product, *pair->left, *pair->right, size);
            else if constexpr (shape == Shape::column)
                join_column<Op>(product, winner, *pair->left, *pair->right, n, ld);
            else
                outer<Op>(product, *pair->left, *pair->right, size / ld, ld);
            pool(sums, pair->terms, pair->direct, product, size, size);
            if (pair->reduced > 0) {
                column_best(best, product, n, ld);
                pool(sums, pair->terms + pair->direct, pair->reduced, best, size, ld);
            }
        }
    }
}

template <class Op, Shape shape, class Real>
void pool_pairs_backward(const PairWork<Real>* pairs, int count, const Real* d_sums, Real least,
                         int n, int ld) {
    if constexpr (shape == Shape::join) {
        by_row_length<Real>(ld, [&](auto blocks, auto tail) {
            pool_joins_backward<Op, decltype(blocks)::value, decltype(tail)::value>(
                pairs, count, d_sums, least, n);
        });
    } else {
        Real product[pair_area<Real>()];
        Real d_product[pair_area<Real>()];
        Real best[static_cast<std::size_t>(kPairColumns<Real>())];
        Real d_best[static_cast<std::size_t>(kPairColumns<Real>())];
        Index<Real> winner[static_cast<std::size_t>(kPairColumns<Real>())];
        const int size = shape == Shape::meet || shape == Shape::outer ? n * ld : ld;
        for (const PairWork<Real>* pair = pairs; pair != pairs + count; ++pair) {
            if constexpr (shape == Shape::meet)
                meet<Op>(product, *pair->left, *pair->right, size);
            else if constexpr (shape == Shape::column)
                join_column<Op>(product, winner, *pair->left, *pair->right, n, ld);
            else
                outer<Op>(product, *pair->left, *pair->right, size / ld, ld);
            Real most = 0;
            const bool given = pair->d_left == nullptr && pair->d_right == nullptr;
            if (given)
                pool_weights(pair->d_weights, d_sums, pair->terms, pair->direct, product, size,
                             size);
            else if (pair->direct > 0)
                most = pool_terms_backward(d_product, pair->d_weights, d_sums, pair->terms,
                                           pair->direct, product, size, size);
            else
                clear(d_product, size);
            if (pair->reduced > 0) {
                const Weighted<Real>* terms = pair->terms + pair->direct;
                column_best(best, product, n, ld);
                pool_weights(pair->d_weights + pair->direct, d_sums, terms, pair->reduced, best,
                             size, ld);
                if (!given) {
                    pool_terms_to(d_best, d_sums, terms, pair->reduced, size, ld);
                    most = pass_to_first(d_product, product, best, d_best, n, ld);
                }
            }
            if (given || !(most > least))
                continue;
            *pair->left_touched = *pair->right_touched = 1;
            if constexpr (shape == Shape::meet)
                meet_backward<Op>(pair->d_left, pair->d_right, d_product, *pair->left, *pair->right,
                                  size);
            else if constexpr (shape == Shape::column)
                join_column_backward<Op>(pair->d_left, pair->d_right, d_product, winner,
                                         *pair->left, *pair->right, n, ld);
            else
                outer_backward<Op>(pair->d_left, pair->d_right, d_product, *pair->left,
                                   *pair->right, size / ld, ld);
        }
    }
}
