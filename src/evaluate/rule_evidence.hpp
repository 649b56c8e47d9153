// SPDX-License-Identifier: Apache-2.0
#pragma once

// The examples of instances that each rule of a target covers.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <vector>

namespace hri::evaluation {

/// A labelled atom, what the program says of it, and which rules cover it.
struct CoveredExample {
    int instance = 0;
    int atom = 0;  ///< index into the labels
    bool positive = false;
    bool predicted = false;
    std::vector<int> rules;  ///< into target_rules()
};

/// The target's rules, as indices into Program::rules.
std::vector<int> target_rules(const Program& program);

/// The program with a further predicate that only one rule of the target defines. The rule's body
/// still sees the whole program, so that recursive rules cover what they cover in it.
Program alone(const Program& program, int rule);

/// Every labelled atom with the rules that cover it at the program's fixpoint. Bodies see the whole
/// program, so that a recursive rule covers what it covers there.
std::vector<CoveredExample> covered_examples(const Program& program,
                                             const std::vector<Instance>& instances);

}  // namespace hri::evaluation
