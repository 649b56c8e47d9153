// SPDX-License-Identifier: Apache-2.0
// Arguments of auxiliaries that carry nothing: the paper's unary predicates are binary ones that
// ignore their second argument, and what comes out of a model looks like that too.

#include "logic/simplify/state.hpp"

#include <algorithm>

namespace hri::simplify {
namespace {

// [predicate][position]
using Positions = std::vector<std::vector<bool>>;

Positions all_auxiliary_positions(const SimplifierState& state) {
    Positions result(state.symbols.size());
    for (std::uint32_t p = 0; p < state.symbols.size(); ++p) {
        result[p].assign(static_cast<std::size_t>(state.symbols[p].arity),
                         state.is_auxiliary(Predicate{p}));
    }
    return result;
}

// The number of times a variable stands in a rule's head and body, erased positions left out.
struct Occurrences {
    int in_head = 0;
    int in_body = 0;
};

std::vector<Occurrences> count_variables(const Rule& rule, const Positions& erased_in_head,
                                         const Positions& erased_in_body) {
    std::vector<Occurrences> result(static_cast<std::size_t>(variable_count(rule)));
    const auto count = [&](const Atom& atom, const Positions& erased, int Occurrences::*where) {
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            const Term term = atom.arguments[i];
            if (term.is_variable() && !erased[atom.predicate.id][i]) {
                ++(result[static_cast<std::size_t>(term.index())].*where);
            }
        }
    };
    count(rule.head, erased_in_head, &Occurrences::in_head);
    for (const Atom& atom : rule.body) {
        count(atom, erased_in_body, &Occurrences::in_body);
    }
    return result;
}

Positions none(const SimplifierState& state) {
    Positions result = all_auxiliary_positions(state);
    for (std::vector<bool>& positions : result) {
        positions.assign(positions.size(), false);
    }
    return result;
}

// Takes away from `candidates` what one rule contradicts; true if there was anything.
using Refute = bool (*)(const SimplifierState&, const Rule&, Positions& candidates);

Positions largest(const SimplifierState& state, Refute refute) {
    Positions candidates = all_auxiliary_positions(state);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Rule& rule : state.rules) {
            changed = refute(state, rule, candidates) || changed;
        }
    }
    return candidates;
}

bool refute_constants(const Atom& atom, Positions& candidates) {
    bool changed = false;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        if (candidates[atom.predicate.id][i] && !atom.arguments[i].is_variable()) {
            candidates[atom.predicate.id][i] = false;
            changed = true;
        }
    }
    return changed;
}

// Whether p(X,Y) holds does not depend on Y: in each rule's head Y stands alone, or goes on only to
// arguments of that kind.
bool refute_independent(const SimplifierState& state, const Rule& rule, Positions& candidates) {
    bool changed = false;
    const std::vector<Occurrences> seen = count_variables(rule, none(state), candidates);
    for (std::size_t i = 0; i < rule.head.arguments.size(); ++i) {
        const Term term = rule.head.arguments[i];
        if (!candidates[rule.head.predicate.id][i] || !term.is_variable()) {
            continue;
        }
        const Occurrences& occurrences = seen[static_cast<std::size_t>(term.index())];
        if (occurrences.in_head > 1 || occurrences.in_body > 0) {
            candidates[rule.head.predicate.id][i] = false;
            changed = true;
        }
    }
    // an atom with a constant is false where the constant does not exist
    changed = refute_constants(rule.head, candidates) || changed;
    for (const Atom& atom : rule.body) {
        changed = refute_constants(atom, candidates) || changed;
    }
    return changed;
}

// No use of p(X,Y) looks at Y: it stands alone in the rule, or goes on only to arguments of that
// kind in the head.
bool refute_unobserved(const SimplifierState& state, const Rule& rule, Positions& candidates) {
    bool changed = false;
    const std::vector<Occurrences> seen = count_variables(rule, candidates, none(state));
    for (const Atom& atom : rule.body) {
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            const Term term = atom.arguments[i];
            if (!candidates[atom.predicate.id][i] || !term.is_variable()) {
                continue;
            }
            const Occurrences& occurrences = seen[static_cast<std::size_t>(term.index())];
            if (occurrences.in_head > 0 || occurrences.in_body > 1) {
                candidates[atom.predicate.id][i] = false;
                changed = true;
            }
        }
        changed = refute_constants(atom, candidates) || changed;
    }
    return refute_constants(rule.head, candidates) || changed;
}

bool erase(SimplifierState& state, const Positions& positions) {
    const auto is_any = [](const std::vector<bool>& of) {
        return std::find(of.begin(), of.end(), true) != of.end();
    };
    std::vector<bool> used(state.symbols.size(), false);
    for (const Rule& rule : state.rules) {
        used[rule.head.predicate.id] = true;
    }
    bool changed = false;
    for (std::size_t p = 0; p < positions.size(); ++p) {
        if (used[p] && is_any(positions[p])) {
            changed = true;
            state.symbols[p].arity -=
                static_cast<int>(std::count(positions[p].begin(), positions[p].end(), true));
        }
    }
    if (!changed) {
        return false;
    }
    const auto shorten = [&](Atom& atom) {
        std::vector<Term> kept;
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            if (!positions[atom.predicate.id][i]) {
                kept.push_back(atom.arguments[i]);
            }
        }
        atom.arguments = std::move(kept);
    };
    for (Rule& rule : state.rules) {
        shorten(rule.head);
        for (Atom& atom : rule.body) {
            shorten(atom);
        }
        number_variables(rule);
    }
    return true;
}

}  // namespace

bool drop_idle_arguments(SimplifierState& state) {
    return erase(state, largest(state, refute_independent)) ||
           erase(state, largest(state, refute_unobserved));
}

}  // namespace hri::simplify
