// SPDX-License-Identifier: Apache-2.0
#include "train/objective.hpp"

#include <algorithm>
#include <cmath>

namespace hri {

template <class Real>
Objective<Real>::Objective(const Hierarchy& hierarchy, const ProtoRules& protorules, int dimension,
                           const Options& options)
    : hierarchy_(&hierarchy),
      dimension_(dimension),
      options_(options),
      unification_(hierarchy, dimension, options.similarity),
      inference_(hierarchy, protorules, options) {}

template <class Real>
Real Objective<Real>::loss(const Real* predicates, const Real* slots, const Real* gumbel,
                           Real temperature, const DenseInstance<Real>& instance, int steps) {
    instance_ = &instance;
    if (options_.present_only)
        unification_.hide(instance.zero);
    unification_.forward(predicates, slots, gumbel, temperature);
    inference_.forward(unification_.alpha().data(), instance, steps);

    // Logs are clamped at -100 as usual; the gradient keeps log_floor away from 0 and 1.
    const std::vector<Real>& v = inference_.target();
    const Real floor = static_cast<Real>(options_.log_floor);
    d_target_.assign(v.size(), Real(0));
    Real total = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (instance.labels[i] == Label::unlabelled)
            continue;
        const bool positive = instance.labels[i] == Label::positive;
        const Real right = positive ? v[i] : 1 - v[i];  // the probability given to the truth
        total -= std::max(std::log(right), Real(-100));
        const Real slope = 1 / std::max(right, floor);
        d_target_[i] = positive ? -slope : slope;
    }
    Real spread = 0;
    for (const Real a : unification_.alpha())
        spread += a * (1 - a);
    return total + static_cast<Real>(options_.regularisation) * spread;
}

template <class Real>
void Objective<Real>::gradient(Real* d_predicates, Real* d_slots) {
    const std::vector<Real>& alpha = unification_.alpha();
    d_alpha_.resize(alpha.size());
    const Real lambda = static_cast<Real>(options_.regularisation);
    for (std::size_t i = 0; i < alpha.size(); ++i)
        d_alpha_[i] = lambda * (1 - 2 * alpha[i]);
    inference_.backward(d_alpha_.data(), d_target_.data());
    unification_.backward(d_predicates, d_slots, d_alpha_.data());
    clear_fixed(d_predicates, *hierarchy_, dimension_);
}

template <class Real>
double Objective<Real>::mean_square_error() const {
    const std::vector<Real>& v = inference_.target();
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (instance_->labels[i] == Label::unlabelled)
            continue;
        const double error =
            static_cast<double>(v[i]) - (instance_->labels[i] == Label::positive ? 1.0 : 0.0);
        sum += error * error;
        ++count;
    }
    return count == 0 ? 0.0 : sum / count;
}

template class Objective<float>;
template class Objective<double>;

}  // namespace hri
