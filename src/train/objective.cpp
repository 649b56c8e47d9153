// SPDX-License-Identifier: Apache-2.0
#include "train/objective.hpp"

#include "train/loss.hpp"

namespace hri::training {

template <class Real>
Objective<Real>::Objective(const Hierarchy& hierarchy, const ProtoRules& protorules, int dimension,
                           const Options& options, base::ThreadPool* pool)
    : hierarchy_(&hierarchy),
      dimension_(dimension),
      options_(options),
      unification_(hierarchy, dimension, options.similarity),
      inference_(hierarchy, protorules, options, pool) {}

template <class Real>
Real Objective<Real>::loss(const Real* predicates, const Real* slots, const Real* gumbel,
                           Real temperature, const soft::DenseInstance<Real>& instance, int steps) {
    instance_ = &instance;
    if (options_.mask_absent)
        unification_.hide(instance.zero);
    unification_.forward(predicates, slots, gumbel, temperature);
    inference_.forward(unification_.alpha().data(), instance, steps);

    const Real total = cross_entropy(d_target_, inference_.target(), instance.labels,
                                     static_cast<Real>(options_.log_floor));
    Real spread = 0;
    for (const Real a : unification_.alpha())
        spread += a * (1 - a);
    return total + static_cast<Real>(options_.regularisation) * spread;
}

template <class Real>
void Objective<Real>::gradient(Real* d_predicates, Real* d_slots, const Real* d_target) {
    const std::vector<Real>& alpha = unification_.alpha();
    d_alpha_.resize(alpha.size());
    const Real lambda = static_cast<Real>(options_.regularisation);
    for (std::size_t i = 0; i < alpha.size(); ++i)
        d_alpha_[i] = lambda * (1 - 2 * alpha[i]);
    inference_.backward(d_alpha_.data(), d_target != nullptr ? d_target : d_target_.data());
    unification_.backward(d_predicates, d_slots, d_alpha_.data());
    clear_fixed(d_predicates, *hierarchy_, dimension_);
}

template <class Real>
double Objective<Real>::mean_square_error() const {
    return hri::training::mean_square_error(inference_.target(), instance_->labels);
}

template class Objective<float>;
template class Objective<double>;

}  // namespace hri::training
