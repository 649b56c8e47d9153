// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set, inside a namespace of its own, with HRI_INSTRUCTION_SET
// defined.

// The vectors come first.
// clang-format off
#include "soft/kernels/vector.ipp"
#include "soft/kernels/join.ipp"
#include "soft/kernels/meet.ipp"
#include "soft/kernels/or.ipp"
#include "soft/kernels/pool.ipp"
#include "soft/kernels/softmax.ipp"
#include "soft/kernels/pairs.ipp"

// clang-format on

template <class Op, class Real>
constexpr Kernels<Real> make_table() {
    return {
        HRI_INSTRUCTION_SET,
        join<Op, Real>,
        join_with_winner<Op, Real>,
        join_backward<Op, Real>,
        join_column<Op, Real>,
        join_column_backward<Op, Real>,
        outer<Op, Real>,
        outer_backward<Op, Real>,
        meet<Op, Real>,
        meet_backward<Op, Real>,
        {or_max<Real>, or_prodminus<Real>, or_lukasiewicz<Real>},
        {or_max_backward<Real>, or_prodminus_backward<Real>, or_lukasiewicz_backward<Real>},
        add_scaled<Real>,
        keep_larger<Real>,
        pool_backward<Real>,
        pool<Real>,
        pool_terms_backward<Real>,
        pool_weights<Real>,
        {pool_pairs<Op, Shape::meet, Real>, pool_pairs<Op, Shape::join, Real>,
         pool_pairs<Op, Shape::outer, Real>, pool_pairs<Op, Shape::column, Real>,
         pool_pairs<Op, Shape::row, Real>},
        {pool_pairs_backward<Op, Shape::meet, Real>, pool_pairs_backward<Op, Shape::join, Real>,
         pool_pairs_backward<Op, Shape::outer, Real>, pool_pairs_backward<Op, Shape::column, Real>,
         pool_pairs_backward<Op, Shape::row, Real>},
        dot<Real>,
        largest<Real>,
        row_max<Real>,
        column_max<Real>,
        row_sum<Real>,
        column_sum<Real>,
        add_outer_sum<Real>,
        transpose<Real>,
        add_transposed<Real>,
        multiply<Real>,
        softmax_rows<Real>,
        softmax_backward_rows<Real>,
        adam<Real>,
        gumbel_from_uniform,
        normal_from_uniform};
}

template <class Real>
const Kernels<Real>& table(And op) {
    static constexpr Kernels<Real> min = make_table<AndMin, Real>();
    static constexpr Kernels<Real> product = make_table<AndProduct, Real>();
    static constexpr Kernels<Real> lukasiewicz = make_table<AndLukasiewicz, Real>();
    return op == And::min ? min : op == And::product ? product : lukasiewicz;
}

template const Kernels<float>& table(And op);
template const Kernels<double>& table(And op);
