// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loss of LRI's training on one instance, and its gradient.

#include "train/loss.hpp"
#include "train/lri/cosines.hpp"
#include "train/lri/inference.hpp"

#include <vector>

namespace hri::lri {

template <class Real>
class LriObjective {
  public:
    explicit LriObjective(const LriModel& model)
        : floor_(static_cast<Real>(model.options.log_floor)),
          cosines_(static_cast<int>(model.task.templates.size()),
                   static_cast<int>(model.arities().size()), model.dimension),
          inference_(model) {}

    /// The loss at given embeddings, which have to stay until gradient().
    Real loss(const Real* predicates, const Real* rules, const soft::DenseInstance<Real>& instance,
              int steps) {
        infer(predicates, rules, instance, steps);
        return training::cross_entropy(d_target_, inference_.target(), instance.labels, floor_);
    }

    /// The gradient of the last loss(): overwrites both.
    void gradient(Real* d_predicates, Real* d_rules) {
        inference_.backward(d_scores_, d_target_);
        cosines_.backward(d_predicates, d_rules, d_scores_);
    }

    const std::vector<Real>& infer(const Real* predicates, const Real* rules,
                                   const soft::DenseInstance<Real>& instance, int steps) {
        cosines_.forward(predicates, rules);
        inference_.forward(cosines_.scores(), instance, steps);
        return inference_.target();
    }

    const std::vector<Real>& target() const { return inference_.target(); }

    const std::vector<Real>& scores() const { return cosines_.scores(); }

  private:
    Real floor_;
    Cosines<Real> cosines_;
    LriInference<Real> inference_;
    std::vector<Real> d_target_, d_scores_;
};

}  // namespace hri::lri
