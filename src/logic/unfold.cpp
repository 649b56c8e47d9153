// SPDX-License-Identifier: Apache-2.0
#include "logic/unfold.hpp"

#include "logic/simplify/state.hpp"

#include <algorithm>
#include <set>

namespace hri::logic {
namespace {

constexpr std::size_t kMaxAtoms = 8;

bool calls(const Rule& rule, Predicate p) {
    return std::any_of(rule.body.begin(), rule.body.end(),
                       [p](const Atom& atom) { return atom.predicate == p; });
}

bool has_different_variables(const Atom& head) {
    const std::set<Term> terms(head.arguments.begin(), head.arguments.end());
    return terms.size() == head.arguments.size() &&
           std::all_of(terms.begin(), terms.end(),
                       [](const Term& term) { return term.is_variable(); });
}

/// The rule with every call of the definition's predicate replaced by its body.
Rule with_definition(const Rule& rule, const Rule& definition) {
    Rule result{rule.head, {}};
    std::int32_t next = simplify::variable_count(rule);
    for (const Atom& call : rule.body) {
        if (call.predicate != definition.head.predicate) {
            result.body.push_back(call);
            continue;
        }
        std::vector<Term> value(static_cast<std::size_t>(simplify::variable_count(definition)),
                                Term{-1});
        std::vector<bool> known(value.size(), false);
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const auto v = static_cast<std::size_t>(definition.head.arguments[i].index());
            value[v] = call.arguments[i];
            known[v] = true;
        }
        for (Atom atom : definition.body) {
            for (Term& term : atom.arguments) {
                if (!term.is_variable()) {
                    continue;
                }
                const auto v = static_cast<std::size_t>(term.index());
                if (!known[v]) {
                    value[v] = Term::variable(next++);
                    known[v] = true;
                }
                term = value[v];
            }
            result.body.push_back(std::move(atom));
        }
    }
    return result;
}

bool unfold_one(Program& program) {
    for (std::size_t d = 0; d < program.rules.size(); ++d) {
        const Rule definition = program.rules[d];
        const Predicate p = definition.head.predicate;
        const auto rules =
            std::count_if(program.rules.begin(), program.rules.end(),
                          [p](const Rule& rule) { return rule.head.predicate == p; });
        if (p == program.target || rules != 1 || calls(definition, p) ||
            !has_different_variables(definition.head)) {
            continue;
        }
        std::vector<Rule> result;
        bool short_enough = true;
        for (const Rule& rule : program.rules) {
            if (rule.head.predicate != p) {
                result.push_back(with_definition(rule, definition));
                short_enough = short_enough && result.back().body.size() < kMaxAtoms;
            }
        }
        if (short_enough) {
            program.rules = std::move(result);
            return true;
        }
    }
    return false;
}

}  // namespace

Program unfolded(Program program) {
    while (unfold_one(program)) {
    }
    return program;
}

}  // namespace hri::logic
