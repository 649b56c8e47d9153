// SPDX-License-Identifier: Apache-2.0
#pragma once

// The buffers of inference over one instance: those that all share, and one workspace for each pair
// that is computed at a time.

#include "soft/schedule.hpp"

#include <cstddef>
#include <vector>

namespace hri::soft {

/// Buffers for the computation of one pair. Each worker has pairs of its own.
template <class Real>
struct PairWorkspace {
    const Pair* pair = nullptr;
    LiveTerms<Real> live{};
    const Real* left = nullptr;  // as the shape's kernels take them
    const Real* right = nullptr;
    const Real* product = nullptr;  // (n, ld), or (ld) of a vector; null: not computed yet
    Real* d_weights = nullptr;      // (live terms), added to
    bool has_gradient = false;      // the product has one that counts

    std::vector<Real> matrix, won_left, won_right, d_matrix;  // (n, ld)
    std::vector<Real> row, d_row, all, d_all;                 // (ld)
    std::vector<Index<Real>> winner;                          // (n, ld)
    std::vector<Index<Real>> row_winner;                      // (ld)
    std::vector<Weighted<Real>> some_terms;  // (rules): the live ones, where not all are
    std::vector<Real> d_some_weights;        // (rules)

    Joined<Real> joined() {
        return {matrix.data(), winner.data(), won_left.data(), won_right.data()};
    }
};

template <class Real>
struct Workspace {
    int rules = 0;
    int n = 0, ld = 0, area = 0;
    int history = 1;           // steps whose values are kept
    std::vector<Real> values;  // (history, rules, n, ld)
    std::vector<Real> ands;    // (history, rules, n, ld): pooled conjunctions, before the head
    std::vector<Real> ors;     // (history, rules, n, ld): pooled disjuncts
    std::vector<Real> base;    // (rules, n, ld): pooled products of pairs that have converged
    std::vector<Real> columns, rows;     // (rules, ld): pooled products that are vectors
    std::vector<char> has_vectors;       // (rules)
    std::vector<Real> scratch, claimed;  // (n, ld)

    std::vector<Real> d_values, d_previous;  // (rules, n, ld)
    std::vector<Real> d_ands, d_ands_sum;    // (rules, n, ld)
    std::vector<Real> d_ors;                 // (rules, n, ld)
    std::vector<Real> d_columns, d_rows;     // (rules, ld)

    std::vector<PairWorkspace<Real>> pairs;
    std::size_t batch = 1;  // pairs that are computed at a time

    explicit Workspace(int rule_count) : rules(rule_count) {}

    /// Room for an instance. Whether its size is another one.
    bool resize(int constants, int stride, int kept_steps);
    void resize_batch(int workers);
    void resize_backward();

    /// A rule's matrix after step s, of values, ands or ors.
    Real* at(std::vector<Real>& buffer, int rule, int s) {
        return buffer.data() + ((s % history) * rules + rule) * area;
    }

    const Real* at(const std::vector<Real>& buffer, int rule, int s) const {
        return buffer.data() + ((s % history) * rules + rule) * area;
    }

    /// A rule's matrix of a buffer for one step.
    Real* at(std::vector<Real>& buffer, int rule) { return buffer.data() + rule * area; }
};

extern template struct Workspace<float>;
extern template struct Workspace<double>;

}  // namespace hri::soft
