// SPDX-License-Identifier: Apache-2.0
#include "rl/policy.hpp"

#include <algorithm>
#include <cmath>

namespace hri::rl {
namespace {

constexpr double kLogitFloor = 1e-5;
constexpr double kLogitScale = 1 - 2e-5;
constexpr double kMinProbability = 1e-20;
constexpr double kLabelMargin = 1e-3;  // valuations are that far from 0 and 1 at least

}  // namespace

template <class Real>
void policy_probabilities(std::vector<Real>& probabilities, const std::vector<Real>& valuations,
                          const std::vector<int>& actions, Real temperature) {
    probabilities.resize(actions.size());
    Real highest = 0;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const Real v =
            std::clamp(valuations[static_cast<std::size_t>(actions[i])], Real(0), Real(1));
        probabilities[i] = (Real(kLogitFloor) + v * Real(kLogitScale)) / temperature;
        highest = i == 0 ? probabilities[0] : std::max(highest, probabilities[i]);
    }
    Real sum = 0;
    for (Real& p : probabilities) {
        p = std::exp(p - highest);
        sum += p;
    }
    for (Real& p : probabilities) {
        p = std::max(p / sum, Real(kMinProbability));
    }
}

template <class Real>
Real clipped_surrogate(std::vector<Real>& d_valuations, const std::vector<Real>& probabilities,
                       const std::vector<int>& actions, const Sample& sample,
                       const PolicySettings& settings, Real weight) {
    const auto chosen = static_cast<std::size_t>(sample.action);
    const Real ratio =
        std::exp(std::log(probabilities[chosen]) - static_cast<Real>(sample.log_probability));
    const Real advantage = static_cast<Real>(sample.advantage);
    const Real clip = static_cast<Real>(settings.clip);
    const Real plain = ratio * advantage;
    const Real clipped = std::clamp(ratio, 1 - clip, 1 + clip) * advantage;
    if (plain > clipped || probabilities[chosen] <= Real(kMinProbability)) {
        return -std::min(plain, clipped) * weight;  // constant here
    }
    // d ratio / d logit_k = ratio ([k = chosen] - p_k)
    const Real scale =
        -weight * plain * Real(kLogitScale) / static_cast<Real>(settings.temperature);
    for (std::size_t k = 0; k < actions.size(); ++k) {
        d_valuations[static_cast<std::size_t>(actions[k])] +=
            scale * ((k == chosen ? Real(1) : Real(0)) - probabilities[k]);
    }
    return -plain * weight;
}

template <class Real>
SoftPolicy<Real>::SoftPolicy(const Hierarchy& hierarchy, const ProtoRules& protorules,
                             int dimension, const Options& options)
    : hierarchy_(&hierarchy),
      dimension_(dimension),
      steps_(options.train_steps),
      unification_(hierarchy, dimension, options.similarity),
      inference_(hierarchy, protorules, options) {}

template <class Real>
void SoftPolicy<Real>::set(const Real* predicates, const Real* slots, const Real* gumbel,
                           Real temperature) {
    unification_.forward(predicates, slots, gumbel, temperature);
    d_alpha_.assign(unification_.alpha().size(), Real(0));
}

template <class Real>
const std::vector<Real>& SoftPolicy<Real>::valuations(const soft::DenseInstance<Real>& state) {
    inference_.forward_only(unification_.alpha().data(), state, steps_);
    return inference_.target();
}

template <class Real>
Real SoftPolicy<Real>::add(const soft::DenseInstance<Real>& state, const std::vector<int>& actions,
                           const std::vector<Sample>& samples, const PolicySettings& settings,
                           Real weight) {
    inference_.forward(unification_.alpha().data(), state, steps_);
    policy_probabilities(probabilities_, inference_.target(), actions,
                         static_cast<Real>(settings.temperature));
    d_target_.assign(inference_.target().size(), Real(0));
    Real loss = 0;
    for (const Sample& sample : samples) {
        loss += clipped_surrogate(d_target_, probabilities_, actions, sample, settings, weight);
    }
    inference_.backward(d_alpha_.data(), d_target_.data());
    return loss;
}

