// SPDX-License-Identifier: Apache-2.0
#pragma once

// The model as the paper's equations have it, transcribed literally: plain loops over predicates
// and groundings, in double. Slow on purpose, and ignorant of how the library computes anything: it
// is what the library's inference, loss and gradient are compared with.
//
//   reference::Model model{protorules, hierarchy, options, dimension};
//   reference::Matrix alpha = reference::unify(model, {predicates, slots, gumbel, temperature});
//   reference::Valuations v = reference::infer(model, alpha, instance, steps);
//   std::vector<double> target = reference::target(model, alpha, v);

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/options.hpp"
#include "hri/protorules.hpp"

#include <map>
#include <string>
#include <vector>

namespace hri::reference {

using Matrix = std::vector<std::vector<double>>;

struct Model {
    const ProtoRules& protorules;
    const Hierarchy& hierarchy;
    const Options& options;
    int dimension;
};

/// The source of unification scores.
struct Point {
    std::vector<double> predicates;  // (predicates, dimension)
    std::vector<double> slots;       // (slots, dimension)
    std::vector<double> gumbel;      // (slots, predicates), or empty
    double temperature = 1;
};

/// The valuations of all ground atoms: of predicate P over n constants there are n^arity.
struct Valuations {
    int constants = 0;
    std::vector<int> arity;                 // [predicate]
    Matrix atoms;                           // [predicate][atom], atoms in row-major order
    std::map<std::string, int> named = {};  // the constants of proto-rules; -1: there is none

    /// v(P(c1, c2)): a predicate of lower arity ignores the arguments it lacks (the projection nu).
    double operator()(int predicate, const int* arguments) const;
};

/// The similarity of two embeddings.
double similarity(Similarity kind, const double* a, const double* b, int dimension);

/// alpha[slot][predicate]: the softmax over the slot's candidates, 0 elsewhere.
Matrix unify(const Model& model, const Point& point);

/// True, False and the facts; auxiliaries are 0.
Valuations start(const Model& model, const Instance& instance);

/// One synchronous inference step of all auxiliary predicates, or of those of one layer.
Valuations step(const Model& model, const Matrix& alpha, const Valuations& old, int layer = 0);

/// `steps` steps from the start. With negation: of each layer in turn, after which its predicates'
/// negations are known.
Valuations infer(const Model& model, const Matrix& alpha, const Instance& instance, int steps);
/// The same from facts as start() lays them out, which need not be float.
Valuations infer(const Model& model, const Matrix& alpha, Valuations facts, int steps);

/// Steps until no valuation moves by more than 1e-6, `most` at most; says how many it `took`.
Valuations infer_to_fixpoint(const Model& model, const Matrix& alpha, const Instance& instance,
                             int most, int& took);

/// The target's atoms: pooled over the last layer and clamped to [0, 1].
std::vector<double> target(const Model& model, const Matrix& alpha, const Valuations& valuations);

/// Cross-entropy over the labelled atoms and lambda * sum of a (1 - a).
double loss(const Model& model, const Matrix& alpha, const std::vector<double>& target,
            const Instance& instance);

/// All of the above: from embeddings to the loss.
double loss_at(const Model& model, const Point& point, const Instance& instance, int steps);

}  // namespace hri::reference
