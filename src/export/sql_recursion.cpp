// SPDX-License-Identifier: Apache-2.0
#include "export/sql_recursion.hpp"

#include "logic/simplify/state.hpp"

namespace hri::exporting {
namespace {

/// p(X,Y) :- p(X,Z), p(Z,Y)
bool is_transitivity(const Rule& rule) {
    if (rule.head.arguments.size() != 2 || rule.body.size() != 2) {
        return false;
    }
    const Term x = rule.head.arguments[0];
    const Term y = rule.head.arguments[1];
    const auto is_chain = [&](const Atom& first, const Atom& second) {
        return first.predicate == rule.head.predicate && second.predicate == rule.head.predicate &&
               first.arguments[0] == x && second.arguments[1] == y &&
               first.arguments[1] == second.arguments[0] && first.arguments[1] != x &&
               first.arguments[1] != y && first.arguments[1].is_variable();
    };
    return x != y && x.is_variable() && y.is_variable() &&
           (is_chain(rule.body[0], rule.body[1]) || is_chain(rule.body[1], rule.body[0]));
}

}  // namespace

void make_linear(Recursion& recursion) {
    std::vector<Rule> others;
    bool transitive = false;
    for (const Rule& rule : recursion.rules) {
        if (is_transitivity(rule)) {
            transitive = true;
        } else if (recursion.calls(rule) == 0) {
            others.push_back(rule);
        } else {
            return;
        }
    }
    if (!transitive) {
        return;
    }
    recursion.rules = others;
    for (const Rule& rule : others) {
        const Term end = Term::variable(simplify::variable_count(rule));
        Rule longer = rule;
        longer.head.arguments[1] = end;
        longer.body.push_back({rule.head.predicate, {rule.head.arguments[1], end}});
        recursion.rules.push_back(std::move(longer));
    }
}

}  // namespace hri::exporting
