// SPDX-License-Identifier: Apache-2.0
#include "soft/compiled_rules.hpp"

#include <algorithm>

namespace hri::soft {

namespace {

int number_of(std::vector<hypotheses::View>& views, const hypotheses::View& view) {
    const auto found = std::find(views.begin(), views.end(), view);
    const auto number = found - views.begin();
    if (found == views.end())
        views.push_back(view);
    return static_cast<int>(number);
}

/// The group of a rule with two conjoined atoms, a new one where none is equal.
RuleGroup& group_of(CompiledRules& all, const CompiledRule& rule) {
    const hypotheses::Plan& plan = rule.plan;
    const int right_view = number_of(all.views, plan.right.view);
    int left_transposed = -1;
    if (plan.combine == hypotheses::Combine::join) {
        hypotheses::View turned = plan.left.view;
        turned.transposed = !turned.transposed;
        left_transposed = number_of(all.views, turned);
    }
    const auto group = std::find_if(all.groups.begin(), all.groups.end(), [&](const RuleGroup& g) {
        return g.combine == plan.combine && g.left_view == rule.left_view &&
               g.right_view == right_view;
    });
    if (group != all.groups.end())
        return *group;
    return all.groups.emplace_back(
        RuleGroup{plan.combine, rule.left_view, left_transposed, right_view, {}});
}

}  // namespace

CompiledRules compile_rules(const Hierarchy& hierarchy, const ProtoRules& protorules) {
    const std::vector<std::string> constants = constants_of(protorules);
    CompiledRules all;
    for (const Auxiliary& auxiliary : hierarchy.auxiliaries) {
        CompiledRule rule;
        rule.plan = hypotheses::compile(protorules[static_cast<std::size_t>(auxiliary.protorule)],
                                        constants);
        const auto slot_of = [&](const hypotheses::Operand& operand) {
            return auxiliary.slots[static_cast<std::size_t>(operand.slot)];
        };
        rule.left_slot = slot_of(rule.plan.left);
        rule.left_view = number_of(all.views, rule.plan.left.view);
        if (rule.plan.disjunct) {
            rule.disjunct_slot = slot_of(*rule.plan.disjunct);
            rule.disjunct_view = number_of(all.views, rule.plan.disjunct->view);
        }
        if (rule.plan.combine != hypotheses::Combine::single) {
            rule.right_slot = slot_of(rule.plan.right);
            group_of(all, rule).rules.push_back(static_cast<int>(all.rules.size()));
        }
        all.rules.push_back(rule);
    }
    return all;
}

}  // namespace hri::soft