template <class Real>
Real SoftPolicy<Real>::add_imitation(const soft::DenseInstance<Real>& state,
                                     const std::vector<int>& actions, const std::vector<int>& good,
                                     Real temperature, Real weight) {
    inference_.forward(unification_.alpha().data(), state, steps_);
    policy_probabilities(probabilities_, inference_.target(), actions, temperature);
    d_target_.assign(inference_.target().size(), Real(0));
    // - log sum over good ones of p:  d/dlogit_k = p_k - [k good] p_k / sum
    const Real scale = weight * Real(kLogitScale) / temperature;
    Real sum = 0;
    for (const int c : good) {
        sum += probabilities_[static_cast<std::size_t>(c)];
    }
    const Real loss = -weight * std::log(sum);
    for (std::size_t k = 0; k < actions.size(); ++k) {
        d_target_[static_cast<std::size_t>(actions[k])] += scale * probabilities_[k];
    }
    for (const int c : good) {
        const auto k = static_cast<std::size_t>(c);
        d_target_[static_cast<std::size_t>(actions[k])] -= scale * probabilities_[k] / sum;
    }
    inference_.backward(d_alpha_.data(), d_target_.data());
    return loss;
}

template <class Real>
Real SoftPolicy<Real>::add_labels(const soft::DenseInstance<Real>& state,
                                  const std::vector<int>& actions, const std::vector<int>& good,
                                  Real negatives, Real weight) {
    inference_.forward(unification_.alpha().data(), state, steps_);
    const std::vector<Real>& valuations = inference_.target();
    d_target_.assign(valuations.size(), Real(0));
    const auto value = [&](std::size_t k) {
        return std::clamp(valuations[static_cast<std::size_t>(actions[k])], Real(kLabelMargin),
                          Real(1 - kLabelMargin));
    };
    std::vector<bool> is_good(actions.size(), false);
    Real none = 1;  // that no good move is true
    for (const int c : good) {
        is_good[static_cast<std::size_t>(c)] = true;
        none *= 1 - value(static_cast<std::size_t>(c));
    }
    Real loss = -weight * std::log(1 - none);
    const auto others = static_cast<Real>(std::max<std::size_t>(actions.size() - good.size(), 1));
    const Real of_other = weight * negatives / others;
    for (std::size_t k = 0; k < actions.size(); ++k) {
        Real& d = d_target_[static_cast<std::size_t>(actions[k])];
        if (is_good[k]) {
            d -= weight * none / (1 - value(k)) / (1 - none);
        } else {
            loss -= of_other * std::log(1 - value(k));
            d += of_other / (1 - value(k));
        }
    }
    inference_.backward(d_alpha_.data(), d_target_.data());
    return loss;
}

template <class Real>
Real SoftPolicy<Real>::add_spread(Real lambda) {
    const std::vector<Real>& alpha = unification_.alpha();
    Real spread = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        spread += alpha[i] * (1 - alpha[i]);
        d_alpha_[i] += lambda * (1 - 2 * alpha[i]);
    }
    return lambda * spread;
}

template <class Real>
void SoftPolicy<Real>::gradient(Real* d_predicates, Real* d_slots) {
    unification_.backward(d_predicates, d_slots, d_alpha_.data());
    // True and False are fixed, and so are the two dimensions that are theirs.
    std::fill_n(d_predicates, 2 * dimension_, Real(0));
    for (int p = 2; p < hierarchy_->predicates(); ++p) {
        std::fill_n(d_predicates + p * dimension_, 2, Real(0));
    }
}

template class SoftPolicy<float>;
template class SoftPolicy<double>;
template void policy_probabilities(std::vector<float>&, const std::vector<float>&,
                                   const std::vector<int>&, float);
template void policy_probabilities(std::vector<double>&, const std::vector<double>&,
                                   const std::vector<int>&, double);
template float clipped_surrogate(std::vector<float>&, const std::vector<float>&,
                                 const std::vector<int>&, const Sample&, const PolicySettings&,
                                 float);
template double clipped_surrogate(std::vector<double>&, const std::vector<double>&,
                                  const std::vector<int>&, const Sample&, const PolicySettings&,
                                  double);

}  // namespace hri::rl
