// SPDX-License-Identifier: Apache-2.0
// The fuzzy disjunctions, elementwise.

template <class Real>
void or_max(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> a = *vectors(left + i);
        const Vector<Real> b = *vectors(right + i);
        *vectors(out + i) = a > b ? a : b;
    }
}

template <class Real>
void or_max_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                     const Real* right, int count) {
    using V = Vector<Real>;
    for (int i = 0; i < count; i += lanes<Real>()) {
        const V a = *vectors(left + i);
        const V b = *vectors(right + i);
        const V g = *vectors(d_out + i);
        const V to_left = a > b ? g : (b > a ? V{} : g / 2);
        *vectors(d_left + i) = to_left;
        *vectors(d_right + i) = g - to_left;
    }
}

// a + b - a b
template <class Real>
void or_prodminus(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> a = *vectors(left + i);
        const Vector<Real> b = *vectors(right + i);
        *vectors(out + i) = a + b - a * b;
    }
}

template <class Real>
void or_prodminus_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                           const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> g = *vectors(d_out + i);
        const Vector<Real> a = *vectors(left + i);
        const Vector<Real> b = *vectors(right + i);
        *vectors(d_left + i) = g * (1 - b);
        *vectors(d_right + i) = g * (1 - a);
    }
}

// min(1, a + b); at the kink the gradient passes.
template <class Real>
void or_lukasiewicz(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> s = *vectors(left + i) + *vectors(right + i);
        *vectors(out + i) = s < 1 ? s : s - s + 1;
    }
}

template <class Real>
void or_lukasiewicz_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                             const Real* right, int count) {
    using V = Vector<Real>;
    for (int i = 0; i < count; i += lanes<Real>()) {
        const V s = *vectors(left + i) + *vectors(right + i);
        const V g = *vectors(d_out + i);
        const V d = s <= 1 ? g : V{};
        *vectors(d_left + i) = d;
        *vectors(d_right + i) = d;
    }
}
