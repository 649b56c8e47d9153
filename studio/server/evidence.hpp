// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which examples each rule of a program covers, and what the page shows of them.

#include "hri/data.hpp"
#include "hri/logic.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hri::studio {

struct Example {
    int instance = 0;
    int atom = 0;  ///< index into the labels
    bool positive = false;
    bool predicted = false;
    std::vector<int> rules;  ///< of the target's rules those that cover it
};

struct Evidence {
    std::int64_t positives = 0;  ///< covered
    std::int64_t negatives = 0;
    std::int64_t only = 0;  ///< positives that no other rule covers

    /// Of what it covers the share that is right; smoothed, so that little evidence counts less.
    double confidence() const {
        return (static_cast<double>(positives) + 1) /
               (static_cast<double>(positives + negatives) + 2);
    }
};

/// The target's rules, as indices into Program::rules.
std::vector<int> target_rules(const Program& program);

/// Every labelled atom with the rules of the target that cover it at the program's fixpoint.
std::vector<Example> covered_examples(const Program& program,
                                      const std::vector<Instance>& instances);

/// [rule of target_rules()]
std::vector<Evidence> evidence_of(const std::vector<Example>& examples, std::size_t rules);

/// "grandparent(ann,'Bob B')"; the name is quoted where Prolog needs it.
std::string atom_text(const Instance& instance, int atom);

/// One rule as Prolog text, without the full stop.
std::string rule_text(const Program& program, const Rule& rule);

}  // namespace hri::studio
