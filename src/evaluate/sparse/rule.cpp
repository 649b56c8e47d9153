// SPDX-License-Identifier: Apache-2.0
#include "evaluate/sparse/rule.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <map>

namespace hri::evaluation {
namespace {

using Argument = SparseRule::Argument;
using Goal = SparseRule::Goal;

std::size_t as_size(std::int32_t value) { return static_cast<std::size_t>(value); }

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

SparseRule sparse_rule(const Rule& rule, const Vocabulary& vocabulary,
                       const std::vector<bool>& defined, const std::vector<int>& constants) {
    SparseRule result;
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
    std::map<Term, Argument> arguments;
    const auto argument = [&](Term given) -> Argument {
        if (!given.is_variable()) {
            result.possible = result.possible && constants[as_size(given.index())] >= 0;
        }
        const Term term = merging.find(given);
        if (!term.is_variable()) {
            return -1 - std::max(constants[as_size(term.index())], 0);
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
        made.arity = static_cast<int>(atom.arguments.size());
        for (std::size_t a = 0; a < atom.arguments.size(); ++a) {
            made.arguments[a] = argument(atom.arguments[a]);
        }
        return made;
    };
    result.head = goal(rule.head);
    for (const Atom& atom : rule.body) {
        const Goal made = goal(atom);
        if (!made.equality || made.negated) {
            result.body.push_back(made);
        }
    }
    return result;
}

void refuse_more(std::size_t atoms, std::size_t most) {
    if (atoms > most) {
        throw Error("the program derives too much: more than " + std::to_string(most) +
                        " atoms of one predicate",
                    {}, "split the data into smaller instances");
    }
}

void Derived::condense() {
    sort_once(keys_);
    refuse_more(keys_.size(), most_);
    next_sort_ = std::max(next_sort_, 2 * keys_.size());
}

}  // namespace hri::evaluation
