// SPDX-License-Identifier: Apache-2.0
#pragma once

// The choice of bodies for the rules of a name, with their confidences. An object has the name
// unless the reasons of all rules that cover it fail, each independently of the others: a noisy or,
// as in ProbLog. Whether each object has the name is coded by that probability, and rules are added
// while that shortens the description. A rule costs the bits of drawing its body among those that
// hold of the name's objects; the order of rules costs nothing.

#include "hri/scene_rules.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace hri::search {

/// What rules say adds up: -log of the probability that a rule's reason does not hold.
inline double evidence(double confidence) { return -std::log1p(-confidence); }

inline double probability(double evidence_of_rules) { return -std::expm1(-evidence_of_rules); }

/// The training objects, and which bodies hold of each.
struct BodyCoverage {
    std::vector<std::int64_t> covered;                  // [body]: objects
    std::vector<std::vector<std::uint32_t>> of_object;  // [object]: bodies
    std::vector<std::vector<std::uint32_t>> having;     // [target]: objects
    std::vector<std::size_t> owner;                     // [body]: its target; empty: all may use it
};

/// A body that was chosen, with what it covers in training.
struct ChosenBody {
    std::uint32_t body = 0;
    std::int64_t correct = 0;
    std::int64_t covered = 0;
    double confidence = 0;
};

struct ChosenBodies {
    std::vector<ChosenBody> bodies;
    double otherwise = 0;     // the confidence where none covers an object
    double bits = 0;          // of the rules, and of the names by them
    double bits_without = 0;  // of the names by their frequency alone
};

ChosenBodies choose_bodies(const BodyCoverage& coverage, std::size_t target,
                           const SceneRuleSettings& settings);

}  // namespace hri::search
