// SPDX-License-Identifier: Apache-2.0
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <set>

namespace hri::simplify {
namespace {

bool has_different_variables(const Atom& head) {
    const std::set<Term> terms(head.arguments.begin(), head.arguments.end());
    return terms.size() == head.arguments.size() &&
           std::all_of(terms.begin(), terms.end(), [](Term term) { return term.is_variable(); });
}

bool is_within(const Atom& atom, const Atom& head) {
    return std::all_of(atom.arguments.begin(), atom.arguments.end(), [&](Term term) {
        return std::find(head.arguments.begin(), head.arguments.end(), term) !=
               head.arguments.end();
    });
}

Predicate negation_of(SimplifierState& state, Predicate p) {
    if (state.is_negated(p)) {
        return state.positive[p.id];
    }
    for (std::uint32_t q = 0; q < state.symbols.size(); ++q) {
        if (q != p.id && state.positive[q] == p) {
            return Predicate{q};
        }
    }
    const PredicateSymbol& symbol = state.symbols[p.id];
    state.symbols.push_back({symbol.name, symbol.arity, true});
    state.invented.push_back(false);
    state.positive.push_back(p);
    state.pinned.push_back(false);
    return Predicate{static_cast<std::uint32_t>(state.symbols.size() - 1)};
}

/// The rules of p, and the bodies that use it.
struct Account {
    std::vector<Rule> rules;
    int negated_uses = 0;
    int positive_uses = 0;
    bool of_constants = false;  // which the data may lack

    bool is_always_true() const {
        return std::any_of(rules.begin(), rules.end(), [](const Rule& rule) {
            return rule.body.empty() && has_different_variables(rule.head);
        });
    }

    /// Whether the negation is a conjunction of negated atoms, and no longer than what it replaces.
    bool is_flat() const {
        const bool simple =
            !of_constants && std::all_of(rules.begin(), rules.end(), [](const Rule& rule) {
                return rule.body.size() == 1 && has_different_variables(rule.head) &&
                       is_within(rule.body[0], rule.head);
            });
        const int more = negated_uses * (static_cast<int>(rules.size()) - 1);
        return simple && more <= (positive_uses == 0 ? 2 * static_cast<int>(rules.size()) : 0);
    }
};

Account account_of(const SimplifierState& state, Predicate p) {
    Account account;
    for (const Rule& rule : state.rules) {
        if (rule.head.predicate == p) {
            account.rules.push_back(rule);
        }
        for (const Atom& atom : rule.body) {
            account.positive_uses += atom.predicate == p ? 1 : 0;
            if (atom.predicate != p && state.positive[atom.predicate.id] == p) {
                ++account.negated_uses;
                account.of_constants = account.of_constants ||
                                       std::any_of(atom.arguments.begin(), atom.arguments.end(),
                                                   [](Term term) { return !term.is_variable(); });
            }
        }
    }
    account.positive_uses += p == state.target ? 1 : 0;
    return account;
}

bool is_recursive(const SimplifierState& state, Predicate p) {
    std::set<Predicate> reached;
    std::vector<Predicate> open{p};
    while (!open.empty()) {
        const Predicate q = open.back();
        open.pop_back();
        for (const Rule& rule : state.rules) {
            for (std::size_t i = 0; rule.head.predicate == q && i < rule.body.size(); ++i) {
                const Predicate used = state.positive[rule.body[i].predicate.id];
                if (reached.insert(used).second) {
                    open.push_back(used);
                }
            }
        }
    }
    return reached.contains(p);
}

/// The rule's negation of p by those of the atoms that define it.
void spell_out(SimplifierState& state, Rule& rule, Predicate p,
               const std::vector<Rule>& definition) {
    std::vector<Atom> body;
    for (const Atom& atom : rule.body) {
        if (atom.predicate == p || state.positive[atom.predicate.id] != p) {
            body.push_back(atom);
            continue;
        }
        for (const Rule& reason : definition) {
            Atom negated{negation_of(state, reason.body[0].predicate), reason.body[0].arguments};
            for (Term& term : negated.arguments) {
                const auto place =
                    std::find(reason.head.arguments.begin(), reason.head.arguments.end(), term) -
                    reason.head.arguments.begin();
                term = atom.arguments[static_cast<std::size_t>(place)];
            }
            if (std::find(body.begin(), body.end(), negated) == body.end()) {
                body.push_back(std::move(negated));
            }
        }
    }
    rule.body = std::move(body);
    number_variables(rule);
}

}  // namespace

void pin(SimplifierState& state) {
    state.pinned.assign(state.symbols.size(), false);
    for (const Rule& rule : state.rules) {
        for (const Atom& atom : rule.body) {
            if (state.is_negated(atom.predicate)) {
                state.pinned[state.positive[atom.predicate.id].id] = true;
            }
        }
    }
}

bool resolve_negations(SimplifierState& state) {
    pin(state);
    const std::vector<bool> pinned = state.pinned;
    for (std::uint32_t id = 0; id < pinned.size(); ++id) {
        const Predicate p{id};
        if (!pinned[id] || !state.invented[id]) {
            continue;
        }
        const Account account = account_of(state, p);
        const auto negates = [&](const Atom& atom) {
            return atom.predicate != p && state.positive[atom.predicate.id] == p;
        };
        if (account.is_always_true()) {
            std::erase_if(state.rules, [&](const Rule& rule) {
                return std::any_of(rule.body.begin(), rule.body.end(), negates);
            });
            return true;
        }
        if (account.is_flat() &&
            !is_recursive(state, p)) {  // without rules: nothing remains of the negation
            for (std::size_t r = 0; r < state.rules.size(); ++r) {
                Rule rule = state.rules[r];
                if (std::any_of(rule.body.begin(), rule.body.end(), negates)) {
                    spell_out(state, rule, p, account.rules);
                    state.rules[r] = std::move(rule);
                }
            }
            pin(state);
            return true;
        }
    }
    return false;
}

}  // namespace hri::simplify
