// SPDX-License-Identifier: Apache-2.0
// Vectors of 32 bytes by the compiler's extension: one register on AVX2, two on SSE. Loads need no
// alignment.

template <class Real>
struct VectorOf;

template <>
struct VectorOf<float> {
    typedef float type __attribute__((vector_size(32), may_alias, aligned(4)));
    typedef std::int32_t index __attribute__((vector_size(32), may_alias, aligned(4)));
};

template <>
struct VectorOf<double> {
    typedef double type __attribute__((vector_size(32), may_alias, aligned(8)));
    typedef std::int64_t index __attribute__((vector_size(32), may_alias, aligned(8)));
};

template <class Real>
using Vector = typename VectorOf<Real>::type;
template <class Real>
using IndexVector = typename VectorOf<Real>::index;

template <class Real>
inline const Vector<Real>* vectors(const Real* p) {
    return reinterpret_cast<const Vector<Real>*>(p);
}

template <class Real>
inline Vector<Real>* vectors(Real* p) {
    return reinterpret_cast<Vector<Real>*>(p);
}

template <class Real>
inline Vector<Real> splat(Real value) {
    return value - Vector<Real>{};
}

// In a fixed order, whatever the instruction set.
template <class Real>
inline Real sum_of_lanes(Vector<Real> v) {
    Real total = 0;
    for (int i = 0; i < lanes<Real>(); ++i)
        total += v[i];
    return total;
}

// The fuzzy conjunctions: value, and the share of the gradient that goes to the left operand.
struct AndMin {
    template <class T>
    static T apply(T a, T b) {
        return a < b ? a : b;
    }

    template <class T>
    static T d_left(T a, T b) {
        const T one = a - a + 1;
        return a < b ? one : (b < a ? one - one : one / 2);
    }

    template <class T>
    static T d_right(T a, T b) {
        return d_left(b, a);
    }
};

struct AndProduct {
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
    template <class T>
    static T apply(T a, T b) {
        const T s = a + b - 1;
        return s > 0 ? s : s - s;
    }

    template <class T>
    static T d_left(T a, T b) {
        const T one = a - a + 1;
        return a + b - 1 >= 0 ? one : one - one;
    }

    template <class T>
    static T d_right(T a, T b) {
        return d_left(a, b);
    }
};
