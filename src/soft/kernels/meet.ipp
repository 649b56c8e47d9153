// SPDX-License-Identifier: Apache-2.0
// The elementwise conjunction.

template <class Op, class Real>
void meet(Real* out, const Real* left, const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        at<K>(out + i) = Op::apply(load<K>(left + i), load<K>(right + i));
    });
}

template <class Op, class Real, bool Left, bool Right>
inline void meet_backward_to(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                             const Real* right, int count) {
    along<Real>(count, [&](auto kind, int i) {
        using K = decltype(kind);
        using V = typename K::V;
        const V l = load<K>(left + i);
        const V r = load<K>(right + i);
        const V g = load<K>(d_out + i);
        if constexpr (Left)
            at<K>(d_left + i) += g * Op::d_left(l, r);
        if constexpr (Right)
            at<K>(d_right + i) += g * Op::d_right(l, r);
    });
}

template <class Op, class Real>
void meet_backward(Real* d_left, Real* d_right, const Real* d_out, const Real* left,
                   const Real* right, int count) {
    if (d_left == nullptr)
        meet_backward_to<Op, Real, false, true>(d_left, d_right, d_out, left, right, count);
    else if (d_right == nullptr)
        meet_backward_to<Op, Real, true, false>(d_left, d_right, d_out, left, right, count);
    else
        meet_backward_to<Op, Real, true, true>(d_left, d_right, d_out, left, right, count);
}
