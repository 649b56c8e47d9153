// SPDX-License-Identifier: Apache-2.0
#pragma once

// LRI's inference, forward and backward:
//   v'(P(x,y)) = max(v(P(x,y)), max over rules R, predicates P1 and P2, constants z of
//                    h(R,P) b1(R,P1) b2(R,P2) and(v(P1(x,z)), v(P2(z,y))))
// with the arguments as R's template has them; h, b1 and b2 are cosines, 1 for an atom that a
// template lacks. The maximum goes to the old value first, then to the first rule and predicates
// that attain it, which take all of its gradient.

#include "hri/lri.hpp"

#include "hypotheses/plan.hpp"
#include "soft/dense.hpp"
#include "soft/views.hpp"

#include <cstdint>
#include <vector>

namespace hri::lri {

template <class Real>
class LriInference {
  public:
    explicit LriInference(const LriModel& model);

    /// `scores`: (3, rules, predicates), as Cosines gives them.
    void forward(const std::vector<Real>& scores, const soft::DenseInstance<Real>& instance,
                 int steps);

    /// Valuations of the target's atoms, within [0, 1].
    const std::vector<Real>& target() const { return target_; }

    /// The gradient of the last forward(): overwrites d_scores.
    void backward(std::vector<Real>& d_scores, const std::vector<Real>& d_target);

  private:
    /// A template, however many rules are instances of it.
    struct Shape {
        ProtoRule rule;
        hypotheses::Plan plan;
        int left_view = 0;
        int right_view = 0;  // of the plan's operands
        std::vector<int> instances;

        bool has_two() const { return rule.body.size() == 2; }
    };

    /// A product of a shape under its head: computed again only where an intensional predicate
    /// takes part.
    struct Product {
        int shape = 0;
        int first = 0;   // predicate of the first body atom
        int second = 0;  // of the second one; the number of predicates where there is none
        std::vector<Real> values;  // (n, ld)
        bool zero = false;
    };

    bool is_input(int p) const { return p < inputs_; }

    std::size_t area() const {
        return static_cast<std::size_t>(n_) * static_cast<std::size_t>(ld_);
    }

    /// b2 of "no second atom" is 1.
    Real score(int atom, int rule, int p) const {
        return p == predicates_
                   ? Real(1)
                   : (*scores_)[static_cast<std::size_t>((atom * rules_ + rule) * predicates_ + p)];
    }

    const Real* value(int step, int p) const {
        return is_input(p)
                   ? instance_->matrix(2 + p)
                   : values_.data() +
                         static_cast<std::size_t>(step * intensional_ + p - inputs_) * area();
    }

    void resize(const soft::DenseInstance<Real>& instance, int steps);
    bool is_zero(int step, int p) const;
    void compute(Product& product, int step);
    void place(std::vector<Real>& out, const Shape& shape);
    void apply(const Product& product, int step);
    void backward_cell(std::vector<Real>& d_scores, int step, int p, int x, int y, Real gradient);
    Real combined(Real a, Real b) const;

    const soft::Kernels<Real>* kernels_;
    And and_;
    std::vector<int> arity_;
    int inputs_, intensional_, predicates_, rules_;
    std::vector<Shape> shapes_;
    std::vector<int> shape_of_;      // [rule]
    std::vector<Product> products_;  // those of inputs alone first
    std::size_t settled_ = 0;        // that many
    soft::ViewSet<Real> views_;
    std::vector<int> no_constants_;

    const std::vector<Real>* scores_ = nullptr;
    const soft::DenseInstance<Real>* instance_ = nullptr;
    int n_ = 0, ld_ = 0;
    int steps_ = 0;                      // until nothing changed
    std::vector<Real> values_;           // (steps + 1, intensional, n, ld)
    std::vector<std::int32_t> winners_;  // (steps, intensional, n, ld): -1 the old value, or a code
    std::vector<Real> meet_, vector_;
    std::vector<soft::Index<Real>> vector_winner_;
    std::vector<Real> d_values_, d_before_;  // (intensional, n, ld)
    std::vector<Real> target_;
};

extern template class LriInference<float>;
extern template class LriInference<double>;

}  // namespace hri::lri
