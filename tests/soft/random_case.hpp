// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random models on random instances: proto-rules of every shape, every choice of every option, any
// embeddings.
//
//   Random random(7);
//   const RandomCase c = random_case(shape("B"), random_options(random), random);
//   Objective<double> objective(c.hierarchy, c.protorules, c.dimension, c.options);

#include "hri/data.hpp"
#include "hri/model.hpp"
#include "hri/random.hpp"

#include "reference/naive_model.hpp"
#include "soft/dense.hpp"

#include <string>
#include <vector>

namespace hri {

/// A set of proto-rules under a name for messages.
struct NamedShape {
    std::string name;
    ProtoRules rules;
};

/// The sets R0, R0v, R* and MIL, and one proto-rule at a time for the shapes that these lack: any
/// place of the variables, repeated ones, heads that the body does not mention, exact arities.
const std::vector<NamedShape>& shapes();
const ProtoRules& shape(const std::string& name);

/// The defaults, but nothing is skipped for being small.
inline Options exact_options() {
    Options options;
    options.skip_pairs = 0;
    options.skip_gradients = 0;
    return options;
}

/// The same, for small models.
inline Options small_exact_options() {
    Options options = exact_options();
    options.layers = 1;
    options.dimension = 4;
    options.temperature = 0.4;
    return options;
}

/// Exact; every option with named values takes one of them; layers, auxiliaries, dimension and
/// temperature are small.
Options random_options(Random& random);

struct RandomCase {
    ProtoRules protorules;
    Options options;
    std::vector<PredicateSymbol> inputs;
    Hierarchy hierarchy;
    int dimension = 3;
    Instance instance;
    int steps = 1;
    std::vector<float> predicates;  // (predicates, dimension)
    std::vector<float> slots;       // (slots, dimension)
    std::vector<float> gumbel;      // (slots, predicates), or empty

    reference::Model naive_model() const { return {protorules, hierarchy, options, dimension}; }

    reference::Point naive_point() const;

    template <class Real>
    soft::DenseInstance<Real> dense() const {
        soft::DenseInstance<Real> result;
        soft::make_dense(result, instance, soft::columns_of(inputs, inputs), inputs,
                         hierarchy.target_arity, constants_of(protorules));
        return result;
    }

    /// A line for messages.
    std::string describe() const;
};

struct CaseLimits {
    int max_constants = 12;
    int max_steps = 5;
    double max_work =
        1e5;  ///< conjunctions that the naive model may compute; fewer constants keep to it
    bool fuzzy = false;  ///< facts strictly between 0 and 1, no two alike, so that nothing ties
};

/// A model with those options (its arities and its last layer are made to fit the rules) on an
/// instance of its own.
RandomCase random_case(const ProtoRules& rules, const Options& options, Random& random,
                       const CaseLimits& limits = {});

/// Facts with density and values at random; some predicates have none. All labels are unlabelled.
Instance random_instance(const std::vector<PredicateSymbol>& inputs, int target_arity,
                         int constants, bool fuzzy, Random& random);

/// Random labels; none where the valuation is so near to the wrong end that its logarithm means
/// nothing.
void label_at_random(Instance& instance, const std::vector<double>& target, Random& random);

/// The same numbers as another type.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> result;
    result.reserve(values.size());
    for (const From value : values) {
        result.push_back(static_cast<To>(value));
    }
    return result;
}

}  // namespace hri
