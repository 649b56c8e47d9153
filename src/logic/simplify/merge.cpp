// SPDX-License-Identifier: Apache-2.0
// Predicates that mean the same become one.

#include "logic/simplify/implication.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <utility>

namespace hri::simplify {
namespace {

// The replacement of a predicate's atoms.
struct Replacement {
    Predicate by;
    bool exchanged = false;  // the arguments change places
};

using Replacements = std::vector<Replacement>;  // [predicate]

Replacements no_replacement(const SimplifierState& state) {
    Replacements result;
    for (std::uint32_t p = 0; p < state.symbols.size(); ++p) {
        result.push_back({Predicate{p}});
    }
    return result;
}

Atom replaced(Atom atom, const Replacements& replacements) {
    const Replacement& replacement = replacements[atom.predicate.id];
    atom.predicate = replacement.by;
    if (replacement.exchanged) {
        std::swap(atom.arguments[0], atom.arguments[1]);
    }
    return atom;
}

Rule replaced(const Rule& rule, const Replacements& replacements) {
    Rule result;
    result.head = replaced(rule.head, replacements);
    for (const Atom& atom : rule.body) {
        result.body.push_back(replaced(atom, replacements));
    }
    number_variables(result);
    return result;
}

// The rules of one predicate as they read after replacing.
std::vector<Rule> definition(const SimplifierState& state, Predicate p,
                             const Replacements& replacements) {
    std::vector<Rule> result;
    for (const Rule& rule : state.rules) {
        if (rule.head.predicate == p) {
            result.push_back(replaced(rule, replacements));
        }
    }
    return result;
}

// Keeps the definition of the replacing predicate only.
void merge(SimplifierState& state, const Replacements& replacements) {
    std::erase_if(state.rules, [&](const Rule& rule) {
        const Predicate p = rule.head.predicate;
        return replacements[p.id].by != p;
    });
    for (Rule& rule : state.rules) {
        rule = replaced(rule, replacements);
    }
}

// The target first: it is the one that stays.
std::vector<Predicate> defined_in_order(const SimplifierState& state) {
    std::vector<bool> has_rules(state.symbols.size(), false);
    for (const Rule& rule : state.rules) {
        has_rules[rule.head.predicate.id] = true;
    }
    std::vector<Predicate> result;
    if (has_rules[state.target.id]) {
        result.push_back(state.target);
    }
    for (std::uint32_t p = 0; p < has_rules.size(); ++p) {
        if (has_rules[p] && state.is_auxiliary(Predicate{p})) {
            result.push_back(Predicate{p});
        }
    }
    return result;
}

// Partition refinement: assume that all predicates of one arity are the same, and split the classes
// until the assumption agrees with the definitions. Classes of more than one member are then equal
// at every stage of the fixpoint, so that mutually recursive twins are found too.
bool merge_equal(SimplifierState& state, const std::vector<Predicate>& defined) {
    Replacements classes = no_replacement(state);
    int count = 0;
    for (const Predicate p : defined) {
        const auto first = std::find_if(defined.begin(), defined.end(), [&](Predicate q) {
            return state.symbols[q.id].arity == state.symbols[p.id].arity;
        });
        classes[p.id].by = *first;
        count += *first == p ? 1 : 0;
    }
    for (bool split = true; split;) {
        split = false;
        Replacements finer = no_replacement(state);
        int finer_count = 0;
        for (std::size_t i = 0; i < defined.size(); ++i) {
            const Predicate p = defined[i];
            const std::vector<Rule> own = definition(state, p, classes);
            for (std::size_t j = 0; j < i && finer[p.id].by == p; ++j) {
                const Predicate q = defined[j];
                const bool is_leader = finer[q.id].by == q;
                if (is_leader && classes[q.id].by == classes[p.id].by &&
                    equivalent(own, definition(state, q, classes), state.work)) {
                    finer[p.id].by = q;
                }
            }
            finer_count += finer[p.id].by == p ? 1 : 0;
        }
        split = finer_count != count;
        classes = std::move(finer);
        count = finer_count;
    }
    if (count == static_cast<int>(defined.size())) {
        return false;
    }
    merge(state, classes);
    return true;
}

bool merge_exchanged(SimplifierState& state, const std::vector<Predicate>& defined) {
    for (std::size_t i = 0; i < defined.size(); ++i) {
        for (std::size_t j = i + 1; j < defined.size(); ++j) {
            const Predicate p = defined[i];
            const Predicate q = defined[j];
            if (state.symbols[p.id].arity != 2 || state.symbols[q.id].arity != 2) {
                continue;
            }
            Replacements exchange = no_replacement(state);
            exchange[q.id] = {p, true};
            if (equivalent(definition(state, p, exchange), definition(state, q, exchange),
                           state.work)) {
                merge(state, exchange);
                return true;
            }
        }
    }
    return false;
}

}  // namespace

bool merge_equal_predicates(SimplifierState& state) {
    const std::vector<Predicate> defined = defined_in_order(state);
    // each pair of definitions is compared; programs of hundreds of predicates are not what people
    // read
    if (defined.size() > 200) {
        return false;
    }
    return merge_equal(state, defined) || merge_exchanged(state, defined);
}

bool replace_target_alias(SimplifierState& state) {
    const Rule* only = nullptr;
    for (const Rule& rule : state.rules) {
        if (rule.head.predicate == state.target) {
            if (only != nullptr) {
                return false;
            }
            only = &rule;
        }
    }
    if (only == nullptr || only->body.size() != 1) {
        return false;
    }
    const Atom& alias = only->body[0];
    const std::vector<Term>& from = only->head.arguments;
    if (!state.is_auxiliary(alias.predicate) || alias.arguments.size() != from.size()) {
        return false;
    }
    // Heads have their variables numbered from 0: (X,Y) is 0, 1.
    const Term x = Term::variable(0);
    const Term y = Term::variable(1);
    const bool distinct = from.size() < 2 || (from[0] == x && from[1] == y);
    const bool straight = alias.arguments == from;
    const bool exchanged = from.size() == 2 && alias.arguments[0] == y && alias.arguments[1] == x;
    if (!distinct || (from.size() == 1 && !from[0].is_variable()) || !(straight || exchanged)) {
        return false;
    }
    Replacements replacements = no_replacement(state);
    replacements[alias.predicate.id] = {state.target, exchanged};
    state.rules.erase(state.rules.begin() + (only - state.rules.data()));
    for (Rule& rule : state.rules) {
        rule = replaced(rule, replacements);
    }
    return true;
}

}  // namespace hri::simplify
