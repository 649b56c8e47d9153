// SPDX-License-Identifier: Apache-2.0
#include "rl/critic.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace hri::rl {
namespace {

int count_of_arity(const std::vector<PredicateSymbol>& inputs, int arity) {
    return static_cast<int>(std::count_if(inputs.begin(), inputs.end(),
                                          [&](const auto& input) { return input.arity == arity; }));
}

template <class Real>
void fill_uniform(Real* begin, Real* end, double bound, Random& random) {
    std::for_each(begin, end,
                  [&](Real& x) { x = static_cast<Real>(random.uniform(-bound, bound)); });
}

using base::at;

}  // namespace

template <class Real>
Critic<Real>::Critic(const std::vector<PredicateSymbol>& inputs, int hidden, std::uint64_t seed)
    : unary_(count_of_arity(inputs, 1)),
      binary_(count_of_arity(inputs, 2)),
      hidden_(hidden),
      width_(unary_ + 6 * binary_ + 2 * hidden),
      facts_gru_(binary_, hidden),
      objects_gru_(width_, hidden) {
    std::vector<int> next(3, 0);
    for (const PredicateSymbol& input : inputs) {
        arity_.push_back(input.arity);
        column_.push_back(next[at(input.arity)]++);
    }
    const int pooled = 3 * width_ + hidden_;
    const int grus = facts_gru_.parameters() + objects_gru_.parameters();
    parameters_.resize(at(grus + hidden_ * pooled + hidden_ + hidden_ + 1));
    gradient_.resize(parameters_.size());
    // as usual: GRUs by their hidden size, linear layers by their number of inputs
    Random random(seed, 0x637269746963U);
    Real* p = parameters_.data();
    fill_uniform(p, p + grus, 1 / std::sqrt(hidden_), random);
    Real* second = p + grus + hidden_ * (pooled + 1);
    fill_uniform(p + grus, second, 1 / std::sqrt(pooled), random);
    fill_uniform(second, p + parameters_.size(), 1 / std::sqrt(hidden_), random);
}

// Facts as numbers, and the sequences that the first GRU reads. Equal sequences are read once:
// with binary facts there are few of them.
template <class Real>
void Critic<Real>::read_objects(const std::vector<State>& states, Random& random) {
    states_ = static_cast<int>(states.size());
    objects_ = states[0].facts.constants;
    const int n = objects_;
    const int c = binary_;
    features_.assign(at(n), Matrix<Real>::Zero(width_, states_));
    sequence_of_.clear();
    std::map<std::vector<Real>, int> distinct;
    std::vector<Real> facts(at(n * n * c));
    std::vector<int> order(at(n));
    for (int s = 0; s < states_; ++s) {
        const Instance& instance = states[at(s)].facts;
        assert(instance.constants == n);
        std::fill(facts.begin(), facts.end(), Real(0));
        for (std::size_t i = 0; i < arity_.size(); ++i) {
            for (const Fact& fact : instance.facts[i]) {
                if (arity_[i] == 1) {
                    features_[at(fact.first)](column_[i], s) = static_cast<Real>(fact.value);
                } else if (arity_[i] == 2) {
                    facts[at((fact.first * n + fact.second) * c + column_[i])] =
                        static_cast<Real>(fact.value);
                }
            }
        }
        for (int object = 0; object < n; ++object) {
            std::iota(order.begin(), order.end(), 0);
            random.shuffle(order);
            for (int side = 0; side < 2; ++side) {  // row, column
                const auto fact = [&](int other, int k) {
                    return side == 0 ? facts[at((object * n + other) * c + k)]
                                     : facts[at((other * n + object) * c + k)];
                };
                for (int k = 0; k < c; ++k) {
                    Real most = fact(0, k);
                    Real least = most;
                    Real sum = 0;
                    for (int other = 0; other < n; ++other) {
                        most = std::max(most, fact(other, k));
                        least = std::min(least, fact(other, k));
                        sum += fact(other, k);
                    }
                    Matrix<Real>& features = features_[at(object)];
                    const int first = unary_ + 3 * c * side + k;
                    features(first, s) = most;
                    features(first + c, s) = sum / static_cast<Real>(n);
                    features(first + 2 * c, s) = least;
                }
                std::vector<Real> sequence;
                for (const int other : order) {
                    for (int k = 0; k < c; ++k) {
                        sequence.push_back(fact(other, k));
                    }
                }
                sequence_of_.push_back(
                    distinct.emplace(std::move(sequence), static_cast<int>(distinct.size()))
                        .first->second);
            }
        }
    }
    sequences_.assign(at(n), Matrix<Real>(c, static_cast<Eigen::Index>(distinct.size())));
    for (const auto& [sequence, column] : distinct) {
        for (int t = 0; t < n; ++t) {
            for (int k = 0; k < c; ++k) {
                sequences_[at(t)](k, column) = sequence[at(t * c + k)];
            }
        }
    }
}

