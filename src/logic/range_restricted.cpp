// SPDX-License-Identifier: Apache-2.0
#include "logic/range_restricted.hpp"

#include <algorithm>

namespace hri::logic {
namespace {

void replace(Atom& atom, Term from, Term to) {
    std::replace(atom.arguments.begin(), atom.arguments.end(), from, to);
}

}  // namespace

bool mentions(const Atom& atom, Term term) {
    return std::find(atom.arguments.begin(), atom.arguments.end(), term) != atom.arguments.end();
}

bool mentions(const Rule& rule, Term term) {
    return mentions(rule.head, term) ||
           std::any_of(rule.body.begin(), rule.body.end(),
                       [&](const Atom& atom) { return mentions(atom, term); });
}

bool is_range_restricted(const Rule& rule, const Vocabulary& vocabulary) {
    const auto binds = [&](const Atom& atom) {
        const PredicateSymbol& symbol = vocabulary[atom.predicate];
        return !symbol.negated && !is_equality(symbol) && !is_comparison(symbol);
    };
    const auto is_bound = [&](const Atom& atom) {
        return std::all_of(atom.arguments.begin(), atom.arguments.end(), [&](Term term) {
            return !term.is_variable() ||
                   std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& other) {
                       return binds(other) && mentions(other, term);
                   });
        });
    };
    return is_bound(rule.head) &&
           std::all_of(rule.body.begin(), rule.body.end(),
                       [&](const Atom& atom) { return binds(atom) || is_bound(atom); });
}

void bind_terms(Rule& rule, const Vocabulary& vocabulary,
                const std::function<Predicate()>& constants) {
    const auto last =
        std::stable_partition(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            const PredicateSymbol& symbol = vocabulary[atom.predicate];
            return !symbol.negated && !is_equality(symbol) && !is_comparison(symbol);
        });
    std::vector<Atom> body(rule.body.begin(), last);
    const auto bind = [&](const Atom& atom) {
        for (const Term term : atom.arguments) {
            const bool is_threshold =
                !term.is_variable() && is_comparison(vocabulary[atom.predicate]);
            if (!is_threshold && std::none_of(body.begin(), body.end(), [&](const Atom& known) {
                    return mentions(known, term);
                })) {
                body.push_back({constants(), {term}});
            }
        }
    };
    bind(rule.head);
    std::for_each(last, rule.body.end(), bind);
    body.insert(body.end(), last, rule.body.end());
    rule.body = std::move(body);
}

PredicateSymbol constants_symbol(const Program& program) {
    PredicateSymbol symbol{"constant", 1};
    const auto is_it = [&](const Atom& atom) {
        const PredicateSymbol& used = program.vocabulary[atom.predicate];
        return used.name == symbol.name && used.arity == symbol.arity;
    };
    const auto is_used = [&] {
        return program.vocabulary[program.target] == symbol ||
               std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
                   return is_it(rule.head) ||
                          std::any_of(rule.body.begin(), rule.body.end(), is_it);
               });
    };
    while (is_used()) {
        symbol.name += "_";
    }
    return symbol;
}

bool resolve_equality(Rule& rule, const std::vector<PredicateSymbol>& symbols) {
    for (std::size_t i = 0; i < rule.body.size();) {
        const Atom atom = rule.body[i];
        if (!is_equality(symbols[atom.predicate.id])) {
            ++i;
            continue;
        }
        Term from = atom.arguments[0];
        Term to = atom.arguments[1];
        const bool negated = symbols[atom.predicate.id].negated;
        if (negated || (!from.is_variable() && !to.is_variable())) {
            if ((from == to) == negated) {
                return false;
            }
            ++i;
            continue;
        }
        if (!from.is_variable()) {
            std::swap(from, to);
        }
        Rule result = rule;
        result.body.erase(result.body.begin() + static_cast<std::ptrdiff_t>(i));
        if (to.is_variable() || mentions(result, from) || mentions(result, to)) {
            replace(result.head, from, to);
            for (Atom& other : result.body) {
                replace(other, from, to);
            }
            rule = std::move(result);
            i = 0;
        } else {
            ++i;
        }
    }
    return true;
}

}  // namespace hri::logic
