// SPDX-License-Identifier: Apache-2.0
#include "datalog/resolved_rule.hpp"

#include <algorithm>
#include <map>

namespace hri::datalog {
namespace {

using Argument = ResolvedRule::Argument;
using Goal = ResolvedRule::Goal;

// Stands for one term wherever X = Y makes two of them the same.
class Merging {
  public:
    Term find(Term term) const {
        auto next = same_.find(term);
        while (next != same_.end()) {
            term = next->second;
            next = same_.find(term);
        }
        return term;
    }

    // False: two constants.
    bool merge(Term a, Term b) {
        a = find(a);
        b = find(b);
        if (a == b) {
            return true;
        }
        if (!a.is_variable() && !b.is_variable()) {
            return false;
        }
        same_[a.is_variable() ? a : b] = a.is_variable() ? b : a;
        return true;
    }

  private:
    std::map<Term, Term> same_;
};

}  // namespace

ResolvedRule resolve(const Rule& rule, const Vocabulary& vocabulary,
                     const std::vector<bool>& defined, std::span<const std::int32_t> numbers) {
    ResolvedRule result;
    const auto is_built_in = [&](const Atom& atom) {
        const Predicate positive = vocabulary.positive(atom.predicate);
        return is_equality(vocabulary[positive]) && !defined[positive.id];
    };
    Merging merging;
    for (const Atom& atom : rule.body) {
        if (is_built_in(atom) && !vocabulary.is_negated(atom.predicate)) {
            result.possible =
                merging.merge(atom.arguments[0], atom.arguments[1]) && result.possible;
        }
    }
    const auto number = [&](Term constant) {
        return numbers.empty() ? constant.index()
                               : numbers[static_cast<std::size_t>(constant.index())];
    };
    std::map<Term, Argument> arguments;
    const auto argument = [&](Term given) -> Argument {
        if (!given.is_variable()) {
            result.possible = result.possible && number(given) >= 0;
        }
        const Term term = merging.find(given);
        if (!term.is_variable()) {
            return -1 - std::max(number(term), 0);
        }
        const auto [known, is_new] = arguments.try_emplace(term, result.variables);
        result.variables += is_new ? 1 : 0;
        return known->second;
    };
    const auto goal = [&](const Atom& atom) {
        Goal made;
        made.predicate = vocabulary.positive(atom.predicate).id;
        made.negated = vocabulary.is_negated(atom.predicate);
        made.equality = is_built_in(atom);
        std::transform(atom.arguments.begin(), atom.arguments.end(),
                       std::back_inserter(made.arguments), argument);
        return made;
    };
    result.head = goal(rule.head);
    for (const Atom& atom : rule.body) {
        Goal made = goal(atom);
        if (!made.equality || made.negated) {
            result.body.push_back(std::move(made));
        }
    }
    return result;
}

}  // namespace hri::datalog
