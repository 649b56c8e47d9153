// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules of a hierarchy, compiled once: which slots a rule reads through which views, and which
// rules combine their slots in the same way.

#include "hri/model.hpp"

#include "hypotheses/plan.hpp"

#include <vector>

namespace hri::soft {

/// An auxiliary's rule with its slots and views resolved.
struct CompiledRule {
    hypotheses::Plan plan;
    int left_slot = 0;
    int right_slot = 0;
    int disjunct_slot = -1;  // -1: none
    int left_view = 0;       // views are numbers in CompiledRules::views
    int disjunct_view = 0;

    /// The pooled conjunction is the head's matrix as it stands.
    bool direct() const { return plan.head == hypotheses::Plan::Head::direct && !plan.reduce; }
};

/// Rules that combine two slots in the same way share their products.
struct RuleGroup {
    hypotheses::Combine combine;
    int left_view;
    int left_transposed;  // a join's left view with its axes exchanged
    int right_view;
    std::vector<int> rules;
};

struct CompiledRules {
    std::vector<CompiledRule> rules;  // by auxiliary
    std::vector<RuleGroup> groups;
    std::vector<hypotheses::View> views;  // no two are equal
};

CompiledRules compile_rules(const Hierarchy& hierarchy, const ProtoRules& protorules);

}  // namespace hri::soft
