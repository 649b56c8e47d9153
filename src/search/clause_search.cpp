// SPDX-License-Identifier: Apache-2.0
#include "search/clause_search.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace hri::search {

namespace {

using evaluation::Clause;
using evaluation::Literal;

constexpr double kLiteralCost = 1e-4;    // in errors: decides between rules of equal coverage
constexpr std::size_t kMaxClauses = 12;  // of a program

}  // namespace

ClauseObjective bits_objective(int inputs) {
    return {[inputs](const Program& rules) { return program_bits(rules, inputs); },
            [](const Score& score) { return error_bits(score); }, 0, false};
}

ClauseObjective errors_objective() {
    return {[](const Program& rules) {
                std::size_t literals = 0;
                for (const Rule& rule : rules.rules)
                    literals += rule.body.size();
                return kLiteralCost * static_cast<double>(literals);
            },
            [](const Score& score) {
                return score.false_positives > 0 ? std::numeric_limits<double>::infinity()
                                                 : static_cast<double>(score.false_negatives);
            },
            1, true};
}

Program program_of(const ClauseTask& task, const std::vector<Clause>& clauses) {
    Program program;
    program.target = program.vocabulary.intern(task.atoms.target);
    for (const Clause& clause : clauses) {
        Rule rule{{program.target, {}}, {}};
        std::map<int, int> variables;  // numbered as they come
        const auto term = [&](int variable) {
            return Term::variable(
                variables.emplace(variable, static_cast<int>(variables.size())).first->second);
        };
        for (int i = 0; i < task.atoms.target.arity; ++i)
            rule.head.arguments.push_back(term(i));
        for (const Literal& literal : clause) {
            const PredicateSymbol& symbol =
                task.predicates[static_cast<std::size_t>(literal.predicate)];
            Atom atom{program.vocabulary.intern(symbol), {term(literal.first)}};
            if (symbol.arity == 2)
                atom.arguments.push_back(term(literal.second));
            rule.body.push_back(std::move(atom));
        }
        program.rules.push_back(std::move(rule));
    }
    return program;
}

std::vector<Clause> clauses_of(const Program& program,
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
