// SPDX-License-Identifier: Apache-2.0
#include "logic/unfold.hpp"

#include "logic/simplify/state.hpp"

#include <algorithm>
#include <set>

namespace hri::logic {
namespace {

constexpr std::size_t kMaxAtoms = 8;
constexpr std::size_t kMaxExpanded = 200;  // rules
constexpr std::size_t kMaxExpandedAtoms = 12;

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

/// The rule with the call at a place of its body replaced by the definition's body.
Rule with_definition(const Rule& rule, std::size_t place, const Rule& definition) {
    std::int32_t next = simplify::variable_count(rule);
    const Atom& call = rule.body[place];
    std::vector<Term> value(static_cast<std::size_t>(simplify::variable_count(definition)),
                            Term{-1});
    std::vector<bool> known(value.size(), false);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const auto v = static_cast<std::size_t>(definition.head.arguments[i].index());
        value[v] = call.arguments[i];
        known[v] = true;
    }
    Rule result{rule.head, {}};
    for (std::size_t b = 0; b < rule.body.size(); ++b) {
        if (b != place) {
            result.body.push_back(rule.body[b]);
            continue;
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

/// The rule with every call of the definition's predicate, which does not call itself, replaced.
Rule with_definition(Rule rule, const Rule& definition) {
    for (std::size_t b = 0; b < rule.body.size();) {
        if (rule.body[b].predicate == definition.head.predicate) {
            rule = with_definition(rule, b, definition);
        } else {
            ++b;
        }
    }
    return rule;
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

Program with_definitions(Program program, const Program& definitions) {
    for (const Rule& rule : definitions.rules) {
        const auto own = [&](Atom atom) {
            atom.predicate = program.vocabulary.intern(definitions.vocabulary[atom.predicate]);
            for (Term& term : atom.arguments) {
                if (!term.is_variable()) {
                    term = Term::constant(program.vocabulary.intern_constant(
                        definitions.vocabulary
                            .constants()[static_cast<std::size_t>(term.index())]));
                }
            }
            return atom;
        };
        if (!program.vocabulary.find(definitions.vocabulary[rule.head.predicate])) {
            continue;
        }
        Rule definition{own(rule.head), {}};
        for (const Atom& atom : rule.body) {
            definition.body.push_back(own(atom));
        }
        bool is_negated = false;
        for (Rule& called : program.rules) {
            called = with_definition(std::move(called), definition);
            for (const Atom& atom : called.body) {
                is_negated = is_negated || (program.vocabulary.is_negated(atom.predicate) &&
                                            program.vocabulary.positive(atom.predicate) ==
                                                definition.head.predicate);
            }
        }
        if (is_negated) {
            program.rules.push_back(std::move(definition));
        }
    }
    return program;
}

std::vector<Rule> expanded_target_rules(const Program& program) {
    std::vector<std::vector<const Rule*>> definitions(
        static_cast<std::size_t>(program.vocabulary.size()));
    std::vector<bool> replaceable(definitions.size(), true);
    std::vector<Rule> open;
    for (const Rule& rule : program.rules) {
        const auto p = static_cast<std::size_t>(rule.head.predicate.id);
        definitions[p].push_back(&rule);
        replaceable[p] = replaceable[p] && rule.head.predicate != program.target &&
                         has_different_variables(rule.head);
        if (rule.head.predicate == program.target) {
            open.push_back(rule);
        }
    }
    std::vector<Rule> done;
    for (std::size_t next = 0; next < open.size(); ++next) {
        const Rule rule = open[next];
        const auto call = std::find_if(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return !definitions[atom.predicate.id].empty() && replaceable[atom.predicate.id];
        });
        if (call == rule.body.end() || rule.body.size() > kMaxExpandedAtoms ||
            open.size() > kMaxExpanded) {
            done.push_back(rule);
            continue;
        }
        for (const Rule* definition : definitions[call->predicate.id]) {
            open.push_back(with_definition(rule, static_cast<std::size_t>(call - rule.body.begin()),
                                           *definition));
        }
    }
    return done;
}

}  // namespace hri::logic
