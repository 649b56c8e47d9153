// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/unfolded_clauses.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hri::search {

namespace {

constexpr std::size_t kMaxClauses = 12;  // of a program

}  // namespace

std::vector<Clause> unfolded_clauses(const Program& program,
                                     const std::vector<PredicateSymbol>& predicates) {
    std::map<PredicateSymbol, int> inputs;
    for (std::size_t p = 0; p < predicates.size(); ++p)
        inputs[predicates[p]] = static_cast<int>(p);
    std::vector<Clause> done;
    // Rules to be unfolded, each with the number of its variables.
    std::vector<std::pair<Rule, int>> open;
    const auto variables = [](const Rule& rule) {
        int count = static_cast<int>(rule.head.arguments.size());
        for (const Atom& atom : rule.body)
            for (const Term& term : atom.arguments)
                count = std::max(count, term.index() + 1);
        return count;
    };
    for (const Rule& rule : program.rules)
        if (rule.head.predicate == program.target)
            open.emplace_back(rule, variables(rule));
    while (!open.empty() && done.size() < kMaxClauses) {
        const auto [rule, count] = open.back();
        open.pop_back();
        const auto call = std::find_if(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return inputs.count(program.vocabulary[atom.predicate]) == 0 ||
                   atom.predicate == program.target;
        });
        if (rule.body.size() > kMaxBody || count > kMaxVariables)
            continue;
        if (call == rule.body.end()) {
            Clause clause;
            for (const Atom& atom : rule.body)
                clause.push_back({inputs.at(program.vocabulary[atom.predicate]),
                                  atom.arguments.front().index(), atom.arguments.back().index()});
            if (!clause.empty())
                done.push_back(std::move(clause));
            continue;
        }
        for (const Rule& definition : program.rules) {
            if (definition.head.predicate != call->predicate || call->predicate == program.target)
                continue;
            std::map<int, int> renamed;
            for (std::size_t a = 0; a < call->arguments.size(); ++a)
                renamed[definition.head.arguments[a].index()] = call->arguments[a].index();
            Rule unfolded = rule;
            unfolded.body.erase(unfolded.body.begin() + (call - rule.body.begin()));
            int next = count;
            for (Atom atom : definition.body) {
                for (Term& term : atom.arguments) {
                    const auto [known, fresh] = renamed.emplace(term.index(), next);
                    next += fresh ? 1 : 0;
                    term = Term::variable(known->second);
                }
                unfolded.body.push_back(std::move(atom));
            }
            open.emplace_back(std::move(unfolded), next);
        }
    }
    return done;
}

}  // namespace hri::search
