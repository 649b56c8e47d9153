// SPDX-License-Identifier: Apache-2.0
// Vectors of 32 bytes by the compiler's extension (one register on AVX2, two on SSE), and of 16 for
// what is left of a row. Kinds of vectors are named by tags: an attribute of a type is lost when it
// is a template's argument.

template <class Real_, std::size_t Bytes>
struct Kind {
    using Real = Real_;
    typedef Real V __attribute__((vector_size(Bytes)));
    typedef Index<Real> I __attribute__((vector_size(Bytes)));
    static constexpr int count = static_cast<int>(Bytes / sizeof(Real));
};

template <class Real>
using Wide = Kind<Real, 32>;
template <class Real>
using Half = Kind<Real, 16>;

// Memory is not aligned to whole vectors. It is copied from and to, which compiles to one
// instruction; clang would forget the alignment of a typedef that depends on a template's argument.
template <class K>
inline typename K::V load(const typename K::Real* p) {
    typename K::V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

template <class K>
inline void store(Index<typename K::Real>* p, typename K::I indices) {
    __builtin_memcpy(p, &indices, sizeof indices);
}

/// A vector in memory, to be written or added to.
template <class K>
struct Place {
    typename K::Real* p;

    void operator=(typename K::V v) const { __builtin_memcpy(p, &v, sizeof v); }

    void operator+=(typename K::V v) const { *this = load<K>(p) + v; }
};

template <class K>
inline Place<K> at(typename K::Real* p) {
    return {p};
}

template <class K>
inline typename K::V splat(typename K::Real value) {
    return value - typename K::V{};
}

/// body(kind, i) for the vectors of a row of `count` entries, a multiple of grain<Real>(): whole
/// ones, then perhaps a half.
template <class Real, class Body>
inline void along(int count, const Body& body) {
    int i = 0;
    for (; i + lanes<Real>() <= count; i += lanes<Real>())
        body(Wide<Real>{}, i);
    if (i < count)
        body(Half<Real>{}, i);
}

// Halves of a vector, and reductions in a fixed order, whatever the instruction set.
inline Half<float>::V low(Wide<float>::V v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }

inline Half<float>::V high(Wide<float>::V v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

inline Half<double>::V low(Wide<double>::V v) { return __builtin_shufflevector(v, v, 0, 1); }

inline Half<double>::V high(Wide<double>::V v) { return __builtin_shufflevector(v, v, 2, 3); }

/// As many lanes as a kind has.
template <class K>
inline typename K::V first_lanes(typename Wide<typename K::Real>::V v) {
    if constexpr (K::count == lanes<typename K::Real>())
        return v;
    else
        return low(v);
}

inline float sum_of_lanes(Half<float>::V v) { return (v[0] + v[2]) + (v[1] + v[3]); }

inline double sum_of_lanes(Half<double>::V v) { return v[0] + v[1]; }

// Square blocks in registers.
inline void transpose_block(Half<float>::V* rows) {
    const Half<float>::V a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Half<float>::V b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Half<float>::V c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Half<float>::V d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

inline void transpose_block(Half<double>::V* rows) {
    const Half<double>::V a = rows[0];
    rows[0] = __builtin_shufflevector(a, rows[1], 0, 2);
    rows[1] = __builtin_shufflevector(a, rows[1], 1, 3);
}

template <class T>
inline T larger(T a, T b) {
    return a > b ? a : b;
}

template <class T>
inline T magnitude(T a) {
    return a < 0 ? -a : a;
}

inline float largest_lane(Half<float>::V v) {
    return larger(larger(v[0], v[2]), larger(v[1], v[3]));
}

inline double largest_lane(Half<double>::V v) { return larger(v[0], v[1]); }

/// What is collected along a row: whole vectors, and the half at its end.
template <class Real>
struct Collected {
    typename Wide<Real>::V whole;
    typename Half<Real>::V rest;

    void clear() {
        whole = typename Wide<Real>::V{};
        rest = typename Half<Real>::V{};
    }

    typename Wide<Real>::V& of(Wide<Real>) { return whole; }

    typename Half<Real>::V& of(Half<Real>) { return rest; }

    typename Half<Real>::V halves() const { return (low(whole) + high(whole)) + rest; }

    Real sum() const { return sum_of_lanes(halves()); }

    Real largest() const { return largest_lane(larger(larger(low(whole), high(whole)), rest)); }
};

/// out[i] += sums[i].sum(), several at once where that is cheaper; the same bits.
template <std::size_t Count>
inline void add_sums(float* out, const Collected<float>* sums) {
    if constexpr (Count < 3) {
        for (std::size_t i = 0; i < Count; ++i)
            out[i] += sums[i].sum();
    } else {
        Half<float>::V v[4]{};
        for (std::size_t i = 0; i < Count; ++i)
            v[i] = sums[i].halves();
        transpose_block(v);
        const Half<float>::V total = (v[0] + v[2]) + (v[1] + v[3]);
        if constexpr (Count == 4)
            at<Half<float>>(out) += total;
        else
            for (std::size_t i = 0; i < Count; ++i)
                out[i] += total[i];
    }
}

template <std::size_t Count>
inline void add_sums(double* out, const Collected<double>* sums) {
    for (std::size_t i = 0; i < Count; ++i)
        out[i] += sums[i].sum();
}

/// Whether a comparison holds somewhere.
template <class K>
inline bool any(typename K::I comparison) {
    std::uint64_t words[sizeof comparison / sizeof(std::uint64_t)];
    __builtin_memcpy(words, &comparison, sizeof comparison);
    std::uint64_t some = 0;
    for (const std::uint64_t word : words)
        some |= word;
    return some != 0;
}

template <class Real>
inline void clear(Real* p, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        at<K>(p + i) = typename K::V{};
    });
}

// The fuzzy conjunctions: value, and the share of the gradient that goes to the left operand.
struct AndMin {
    static constexpr bool one_sided = true;  // but for ties, the gradient goes to one side

    template <class T>
    static T apply(T a, T b) {
        return a < b ? a : b;
    }

    template <class T>
    static T d_left(T a, T b) {
        const T one = T{} + 1;
        return a < b ? one : (b < a ? one - one : one / 2);
    }

    template <class T>
    static T d_right(T a, T b) {
        return d_left(b, a);
    }
};

struct AndProduct {
    static constexpr bool one_sided = false;

    template <class T>
    static T apply(T a, T b) {
        return a * b;
    }

    template <class T>
    static T d_left(T, T b) {
        return b;
    }

    template <class T>
    static T d_right(T a, T) {
        return a;
    }
};

// max(0, a + b - 1); at the kink the gradient passes.
struct AndLukasiewicz {
    static constexpr bool one_sided = false;

    template <class T>
    static T apply(T a, T b) {
        const T s = a + b - 1;
        return s > 0 ? s : s - s;
    }

    template <class T>
    static T d_left(T a, T b) {
        const T one = T{} + 1;
        return a + b - 1 >= 0 ? one : one - one;
    }

    template <class T>
    static T d_right(T a, T b) {
        return d_left(a, b);
    }
};
