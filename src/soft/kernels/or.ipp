// SPDX-License-Identifier: Apache-2.0
// The fuzzy disjunctions, elementwise.

template <class Real>
void or_max(Real* out, const Real* left, const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V a = load<K>(left + i);
        const V b = load<K>(right + i);
        at<K>(out + i) = a > b ? a : b;
    });
}

template <class Real>
void or_max_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                     const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V a = load<K>(left + i);
        const V b = load<K>(right + i);
        const V g = load<K>(d_out + i);
        const V to_left = a > b ? g : (b > a ? V{} : g / 2);
        at<K>(d_left + i) = to_left;
        at<K>(d_right + i) = g - to_left;
    });
}

// a + b - a b
template <class Real>
void or_prodminus(Real* out, const Real* left, const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V a = load<K>(left + i);
        const V b = load<K>(right + i);
        at<K>(out + i) = a + b - a * b;
    });
}

template <class Real>
void or_prodminus_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                           const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V g = load<K>(d_out + i);
        const V a = load<K>(left + i);
        const V b = load<K>(right + i);
        at<K>(d_left + i) = g * (1 - b);
        at<K>(d_right + i) = g * (1 - a);
    });
}

// min(1, a + b); at the kink the gradient passes.
template <class Real>
void or_lukasiewicz(Real* out, const Real* left, const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V s = load<K>(left + i) + load<K>(right + i);
        at<K>(out + i) = s < 1 ? s : s - s + 1;
    });
}

template <class Real>
void or_lukasiewicz_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                             const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V s = load<K>(left + i) + load<K>(right + i);
        const V g = load<K>(d_out + i);
        const V d = s <= 1 ? g : V{};
        at<K>(d_left + i) = d;
        at<K>(d_right + i) = d;
    });
}
