// SPDX-License-Identifier: Apache-2.0
#pragma once

// The soft policy and the gradient of PPO's objective.
//   logit = 1e-5 + v (1 - 2e-5), v the valuation of the action's atom;  p = softmax(logit / tau)
//   loss = - mean over samples of min(ratio A, clip(ratio, 1 - eps, 1 + eps) A),  ratio = p(a) /
//   p_old(a)
//          + lambda * sum of a (1 - a) over all unification scores

#include "hri/model.hpp"

#include "soft/dense.hpp"
#include "soft/inference.hpp"
#include "soft/unification.hpp"

#include <vector>

namespace hri::rl {

/// One step of a trajectory, as PPO sees it.
struct Sample {
    int state = 0;               ///< in the batch's StateTable
    int action = 0;              ///< index into the state's actions
    double log_probability = 0;  ///< under the policy that chose it
    double advantage = 0;
};

struct PolicySettings {
    double temperature = 0.01;
    double clip = 0.2;
};

/// Probabilities of `actions`, at least 1e-20 each, from the valuations of the target's atoms.
template <class Real>
void policy_probabilities(std::vector<Real>& probabilities, const std::vector<Real>& valuations,
                          const std::vector<int>& actions, Real temperature);

/// One sample's part of the loss, times `weight`; adds its gradient to d_valuations.
template <class Real>
Real clipped_surrogate(std::vector<Real>& d_valuations, const std::vector<Real>& probabilities,
                       const std::vector<int>& actions, const Sample& sample,
                       const PolicySettings& settings, Real weight);

/// The step from embeddings to valuations, and back with the gradient of the loss.
template <class Real>
class SoftPolicy {
  public:
    SoftPolicy(const Hierarchy& hierarchy, const ProtoRules& protorules, int dimension,
               const Options& options);

    /// New embeddings; `gumbel` is (slots, predicates) or null. Forgets collected gradients.
    void set(const Real* predicates, const Real* slots, const Real* gumbel, Real temperature);

    const std::vector<Real>& valuations(const soft::DenseInstance<Real>& state);

    /// The loss of samples that share a state, each times `weight`; collects its gradient.
    Real add(const soft::DenseInstance<Real>& state, const std::vector<int>& actions,
             const std::vector<Sample>& samples, const PolicySettings& settings, Real weight);
    /// - weight * log of the probability of taking one of `good`, which index `actions`; collects
    /// its gradient.
    Real add_imitation(const soft::DenseInstance<Real>& state, const std::vector<int>& actions,
                       const std::vector<int>& good, Real temperature, Real weight);
    /// Imitation by labels: - weight * (log of the valuation that one of `good` is true, as a noisy
    /// or, + `negatives` * the mean over the other actions of log(1 - v)); collects its gradient.
    Real add_labels(const soft::DenseInstance<Real>& state, const std::vector<int>& actions,
                    const std::vector<int>& good, Real negatives, Real weight);
    /// lambda * sum of a (1 - a); collects its gradient.
    Real add_spread(Real lambda);

    /// The gradient of all that was added since set(): overwrites both.
    void gradient(Real* d_predicates, Real* d_slots);

  private:
    const Hierarchy* hierarchy_;
    int dimension_;
    int steps_;
    soft::Unification<Real> unification_;
    soft::Inference<Real> inference_;
    std::vector<Real> d_alpha_;
    std::vector<Real> probabilities_;
    std::vector<Real> d_target_;
};

extern template class SoftPolicy<float>;
extern template class SoftPolicy<double>;

}  // namespace hri::rl
