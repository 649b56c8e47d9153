// SPDX-License-Identifier: Apache-2.0
#include "hypotheses/plan.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace hri::hypotheses {

namespace {

using Reduce = View::Reduce;

bool contains(const std::vector<int>& variables, int variable) {
    return std::find(variables.begin(), variables.end(), variable) != variables.end();
}

bool is_constant(int argument) { return argument < 0; }

/// The same of an atom with a constant: its number in `constants` is -1 - argument.
View view_of_constant(const ProtoAtom& atom, int first, int second) {
    const auto number = [](int argument) { return -1 - argument; };
    const int a = atom.arguments.front();
    const int b = atom.arguments.back();
    if (is_constant(a) && is_constant(b))
        return {Reduce::cell, false, number(a), number(b)};
    if (is_constant(a))
        return {b == first || b == second ? Reduce::row : Reduce::any_of_row, b == second,
                number(a), -1};
    return {a == first || a == second ? Reduce::column : Reduce::any_of_column, a == second, -1,
            number(b)};
}

/// The atom's view on axes (first, second). A variable that is neither is existential in this atom
/// alone.
View view_on(const ProtoAtom& atom, int first, int second) {
    if (atom.arguments.empty())
        return {Reduce::none, false};
    if (std::any_of(atom.arguments.begin(), atom.arguments.end(), is_constant))
        return view_of_constant(atom, first, second);
    if (atom.arguments.size() == 1) {  // stored along i already
        const int a = atom.arguments[0];
        if (a == first)
            return {Reduce::none, false};
        if (a == second)
            return {Reduce::none, true};
        return {Reduce::all, false};
    }
    assert(atom.arguments.size() == 2);
    const int a = atom.arguments[0];
    const int b = atom.arguments[1];
    if (a == b) {
        if (a == first)
            return {Reduce::diagonal, false};
        if (a == second)
            return {Reduce::diagonal, true};
        return {Reduce::all_diagonal, false};
    }
    if (a == first)
        return {b == second ? Reduce::none : Reduce::rows, false};
    if (a == second)
        return {b == first ? Reduce::none : Reduce::rows, true};
    if (b == first)
        return {Reduce::columns, false};
    if (b == second)
        return {Reduce::columns, true};
    return {Reduce::all, false};
}

/// Variables of an atom other than `without`, each once.
std::vector<int> others(const ProtoAtom& atom, int without) {
    std::vector<int> result;
    for (const int v : atom.arguments)
        if (v != without && !is_constant(v) && !contains(result, v))
            result.push_back(v);
    return result;
}

constexpr int kNoVariable = std::numeric_limits<int>::max();

struct HeadAxes {
    int first;
    int second;  // kNoVariable under a unary or diagonal head
    Plan::Head direct;
};

HeadAxes axes_of(const std::vector<int>& head) {
    if (head.empty())
        return {kNoVariable, kNoVariable, Plan::Head::direct};
    if (head.size() == 2 && head[0] == head[1])
        return {head[0], kNoVariable, Plan::Head::diagonal};
    return {head[0], head.size() == 2 ? head[1] : kNoVariable, Plan::Head::direct};
}

/// Two conjoined atoms side by side. The order of the operands is free; the identity goes left, so
/// that A and C share their products.
void plan_meet(Plan& plan, const std::vector<ProtoAtom>& body, int first, int second) {
    plan.combine = Combine::meet;
    plan.left = {0, view_on(body[0], first, second)};
    plan.right = {1, view_on(body[1], first, second)};
    if (plan.right.view.is_identity())
        std::swap(plan.left, plan.right);
}

/// Two conjoined atoms over the head's axes and one shared existential variable z.
void plan_shared(Plan& plan, const std::vector<ProtoAtom>& body, const HeadAxes& axes, int z) {
    const auto is_head = [&](int v) { return v == axes.first || v == axes.second; };
    const auto head_variable = [&](const ProtoAtom& atom) {
        for (const int v : others(atom, z))
            if (is_head(v))
                return v;
        return kNoVariable;
    };
    const int left = head_variable(body[0]);
    const int right = head_variable(body[1]);
    if (left != kNoVariable && right != kNoVariable && left != right) {
        const int on_first = left == axes.first ? 0 : 1;
        const int on_second = 1 - on_first;
        plan.combine = Combine::join;
        plan.left = {on_first, view_on(body[static_cast<std::size_t>(on_first)], axes.first, z)};
        plan.right = {on_second,
                      view_on(body[static_cast<std::size_t>(on_second)], z, axes.second)};
        return;
    }
    int along = left != kNoVariable ? left : right;
    if (along == kNoVariable)
        along = axes.first;  // the result does not depend on it
    plan_meet(plan, body, z, along);
    plan.reduce = true;
    plan.reduce_all = left == kNoVariable && right == kNoVariable;
    if (along == axes.second)
        plan.head = Plan::Head::transposed;
}

/// The rule with its constants numbered as in `constants`.
ProtoRule over(ProtoRule rule, const std::vector<std::string>& constants) {
    for (std::vector<ProtoAtom>* atoms : {&rule.body, &rule.disjunct})
        for (ProtoAtom& atom : *atoms)
            for (int& argument : atom.arguments)
                if (is_constant(argument)) {
                    const auto known =
                        std::find(constants.begin(), constants.end(),
                                  rule.constants[static_cast<std::size_t>(-1 - argument)]);
                    assert(known != constants.end());
                    argument = -1 - static_cast<int>(known - constants.begin());
                }
    return rule;
}

}  // namespace

bool View::constant_along_second(int arity) const {
    if (arity == 0 || reduce == Reduce::all || reduce == Reduce::all_diagonal ||
        reduce == Reduce::any_of_row || reduce == Reduce::any_of_column || reduce == Reduce::cell)
        return true;
    if (reduce == Reduce::none)
        return arity == 1 && !transposed;
    if (reduce == Reduce::columns && arity == 1)
        return true;  // max over the only argument: constant in both
    return !transposed;
}

Plan compile(const ProtoRule& written, const std::vector<std::string>& constants) {
    const ProtoRule rule = over(written, constants);
    const HeadAxes axes = axes_of(rule.head);
    Plan plan;
    plan.head = axes.direct;
    if (rule.body.size() == 1) {
        plan.combine = Combine::single;
        plan.left = {0, view_on(rule.body[0], axes.first, axes.second)};
    } else {
        assert(rule.body.size() == 2);
        std::vector<int> shared;  // existential variables that both atoms mention
        for (const int v : others(rule.body[0], kNoVariable))
            if (!contains(rule.head, v) && contains(rule.body[1].arguments, v))
                shared.push_back(v);
        if (shared.empty()) {
            plan_meet(plan, rule.body, axes.first, axes.second);
        } else if (shared.size() == 1) {
            plan_shared(plan, rule.body, axes, shared[0]);
        } else {
            plan_meet(plan, rule.body, shared[0], shared[1]);
            plan.reduce = true;
            plan.reduce_all = true;
        }
    }
    if (!rule.disjunct.empty()) {
        plan.disjunct = Operand{static_cast<int>(rule.body.size()),
                                view_on(rule.disjunct[0], axes.first, axes.second)};
        plan.disjunct_head = axes.direct;
    }
    return plan;
}

}  // namespace hri::hypotheses
