// SPDX-License-Identifier: Apache-2.0
// The elementwise conjunction.

template <class Op, class Real>
void meet(Real* out, const Real* left, const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>())
        *vectors(out + i) = Op::apply(*vectors(left + i), *vectors(right + i));
}

template <class Op, class Real>
void meet_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                   const Real* right, int count) {
    for (int i = 0; i < count; i += lanes<Real>()) {
        const Vector<Real> l = *vectors(left + i);
        const Vector<Real> r = *vectors(right + i);
        const Vector<Real> g = *vectors(d_out + i);
        if (d_left != nullptr)
            *vectors(d_left + i) += g * Op::d_left(l, r);
        if (d_right != nullptr)
            *vectors(d_right + i) += g * Op::d_right(l, r);
    }
}
