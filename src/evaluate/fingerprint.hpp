// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fingerprints of programs: their answers on random instances.
//
//   const std::vector<Instance> probes = random_instances(problem.schema, {}, random);
//   if (fingerprint(a, probes) == fingerprint(b, probes)) ...

#include "hri/evaluate.hpp"
#include "hri/random.hpp"

#include <string>
#include <vector>

namespace hri::evaluation {

struct ProbeShape {
    int count = 40;
    int min_constants = 3;
    int max_constants = 8;
    double sparsest = 0.05;  ///< share of a predicate's atoms that are true, at least
    double densest = 0.5;
};

/// Random facts, no labels. Sizes go up and start again.
std::vector<Instance> random_instances(const SharedSchema& schema, const ProbeShape& shape,
                                       Random& random);

/// Every truth value of the target, at the fixpoint, one instance after the other. All
/// instances have the same input predicates.
std::string fingerprint(const Program& program, const std::vector<Instance>& instances);

}  // namespace hri::evaluation
