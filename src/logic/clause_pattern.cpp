// SPDX-License-Identifier: Apache-2.0
#include "logic/clause_pattern.hpp"

#include <algorithm>

namespace hri::logic {

namespace {

/// One attempt to find the literals of a pattern in a clause.
class Match {
  public:
    Match(const Vocabulary& of_pattern, const Rule& pattern, const Vocabulary& vocabulary,
          const Rule& rule)
        : of_pattern_(of_pattern),
          pattern_(pattern),
          vocabulary_(vocabulary),
          rule_(rule),
          used_(rule.body.size(), 0) {}

    bool head() { return arguments(pattern_.head, rule_.head); }

    bool body(std::size_t next = 0) {
        if (next == pattern_.body.size())
            return true;
        const Atom& wanted = pattern_.body[next];
        for (std::size_t i = 0; i < rule_.body.size(); ++i) {
            const Atom& atom = rule_.body[i];
            if (used_[i] != 0 || of_pattern_[wanted.predicate] != vocabulary_[atom.predicate])
                continue;
            const std::size_t bound = names_.size();
            used_[i] = 1;
            if (arguments(wanted, atom) && body(next + 1))
                return true;
            used_[i] = 0;
            names_.resize(bound);
        }
        return false;
    }

  private:
    bool arguments(const Atom& wanted, const Atom& atom) {
        for (std::size_t a = 0; a < wanted.arguments.size(); ++a)
            if (!term(wanted.arguments[a], atom.arguments[a]))
                return false;
        return true;
    }

    bool term(Term wanted, Term term) {
        if (wanted.is_variable() != term.is_variable())
            return false;
        if (!wanted.is_variable())
            return of_pattern_.constants()[static_cast<std::size_t>(wanted.index())] ==
                   vocabulary_.constants()[static_cast<std::size_t>(term.index())];
        for (const auto& [name, other] : names_)
            if (name == wanted || other == term)
                return name == wanted && other == term;
        names_.emplace_back(wanted, term);
        return true;
    }

    const Vocabulary& of_pattern_;
    const Rule& pattern_;
    const Vocabulary& vocabulary_;
    const Rule& rule_;
    std::vector<char> used_;
    std::vector<std::pair<Term, Term>> names_;  // of the pattern's variables in the clause
};

}  // namespace

bool ClausePattern::matches(const Vocabulary& vocabulary, const Rule& rule) const {
    const PredicateSymbol& wanted = vocabulary_[rule_.head.predicate];
    const PredicateSymbol& head = vocabulary[rule.head.predicate];
    if (wanted.arity != head.arity || (!any_head_ && wanted != head) ||
        rule_.body.size() > rule.body.size() ||
        (kind_ == Kind::whole && rule_.body.size() != rule.body.size()))
        return false;
    Match match(vocabulary_, rule_, vocabulary, rule);
    return match.head() && match.body();
}

}  // namespace hri::logic