template <class Real>
void Critic<Real>::pool_objects() {
    pooled_.resize(3 * width_ + hidden_, states_);
    most_.assign(at(states_ * width_), 0);
    least_.assign(at(states_ * width_), 0);
    for (int s = 0; s < states_; ++s) {
        for (int k = 0; k < width_; ++k) {
            int& most = most_[at(s * width_ + k)];
            int& least = least_[at(s * width_ + k)];
            Real sum = 0;
            for (int object = 0; object < objects_; ++object) {
                const Real value = features_[at(object)](k, s);
                sum += value;
                if (value > features_[at(most)](k, s)) {
                    most = object;
                }
                if (value < features_[at(least)](k, s)) {
                    least = object;
                }
            }
            pooled_(k, s) = features_[at(most)](k, s);
            pooled_(width_ + k, s) = sum / static_cast<Real>(objects_);
            pooled_(2 * width_ + k, s) = features_[at(least)](k, s);
        }
    }
}

template <class Real>
const std::vector<Real>& Critic<Real>::forward(const std::vector<State>& states, Random& random) {
    read_objects(states, random);
    const Real* p = parameters_.data();
    const Matrix<Real>& read = facts_gru_.forward(p, sequences_);
    const int first = unary_ + 6 * binary_;
    for (int s = 0; s < states_; ++s) {
        for (int object = 0; object < objects_; ++object) {
            for (int side = 0; side < 2; ++side) {
                features_[at(object)].col(s).segment(first + side * hidden_, hidden_) =
                    read.col(sequence_of_[at((s * objects_ + object) * 2 + side)]);
            }
        }
    }
    pool_objects();
    p += facts_gru_.parameters();
    pooled_.bottomRows(hidden_) = objects_gru_.forward(p, features_);
    p += objects_gru_.parameters();

    const auto rows = pooled_.rows();
    const Eigen::Map<const Matrix<Real>> weights(p, hidden_, rows);
    const Eigen::Map<const Matrix<Real>> bias(p + hidden_ * rows, hidden_, 1);
    const Eigen::Map<const Matrix<Real>> last(p + hidden_ * (rows + 1), hidden_, 1);
    layer_.noalias() = weights * pooled_;
    layer_.colwise() += bias.col(0);
    layer_ = layer_.cwiseMax(Real(0));
    values_.resize(at(states_));
    for (int s = 0; s < states_; ++s) {
        values_[at(s)] = last.col(0).dot(layer_.col(s)) + parameters_.back();
    }
    return values_;
}

template <class Real>
void Critic<Real>::backward(const std::vector<Real>& d_values) {
    std::fill(gradient_.begin(), gradient_.end(), Real(0));
    const int grus = facts_gru_.parameters() + objects_gru_.parameters();
    const auto rows = pooled_.rows();
    const Real* p = parameters_.data() + grus;
    Real* d = gradient_.data() + grus;
    const Eigen::Map<const Matrix<Real>> d_out(d_values.data(), 1, states_);
    const Eigen::Map<const Matrix<Real>> weights(p, hidden_, rows);
    const Eigen::Map<const Matrix<Real>> last(p + hidden_ * (rows + 1), hidden_, 1);
    Eigen::Map<Matrix<Real>> d_weights(d, hidden_, rows);
    Eigen::Map<Matrix<Real>> d_bias(d + hidden_ * rows, hidden_, 1);
    Eigen::Map<Matrix<Real>> d_last(d + hidden_ * (rows + 1), hidden_, 1);
    gradient_.back() = d_out.sum();
    d_last.noalias() = layer_ * d_out.transpose();
    Matrix<Real> d_layer = last * d_out;
    d_layer = (layer_.array() > Real(0)).select(d_layer, Real(0));
    d_weights.noalias() = d_layer * pooled_.transpose();
    d_bias = d_layer.rowwise().sum();
    const Matrix<Real> d_pooled = weights.transpose() * d_layer;

    std::vector<Matrix<Real>> d_features;
    objects_gru_.backward(gradient_.data() + facts_gru_.parameters(), &d_features,
                          parameters_.data() + facts_gru_.parameters(),
                          d_pooled.bottomRows(hidden_));
    Matrix<Real> d_read = Matrix<Real>::Zero(hidden_, sequences_[0].cols());
    const int first = unary_ + 6 * binary_;
    for (int s = 0; s < states_; ++s) {
        for (int k = first; k < width_; ++k) {
            d_features[at(most_[at(s * width_ + k)])](k, s) += d_pooled(k, s);
            d_features[at(least_[at(s * width_ + k)])](k, s) += d_pooled(2 * width_ + k, s);
        }
        for (int object = 0; object < objects_; ++object) {
            d_features[at(object)].col(s) +=
                d_pooled.col(s).segment(width_, width_) / static_cast<Real>(objects_);
            for (int side = 0; side < 2; ++side) {
                d_read.col(sequence_of_[at((s * objects_ + object) * 2 + side)]) +=
                    d_features[at(object)].col(s).segment(first + side * hidden_, hidden_);
            }
        }
    }
    facts_gru_.backward(gradient_.data(), nullptr, parameters_.data(), d_read);
}

template class Critic<float>;
template class Critic<double>;

}  // namespace hri::rl
