// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matches of rules' atoms with predicates: cosines of their embeddings.

#include <algorithm>
#include <cmath>
#include <vector>

namespace hri::lri {

template <class Real>
class Cosines {
  public:
    Cosines(int rules, int predicates, int dimension)
        : rules_(rules),
          predicates_(predicates),
          dimension_(dimension),
          scores_(static_cast<std::size_t>(3 * rules * predicates)) {}

    /// `predicates`: (predicates, dimension), `rules`: (rules, 3, dimension).
    void forward(const Real* predicates, const Real* rules) {
        predicate_rows_ = predicates;
        rule_rows_ = rules;
        norms(predicate_norms_, predicates, predicates_);
        norms(rule_norms_, rules, 3 * rules_);
        for (int a = 0; a < 3 * rules_; ++a)
            for (int p = 0; p < predicates_; ++p) {
                const Real* x = predicates + p * dimension_;
                const Real* y = rules + a * dimension_;
                Real dot = 0;
                for (int k = 0; k < dimension_; ++k)
                    dot += x[k] * y[k];
                scores_[index(a, p)] = dot / (norm(predicate_norms_, p) * norm(rule_norms_, a));
            }
    }

    /// (3, rules, predicates)
    const std::vector<Real>& scores() const { return scores_; }

    /// The gradient at the last forward(): overwrites both.
    void backward(Real* d_predicates, Real* d_rules, const std::vector<Real>& d_scores) const {
        std::fill_n(d_predicates, predicates_ * dimension_, Real(0));
        std::fill_n(d_rules, 3 * rules_ * dimension_, Real(0));
        for (int a = 0; a < 3 * rules_; ++a)
            for (int p = 0; p < predicates_; ++p) {
                const Real g = d_scores[index(a, p)];
                if (g == 0)
                    continue;
                const Real* x = predicate_rows_ + p * dimension_;
                const Real* y = rule_rows_ + a * dimension_;
                const Real nx = norm(predicate_norms_, p);
                const Real ny = norm(rule_norms_, a);
                const Real across = g / (nx * ny);
                const Real along = g * scores_[index(a, p)];
                for (int k = 0; k < dimension_; ++k) {
                    d_predicates[p * dimension_ + k] += across * y[k] - along / (nx * nx) * x[k];
                    d_rules[a * dimension_ + k] += across * x[k] - along / (ny * ny) * y[k];
                }
            }
    }

  private:
    // Atom a of the rules' rows is atom a % 3 of rule a / 3.
    std::size_t index(int a, int p) const {
        return static_cast<std::size_t>((a % 3 * rules_ + a / 3) * predicates_ + p);
    }

    Real norm(const std::vector<Real>& norms, int row) const {
        return norms[static_cast<std::size_t>(row)];
    }

    void norms(std::vector<Real>& out, const Real* rows, int count) const {
        out.resize(static_cast<std::size_t>(count));
        for (int r = 0; r < count; ++r) {
            Real square = 0;
            for (int k = 0; k < dimension_; ++k)
                square += rows[r * dimension_ + k] * rows[r * dimension_ + k];
            out[static_cast<std::size_t>(r)] = std::max(std::sqrt(square), Real(1e-8));
        }
    }

    int rules_, predicates_, dimension_;
    std::vector<Real> scores_;
    const Real* predicate_rows_ = nullptr;
    const Real* rule_rows_ = nullptr;
    std::vector<Real> predicate_norms_, rule_norms_;
};

}  // namespace hri::lri
