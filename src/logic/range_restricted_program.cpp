// SPDX-License-Identifier: Apache-2.0
#include "logic/range_restricted_program.hpp"

#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"
#include "logic/range_restricted.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <set>

namespace hri::logic {
namespace {

// Undefined predicates of this name are false everywhere.
bool mentions_false(const Program& program, const std::vector<bool>& derived, const Rule& rule) {
    return std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
        const PredicateSymbol& symbol = program.vocabulary[atom.predicate];
        return !derived[atom.predicate.id] && symbol.name == "false" && symbol.arity == 0 &&
               !symbol.negated;
    });
}

std::string lower(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

}  // namespace

std::vector<Predicate> RangeRestricted::inputs() const {
    std::vector<Predicate> result;
    std::copy_if(order.begin(), order.end(), std::back_inserter(result),
                 [&](Predicate p) { return !derived[p.id]; });
    return result;
}

bool RangeRestricted::is_wanted(Predicate predicate) const {
    const auto uses = [&](const Rule& rule) {
        return rule.head.predicate != predicate &&
               std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
                   return program.vocabulary.positive(atom.predicate) == predicate;
               });
    };
    return predicate == program.target ||
           (derived[predicate.id] &&
            std::none_of(program.rules.begin(), program.rules.end(), uses));
}

RangeRestricted range_restricted(const Program& program) {
    RangeRestricted result;
    result.program = program;
    result.program.rules.clear();
    result.derived = defined_predicates(program);
    result.derived[program.target.id] = true;
    const auto constants = [&] {
        if (!result.constants) {
            result.constants = result.program.vocabulary.intern(constants_symbol(program));
            result.derived.resize(static_cast<std::size_t>(result.program.vocabulary.size()),
                                  false);
        }
        return *result.constants;
    };
    std::set<Predicate> used;
    for (const Rule& original : program.rules) {
        if (mentions_false(program, result.derived, original)) {
            continue;
        }
        Rule rule = original;
        if (!resolve_equality(rule, program.vocabulary.symbols())) {
            continue;
        }
        bind_terms(rule, program.vocabulary, constants);
        simplify::number_variables(rule);
        for (const Atom& atom : rule.body) {
            const PredicateSymbol& symbol = result.program.vocabulary[atom.predicate];
            if (!is_equality(symbol) && !is_comparison(symbol)) {
                used.insert(result.program.vocabulary.positive(atom.predicate));
            }
        }
        used.insert(rule.head.predicate);
        result.program.rules.push_back(std::move(rule));
    }
    for (const bool wanted : {false, true}) {
        if (wanted) {
            result.order.push_back(program.target);
        }
        for (const Predicate p : used) {
            if (result.derived[p.id] == wanted && p != program.target) {
                result.order.push_back(p);
            }
        }
    }
    return result;
}

std::vector<std::string> identifiers(const RangeRestricted& of,
                                     const std::function<std::string(const std::string&)>& clean,
                                     const std::vector<std::string>& taken) {
    std::set<std::string> used(taken.begin(), taken.end());
    std::vector<std::string> names(static_cast<std::size_t>(of.program.vocabulary.size()));
    for (const Predicate p : of.order) {
        const PredicateSymbol& symbol = of.program.vocabulary[p];
        std::string name = clean(symbol.name);
        std::string candidate = name;
        for (int again = 0; !used.insert(lower(candidate)).second; ++again) {
            candidate = name + "_" + std::to_string(symbol.arity) +
                        (again == 0 ? "" : "_" + std::to_string(again + 1));
        }
        names[p.id] = candidate;
    }
    return names;
}

std::string indicator(const PredicateSymbol& symbol) {
    return (symbol.negated ? "\\+ " : "") + prolog::quoted_predicate(symbol.name) + "/" +
           std::to_string(symbol.arity);
}

std::string column_name(int i) {
    static constexpr std::string_view kLetters = "abcdefghijklmnoqrstuvwxyz";  // p is a predicate
    const auto at = static_cast<std::size_t>(i);
    const std::string letter(1, kLetters[at % kLetters.size()]);
    return at < kLetters.size() ? letter : letter + std::to_string(at / kLetters.size());
}

}  // namespace hri::logic
